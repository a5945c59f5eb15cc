// Tests elastane/io/metric_file.cpp and core/metric/metric_weights.h: read back to the last bit; what is damaged or not
// positive is refused.
#include "elastane/io/metric_file.h"

#include <gtest/gtest.h>

#include "elastane/core/base/random.h"
#include "elastane/io/stored_arrays.h"
#include "tests/io/folder.h"

namespace elastane {
namespace {

MetricWeights some_metric(int d = 11, int rank = 3) {
  Random random(2);
  MetricWeights weights{.diagonal = std::vector<double>(d), .factor = std::vector<double>(rank * double_stride(d))};
  for (double& s : weights.diagonal) s = std::exp(random.normal());
  for (int j = 0; j < rank; ++j) {
    for (int i = 0; i < d; ++i) weights.factor[static_cast<std::size_t>(j * double_stride(d) + i)] = random.normal();
  }
  return weights;
}

TEST(MetricFile, HoldsEveryBit) {
  const Folder folder;
  for (const int rank : {0, 3}) {
    const MetricWeights weights = some_metric(11, rank);
    ASSERT_TRUE(save_metric(folder / "metric", weights));
    const MetricWeights read = load_metric(folder / "metric").value();
    EXPECT_EQ(read.diagonal, weights.diagonal);
    EXPECT_EQ(read.factor, weights.factor);
    EXPECT_EQ(read.rank(), rank);
  }
}

TEST(MetricFile, RefusesEveryTruncation) {
  const std::vector<std::byte> bytes = format_metric(some_metric()).value();
  for (std::size_t n = 0; n < bytes.size(); n += 1 + n / 50) {
    EXPECT_FALSE(parse_metric_file(std::span(bytes).first(n), "metric")) << n;
  }
}

TEST(MetricFile, RefusesWhatDoesNotFitAndSaysWhy) {
  const std::vector<double> diagonal = {1, 2}, negative = {1, -2}, factor(6, 0.5);
  const auto refusal = [](std::vector<StoredTensor> tensors) {
    const auto bytes = format_safetensors({{"elastane_metric", "1"}}, tensors).value();
    return parse_metric_file(bytes, "metric").error();
  };
  EXPECT_EQ(refusal({stored("diagonal", diagonal)}), "[metric] metric: expected a tensor factor, found none");
  EXPECT_EQ(refusal({stored("diagonal", diagonal), stored("factor", factor, {2, 3})}),
            "[metric] metric: factor: expected (2 x 2), found (2 x 3); train it again");
  EXPECT_EQ(refusal({stored("diagonal", negative), stored("factor", factor, {3, 2})}),
            "[metric] metric: diagonal: expected above 0, below 1e12, found -2.000000");
  EXPECT_EQ(parse_metric_file(format_safetensors({}, std::vector<Tensor>{}).value(), "other").error(),
            "[metric] other: expected a learned metric, found another safetensors file");
}

}  // namespace
}  // namespace elastane
