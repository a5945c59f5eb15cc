// elastane/train/scoring.cpp: the run-time scoring network in the graph.
#include "elastane/train/scoring.h"

#include <gtest/gtest.h>

#include "tests/train/gradients.h"

namespace elastane::train {
namespace {

using at::Tensor;

TEST(Scored, HasTheDerivativesOfDifferencesToFeaturesAndWeights) {
  at::manual_seed(3);
  const auto type = at::TensorOptions(at::kDouble);
  const std::vector<Tensor> point = {at::randn({7, 5}, type), at::randn({4, 5}, type), at::randn({4}, type),
                                     at::randn({3, 4}, type), at::randn({3}, type)};
  const Tensor along = at::randn({7, 3}, type);
  expect_gradients(
      [&](const std::vector<Tensor>& in) { return (scored(in[0], in[1], in[2], in[3], in[4]) * along).sum(); }, point,
      "scores");
}

TEST(TrainedScoring, GivesTheNetworkThatItWasTrainedAs) {
  at::manual_seed(4);
  const Tensor features = 3 + 5 * at::randn({40, 6}, at::kDouble);
  Random random(1);
  const TrainedScoring trained(features, 8, 2, random);
  const ScoringNetwork network = trained.network();
  const Tensor o = trained.scores(features);
  double a[8], found[2];
  for (std::int64_t row = 0; row < 40; ++row) {
    network.score(features.data_ptr<double>() + 6 * row, a, found);
    for (int k = 0; k < 2; ++k) EXPECT_EQ(found[k], o[row][k].item<double>());  // in all bits
  }
}

TEST(TrainedScoring, SeesWhitenedFeaturesAsUncorrelated) {
  at::manual_seed(5);
  Tensor features = at::randn({400, 5}, at::kDouble);
  features.select(1, 1).mul_(0.1).add_(features.select(1, 0));  // nearly the same as another
  features.select(1, 2).fill_(3);                               // never changes
  Random random(1), same(1);
  // as if the features had been whitened before: the difference of the two has as much weight as their sum
  const TrainedScoring plain(features, 64, 1, random), white(features, 64, 1, same, 3);
  const auto spread = [&](const TrainedScoring& trained, const std::vector<double>& along) {
    const ScoringNetwork n = trained.network();
    double sum = 0;
    for (std::size_t h = 0; h < 64; ++h) {
      double product = 0;
      for (std::size_t i = 0; i < 5; ++i) product += n.hidden_weight[5 * h + i] * along[i];
      sum += product * product;
    }
    return std::sqrt(sum);
  };
  const std::vector<double> together = {1, 1, 0, 0, 0}, apart = {0, 0.1, 0, 0, 0};  // one deviation of each
  EXPECT_GT(spread(plain, together), 8 * spread(plain, apart));
  EXPECT_LT(spread(white, together), 2 * spread(white, apart));
  const std::vector<double> constant = {0, 0, 1, 0, 0};
  EXPECT_EQ(spread(white, constant), 0);
}

TEST(TrainedScoring, GivesNoWeightToAFeatureThatNeverChanges) {
  Tensor features = at::randn({40, 2}, at::kDouble);
  features.select(1, 1).fill_(4);
  Random random(1);
  const ScoringNetwork network = TrainedScoring(features, 3, 1, random).network();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(network.hidden_weight[static_cast<std::size_t>(2 * i + 1)], 0);
}

}  // namespace
}  // namespace elastane::train
