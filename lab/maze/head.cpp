#include "lab/maze/head.h"

#include <algorithm>
#include <cmath>

namespace elastane::maze {

double Head::judge(const MoveFeatures& f) const {
  double sum = 0;
  for (std::size_t h = 0; h < kHeadHidden; ++h) {
    double x = bias[h];
    for (std::size_t i = 0; i < kMoveFeatures; ++i) x += weight[h * kMoveFeatures + i] * f[i];
    sum += score[h] * x / (1 + std::fabs(x));
  }
  return sum;
}

void judge(const Head& head, const Around& around, Moves moves, std::span<double> scores) {
  for (std::size_t way = 0; way < static_cast<std::size_t>(way_count(moves)); ++way) {
    scores[way] = head.judge(around[way]);
  }
}

double surprise(const Sight& sight, std::span<const double> scores, std::span<const double> shares) {
  double highest = -kNoWay, sum = 0, loss = 0;
  for (std::size_t way = 0; way < scores.size(); ++way) {
    if (looks_free(sight, static_cast<int>(way))) highest = std::max(highest, scores[way]);
  }
  for (std::size_t way = 0; way < scores.size(); ++way) {
    if (looks_free(sight, static_cast<int>(way))) sum += std::exp(scores[way] - highest);
  }
  for (std::size_t way = 0; way < scores.size(); ++way) {
    if (shares[way] > 0) loss -= shares[way] * (scores[way] - highest - std::log(sum));
  }
  return loss;
}

}  // namespace elastane::maze
