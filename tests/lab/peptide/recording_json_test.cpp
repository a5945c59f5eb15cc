// lab/peptide/recording_json.cpp, and what recording.cpp refuses.
#include <gtest/gtest.h>

#include "tests/lab/benchmark/page_checks.h"
#include "tests/lab/peptide/made_up_recording.h"

namespace elastane::peptide {
namespace {

using benchmark::expect_refused;
using benchmark::page_of;

TEST(PeptideRecording, ThePageHoldsTheEpisode) {
  const nlohmann::json episode = benchmark::episode_of(page_of(made_up_peptide()));
  EXPECT_EQ(episode["agents"][0]["atoms"][7].size(), 150U);
  EXPECT_EQ(episode["agents"][0]["torsions"][7].size(), 10U);
  EXPECT_EQ(episode["contacts"][1]["at"], 56);
}

TEST(PeptideRecording, ThePageIsSmallAndNeedsNoOtherFile) {
  const std::string page = page_of(made_up_peptide());
  EXPECT_LT(page.size(), 2'000'000U);
  benchmark::expect_self_contained(page);
}

TEST(PeptideRecording, NamesWhatDoesNotFitTogether) {
  EXPECT_TRUE(made_up_peptide().validate());
  auto fold = made_up_peptide();
  fold.agents[0].steps[3].atoms.pop_back();
  expect_refused(fold, "frozen, atoms: expected 50, found 49");
  fold = made_up_peptide();
  fold.contacts[0].j = 10;
  expect_refused(fold, "contacts: expected residues of the chain");
  fold = made_up_peptide();
  fold.bonds.push_back({0, 50});
  expect_refused(fold, "bonds: expected atoms of the chain");
}

}  // namespace
}  // namespace elastane::peptide
