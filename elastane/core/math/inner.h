// The inner product of two arrays, where the instruction set does not matter.
#pragma once

namespace elastane {

// Σ a_i b_i, in as many partial sums as fill a cache line: compilers can vectorise it, and additions do not wait for
// each other
template <class T = double, class A, class B>
inline T dot(const A* a, const B* b, int n) {
  constexpr int kSums = 64 / static_cast<int>(sizeof(T));
  T sums[kSums] = {};
  int i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (int j = 0; j < kSums; ++j) sums[j] += static_cast<T>(a[i + j]) * static_cast<T>(b[i + j]);
  }
  T total = 0;
  for (; i < n; ++i) total += static_cast<T>(a[i]) * static_cast<T>(b[i]);
  for (int j = 0; j < kSums; ++j) total += sums[j];
  return total;
}

}  // namespace elastane
