// Arrays of floats for kernel tests: on a cache line, zeroed, with a guard behind the end.
#pragma once

#include <cstring>
#include <span>

#include "elastane/core/base/buffer.h"
#include "elastane/core/base/random.h"
#include "elastane/core/base/view.h"

namespace elastane {

class Floats {
 public:
  explicit Floats(int n) : buffer_(sizeof(float) * (static_cast<std::size_t>(n) + kGuard)), size_(n) {
    for (int i = 0; i < kGuard; ++i) data()[n + i] = kGuardValue;
  }

  float* data() { return reinterpret_cast<float*>(buffer_.data()); }
  const float* data() const { return reinterpret_cast<const float*>(buffer_.data()); }
  operator float*() { return data(); }
  operator const float*() const { return data(); }
  std::span<const float> span() const { return {data(), static_cast<std::size_t>(size_)}; }
  int size() const { return size_; }

  // uniform in ±bound, in each row of `stride` only the first n
  Floats& fill(Random& random, double bound, int n, int stride) {
    for (int i = 0; i < size_; ++i) {
      if (i % stride < n) data()[i] = static_cast<float>(random.uniform(-bound, bound));
    }
    return *this;
  }
  Floats& fill(Random& random, double bound) { return fill(random, bound, 1, 1); }

  // whether nobody wrote behind the end
  bool guarded() const {
    for (int i = 0; i < kGuard; ++i) {
      if (data()[size_ + i] != kGuardValue) return false;
    }
    return true;
  }

 private:
  static constexpr int kGuard = 16;
  static constexpr float kGuardValue = -12345.678F;

  Buffer buffer_;
  int size_;
};

inline bool same_bits(const float* a, const float* b, int n) { return std::memcmp(a, b, sizeof(float) * n) == 0; }

}  // namespace elastane
