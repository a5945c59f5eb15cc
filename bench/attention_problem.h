// One problem of `elastane bench attention`: a prompt of random queries, keys and values, and how heads read it. Shared
// with the rival by LibTorch, so that both compute the same.
#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

#include "elastane/core/base/random.h"

namespace elastane::bench {

inline constexpr int kAttentionBlock = 64;

struct AttentionProblem {
  int length = 1024, size = 64;  // size of one head
  int heads = 4, kv_heads = 2;
  int streaming = 0;  // query heads that see a sink and the newest blocks; the last ones
  int sink() const { return 2 * kAttentionBlock; }
  int local() const { return std::max(1, std::min(32, length / kAttentionBlock / 4)) * kAttentionBlock; }
};

// channel c of row t; which: 0 queries, 1 keys, 2 values. Rows are [head][size].
inline std::vector<float> attention_rows(const AttentionProblem& p, int which) {
  const int heads = which == 0 ? p.heads : p.kv_heads;
  Random random(static_cast<std::uint64_t>(which + 1));
  std::vector<float> rows(static_cast<std::size_t>(p.length) * static_cast<std::size_t>(heads * p.size));
  for (float& x : rows) x = static_cast<float>(random.normal());
  return rows;
}

// processor time of this thread, in milliseconds: other programs on the machine do not count
inline double thread_millis() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

// the best of as many runs as fit into half a second, three at least
template <class F>
double best_millis(F&& f) {
  double best = 1e30, spent = 0;
  for (int run = 0; run < 3 || (spent < 500 && run < 200); ++run) {
    const double begun = thread_millis();
    f();
    const double took = thread_millis() - begun;
    best = std::min(best, took);
    spent += took;
    if (took > 5000) break;
  }
  return best;
}

}  // namespace elastane::bench
