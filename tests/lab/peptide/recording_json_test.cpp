// lab/peptide/recording_json.cpp
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/peptide/recording.h"
#include "tests/paths.h"

namespace elastane::peptide {
namespace {

TEST(PeptideRecordingJson, HasTheKeysOfThePage) {
  const Networks networks = load_networks(ELASTANE_MODELS).value();
  const auto r = record(networks, {.seed = 1, .episode = 0, .agents = {"frozen"}});
  ASSERT_TRUE(r) << r.error();
  const nlohmann::json page = nlohmann::json::parse(r->json());
  for (const char* key : {"world", "seed", "episode", "title", "story", "sequence", "atoms", "bonds", "contacts",
                          "bins", "allowed", "agents"}) {
    EXPECT_TRUE(page.contains(key)) << key;
  }
  EXPECT_EQ(page["world"], "peptide");
  const nlohmann::json& agent = page["agents"][0];
  EXPECT_EQ(agent["atoms"][0].size(), 3 * page["atoms"].size());
  EXPECT_EQ(agent["torsions"].size(), agent["distance"].size());
}

}  // namespace
}  // namespace elastane::peptide
