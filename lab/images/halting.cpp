#include "lab/images/halting.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elastane::images {
namespace {

constexpr int kCandidates = 256;

template <class Score>
Scores scores_of(const Trajectories& t, Score score) {
  Scores all(static_cast<std::size_t>(t.examples()) * static_cast<std::size_t>(t.depth));
  for (int i = 0; i < t.examples(); ++i) {
    for (int k = 0; k < t.depth; ++k) all[t.at(i, k)] = static_cast<float>(score(i, k));
  }
  return all;
}

std::span<const float> logits_of(const Trajectories& t, int example, int k) {
  const auto classes = static_cast<std::size_t>(t.classes);
  return {t.logits.data() + t.at(example, k) * classes, classes};
}

}  // namespace

int Trajectories::answer(int example, int t) const {
  const std::span<const float> row = logits_of(*this, example, t);
  return static_cast<int>(std::ranges::max_element(row) - row.begin());
}

double Trajectories::margin(int example, int t) const {
  const int best = answer(example, t);
  const std::span<const float> row = logits_of(*this, example, t);
  double least = std::numeric_limits<double>::infinity();
  for (int c = 0; c < classes; ++c) {
    const auto i = static_cast<std::size_t>(c);
    if (c != best) least = std::min(least, static_cast<double>(row[static_cast<std::size_t>(best)]) - row[i]);
  }
  return least;
}

Scores margin_scores(const Trajectories& t) {
  return scores_of(t, [&](int i, int k) { return t.margin(i, k); });
}

Scores confidence_scores(const Trajectories& t) {
  return scores_of(t, [&](int i, int k) {
    const std::span<const float> row = logits_of(t, i, k);
    const double most = *std::ranges::max_element(row);
    double sum = 0;
    for (const float logit : row) sum += std::exp(logit - most);
    return 1 / sum;
  });
}

Scores still_scores(const Trajectories& t) {
  return scores_of(t, [&](int i, int k) { return -static_cast<double>(t.change[t.at(i, k)]); });
}

Scores relative_scores(const Trajectories& t) {
  return scores_of(t, [&](int i, int k) { return -t.change[t.at(i, k)] / (1e-9 + t.size[t.at(i, k)]); });
}

Scores patience_scores(const Trajectories& t) {
  Scores all = scores_of(t, [](int, int) { return 0; });
  for (int i = 0; i < t.examples(); ++i) {
    for (int k = 1; k < t.depth; ++k) {
      all[t.at(i, k)] = t.answer(i, k) == t.answer(i, k - 1) ? all[t.at(i, k - 1)] + 1 : 0;
    }
  }
  return all;
}

Outcome stopped(const Trajectories& t, const Scores& scores, double threshold) {
  Outcome found;
  const int n = t.examples();
  for (int i = 0; i < n; ++i) {
    int k = 0;
    while (k + 1 < t.depth && !(scores[t.at(i, k)] > threshold)) ++k;
    found.depth.push_back(k + 1);
    found.mean_depth += (k + 1.0) / n;
    found.accuracy += t.answer(i, k) == t.labels[static_cast<std::size_t>(i)] ? 1.0 / n : 0;
  }
  return found;
}

Outcome uniform(const Trajectories& t, int depth) {
  Outcome found{.accuracy = 0, .mean_depth = static_cast<double>(depth), .depth = {}};
  const int n = t.examples();
  found.depth.assign(static_cast<std::size_t>(n), depth);
  for (int i = 0; i < n; ++i) {
    found.accuracy += t.answer(i, depth - 1) == t.labels[static_cast<std::size_t>(i)] ? 1.0 / n : 0;
  }
  return found;
}

double quantile(Scores scores, double q) {
  if (scores.empty()) return 0;
  const double last = static_cast<double>(scores.size()) - 1;
  const auto at = static_cast<std::ptrdiff_t>(std::clamp(q, 0.0, 1.0) * last);
  std::ranges::nth_element(scores, scores.begin() + at);
  return scores[static_cast<std::size_t>(at)];
}

double choose_threshold(const Trajectories& held_out, const Scores& scores, double wanted) {
  Scores sorted = scores;
  std::ranges::sort(sorted);
  double best = std::numeric_limits<double>::infinity(), least = held_out.depth;
  for (int c = 0; c < kCandidates && !sorted.empty(); ++c) {
    const std::size_t at = static_cast<std::size_t>(c) * (sorted.size() - 1) / (kCandidates - 1);
    const double threshold = c == 0 ? -std::numeric_limits<double>::infinity() : static_cast<double>(sorted[at]);
    const Outcome found = stopped(held_out, scores, threshold);
    if (found.accuracy < wanted || found.mean_depth >= least) continue;
    least = found.mean_depth;
    best = threshold;
  }
  return best;
}

int choose_depth(const Trajectories& held_out, double wanted) {
  for (int depth = 1; depth < held_out.depth; ++depth) {
    if (uniform(held_out, depth).accuracy >= wanted) return depth;
  }
  return held_out.depth;
}

std::vector<double> ready_depths(const Trajectories& t) {
  std::vector<double> ready;
  for (int i = 0; i < t.examples(); ++i) {
    int k = t.depth - 1;
    while (k > 0 && t.answer(i, k - 1) == t.answer(i, t.depth - 1)) --k;
    ready.push_back(k + 1);
  }
  return ready;
}

}  // namespace elastane::images
