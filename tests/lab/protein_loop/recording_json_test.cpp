// lab/protein_loop/recording_json.cpp
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/protein_loop/recording.h"
#include "tests/paths.h"

namespace elastane::protein_loop {
namespace {

TEST(LoopRecordingJson, HasTheKeysOfThePage) {
  const Networks networks = load_networks(ELASTANE_MODELS).value();
  const auto r = record(networks, {.seed = 1, .episode = 0, .agents = {"ssm"}});
  ASSERT_TRUE(r) << r.error();
  const nlohmann::json page = nlohmann::json::parse(r->json());
  for (const char* key :
       {"world", "seed", "episode", "title", "story", "sequence", "loop", "lead", "native", "agents"}) {
    EXPECT_TRUE(page.contains(key)) << key;
  }
  EXPECT_EQ(page["world"], "protein_loop");
  EXPECT_EQ(page["native"].size(), 3 * r->sequence.size());
  EXPECT_EQ(page["agents"][0]["trace"].size(), page["agents"][0]["gap"].size());
}

}  // namespace
}  // namespace elastane::protein_loop
