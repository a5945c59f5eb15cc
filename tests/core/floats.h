// Arrays of floats and doubles for kernel tests: on a cache line, zeroed, with a guard behind the end.
#pragma once

#include <cstring>
#include <span>

#include "elastane/core/base/buffer.h"
#include "elastane/core/base/random.h"
#include "elastane/core/base/view.h"

namespace elastane {

template <class T>
class Guarded {
 public:
  explicit Guarded(int n) : buffer_(sizeof(T) * (static_cast<std::size_t>(n) + kGuard)), size_(n) {
    for (int i = 0; i < kGuard; ++i) data()[n + i] = kGuardValue;
  }

  T* data() { return reinterpret_cast<T*>(buffer_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(buffer_.data()); }
  operator T*() { return data(); }
  operator const T*() const { return data(); }
  std::span<const T> span() const { return {data(), static_cast<std::size_t>(size_)}; }
  int size() const { return size_; }

  // uniform in ±bound, in each row of `stride` only the first n
  Guarded& fill(Random& random, double bound, int n, int stride) {
    for (int i = 0; i < size_; ++i) {
      if (i % stride < n) data()[i] = static_cast<T>(random.uniform(-bound, bound));
    }
    return *this;
  }
  Guarded& fill(Random& random, double bound) { return fill(random, bound, 1, 1); }

  // whether the guard behind the end is unchanged
  bool guarded() const {
    for (int i = 0; i < kGuard; ++i) {
      if (data()[size_ + i] != kGuardValue) return false;
    }
    return true;
  }

 private:
  static constexpr int kGuard = 16;
  static constexpr T kGuardValue = static_cast<T>(-12345.678);

  Buffer buffer_;
  int size_;
};

using Floats = Guarded<float>;
using Doubles = Guarded<double>;

template <class T>
bool same_bits(const T* a, const T* b, int n) {
  return std::memcmp(a, b, sizeof(T) * n) == 0;
}
inline bool same_bits(const Floats& a, const Floats& b, int n) { return same_bits(a.data(), b.data(), n); }

}  // namespace elastane
