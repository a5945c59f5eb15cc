// lab/protein_loop/recording.h
#include "lab/protein_loop/recording.h"

#include <gtest/gtest.h>

#include "lab/protein_loop/episode.h"
#include "tests/paths.h"

namespace elastane::protein_loop {
namespace {

constexpr Window kLoop{.first = 40, .residues = 9};

// atoms a little off, as a crystal's are
Protein shaken(Protein protein, double by) {
  Random random(5);
  const auto shake = [&](Vec3& at) {
    at = at + Vec3{by * random.normal(), by * random.normal(), by * random.normal()};
  };
  for (ProteinResidue& residue : protein.residues) {
    shake(residue.at.n), shake(residue.at.ca), shake(residue.at.c), shake(residue.o);
  }
  return protein;
}

TEST(LoopRecording, TheShippedEsmClosesALoopOfTheUsersProtein) {
  const auto networks = load_networks(ELASTANE_MODELS);
  ASSERT_TRUE(networks) << networks.error();
  const Protein protein = shaken(build_protein(7, {.residues = 80}), 0.03);
  const auto custom = record_custom_loop(*networks, {.seed = 1, .agents = {"ssm", "esm"}}, protein, kLoop);
  ASSERT_TRUE(custom) << custom.error();
  EXPECT_TRUE(custom->recording.validate());
  ASSERT_EQ(custom->results.size(), 4U);
  EXPECT_GT(custom->results[1].assessment.widest_gap, 0.5);
  EXPECT_LT(custom->results[3].assessment.terms.total(), 0.1 * custom->results[1].assessment.terms.total());
  EXPECT_TRUE(custom->recording.summary.find(protein.residue(kLoop.first).name) != std::string::npos)
      << custom->recording.summary;
}

TEST(LoopRecording, HasEveryWindowOfEveryAgent) {
  const auto networks = load_networks(ELASTANE_MODELS);
  ASSERT_TRUE(networks) << networks.error();
  const auto r = record(*networks, {.seed = 2, .episode = 1, .agents = {"ssm", "esm"}});
  ASSERT_TRUE(r) << r.error();
  EXPECT_TRUE(r->validate());
  const Episode episode = draw_episode(2, 1);
  ASSERT_EQ(r->agents.size(), 2U);
  for (const LoopAgent& agent : r->agents) EXPECT_EQ(agent.steps.size(), static_cast<std::size_t>(episode.windows()));
  EXPECT_EQ(r->native.size(), r->sequence.size());
  EXPECT_FALSE(record(*networks, {.seed = 2, .episode = -1}));
}

}  // namespace
}  // namespace elastane::protein_loop
