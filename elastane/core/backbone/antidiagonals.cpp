// Real-time code only.
#include "elastane/core/backbone/antidiagonals.h"

#include <algorithm>

namespace elastane {
namespace {

// scores of one query group to weights; key groups beyond the diagonal have none
void softmax_groups(const Kernels& k, int seen, Rows scores, int row) {
  float *s = scores[row], peak = s[0];
  for (int j = 1; j < seen; ++j) peak = std::max(peak, s[j]);
  for (int j = 0; j < seen; ++j) s[j] -= peak;
  k.activation_jet(Curve::exponential, s, padded(seen), s, nullptr, nullptr);
  double total = 0;
  for (int j = 0; j < seen; ++j) total += s[j];
  const auto share = static_cast<float>(1 / total);
  for (int j = 0; j < seen; ++j) s[j] *= share;
}

// the estimated weight of every block, over all query groups
int weigh_blocks(const Kernels& k, const AttentionShape& shape, int rows, int count, const ChoiceScratch& s) {
  const int groups = shape.block / kStride, query_groups = (rows + kStride - 1) / kStride;
  for (int b = 0; b < count; ++b) s.candidates[b] = {0, b};
  for (int i = 0; i < query_groups; ++i) {
    const int seen = (count - 1) * groups + i + 1;  // the diagonal block is the last one
    softmax_groups(k, seen, s.scores, i);
    for (int j = 0; j < seen; ++j) s.candidates[j / groups].bound += s.scores[i][j];
  }
  return query_groups;
}

}  // namespace

BlockChoice choose_blocks(const Kernels& k, const AttentionShape& shape, const float* panels, int head, ConstRows q,
                          double threshold, const ChoiceScratch& s, KeyBlock* list, int count) {
  if (threshold >= 1 || count < 3) return {count, 1};
  k.stride_scores(shape, panels, list, count, head, q, s.work, s.scores);
  const double all = weigh_blocks(k, shape, q.count, count, s);
  double kept = static_cast<double>(s.candidates[0].bound) + s.candidates[count - 1].bound;
  Candidate *first = s.candidates + 1, *end = s.candidates + count - 1;
  std::sort(first, end, [](const Candidate& x, const Candidate& y) {
    return x.bound > y.bound || (x.bound == y.bound && x.block < y.block);
  });
  int chosen = 0;
  for (; chosen < count - 2 && kept < threshold * all; ++chosen) kept += static_cast<double>(first[chosen].bound);
  std::sort(first, first + chosen, [](const Candidate& x, const Candidate& y) { return x.block < y.block; });
  for (int i = 0; i < chosen; ++i) list[1 + i] = list[first[i].block];
  list[1 + chosen] = list[count - 1];
  return {chosen + 2, std::min(1.0, kept / all)};
}

}  // namespace elastane
