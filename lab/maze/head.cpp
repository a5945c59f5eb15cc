#include "lab/maze/head.h"

#include <algorithm>
#include <cmath>

namespace elastane::maze {

double Head::score_of(const MoveFeatures& f) const {
  double sum = 0;
  for (std::size_t h = 0; h < kHeadHidden; ++h) {
    double x = bias[h];
    for (std::size_t i = 0; i < kMoveFeatures; ++i) x += weight[h * kMoveFeatures + i] * f[i];
    sum += score[h] * x / (1 + std::fabs(x));
  }
  return sum;
}

void score_moves(const Head& head, const AllMoveFeatures& features, Moves moves, std::span<double> scores) {
  for (std::size_t move = 0; move < static_cast<std::size_t>(move_count(moves)); ++move) {
    scores[move] = head.score_of(features[move]);
  }
}

double cross_entropy(const Observation& observation, std::span<const double> scores, std::span<const double> shares) {
  double highest = -kUnreachable, sum = 0, loss = 0;
  for (std::size_t move = 0; move < scores.size(); ++move) {
    if (looks_free(observation, static_cast<int>(move))) highest = std::max(highest, scores[move]);
  }
  for (std::size_t move = 0; move < scores.size(); ++move) {
    if (looks_free(observation, static_cast<int>(move))) sum += std::exp(scores[move] - highest);
  }
  for (std::size_t move = 0; move < scores.size(); ++move) {
    if (shares[move] > 0) loss -= shares[move] * (scores[move] - highest - std::log(sum));
  }
  return loss;
}

}  // namespace elastane::maze
