// lab/recall/anytime.cpp: a table and rows for every rule and number of blocks.
#include "lab/recall/anytime.h"

#include <gtest/gtest.h>

#include "lab/recall/observation.h"

namespace elastane::recall {
namespace {

TEST(Anytime, HasARowPerTaskRuleAndNumberOfBlocks) {
  ModelConfig config{.inputs = kInputs, .outputs = kValues, .width = 16};
  config.blocks = {{.kind = AttentionConfig{.heads = 2, .window = 256}}};
  const GlassModel model = GlassModel::create(config, random_tensors(config, 1)).value();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const std::string text = anytime_table(model, "m", {.length = 112, .prompts = 1, .extra = {0, 2}}, rows);
  EXPECT_NE(text.find("bound"), std::string::npos);
  EXPECT_EQ(rows.size(), 2U * 4 * 2);
  for (const auto& row : rows) EXPECT_EQ(row["part"], "anytime");
}

}  // namespace
}  // namespace elastane::recall
