// lab/recall/lengths.cpp: long prompts by the engine, dense, routed and streaming.
#include "lab/recall/lengths.h"

#include <gtest/gtest.h>

#include "lab/recall/observation.h"
#include "tests/core/elastic.h"

namespace elastane::recall {
namespace {

TEST(Lengths, HasARowPerLengthTaskAndKindOfHeads) {
  ModelConfig config{.inputs = kInputs, .outputs = kValues, .width = 16};
  config.blocks = {{.kind = AttentionConfig{.heads = 2, .window = 64, .block = 16, .sink = 16, .local = 32}}};
  const ModelFile file{.config = config, .tensors = random_tensors(config, 1)};
  const RouterWeights router = random_router(Model::create(config, file.tensors).value());
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const LengthOptions options{.lengths = {64, 128}, .prompts = 3};
  const std::string text = length_table(file, router, "m", options, rows);
  EXPECT_NE(text.find("streaming"), std::string::npos);
  ASSERT_EQ(rows.size(), 2U * 3 * 3);
  for (const auto& row : rows) {
    EXPECT_EQ(row.size(), 11U);
    const std::string method = row["method"];
    const double share = row["sparse_share"];
    EXPECT_TRUE(method.starts_with("dense") ? share == 0 : share >= 0) << method;
    EXPECT_TRUE(!method.starts_with("streaming") || share > 0) << method;
  }
}

}  // namespace
}  // namespace elastane::recall
