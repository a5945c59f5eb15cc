// One block of memory, cut into the arrays of a struct. The struct lists its arrays once, in lay_out:
//
//   struct Scratch {
//     int latents;                                        // sizes stay beside the arrays
//     double* z = nullptr;
//     DoubleRows ahead = {};
//     void lay_out(Cutter& cutter) {
//       z = cutter.doubles(latents);
//       ahead = cutter.double_rows(3, latents);
//     }
//   };
//   Arena<Scratch> scratch(8);
//   scratch.z[0] = 1;
//
// An arena is a Scratch that owns its memory. A copy has a block of its own, and its arrays lie there; so whatever
// holds an arena needs no copy constructor. Nothing allocates but constructors and copies.
#pragma once

#include <cstddef>
#include <utility>

#include "elastane/core/base/buffer.h"
#include "elastane/core/base/view.h"

namespace elastane {

// hands out arrays one after the other, each on its own cache lines; without a block it only measures
class Cutter {
 public:
  Cutter() = default;
  explicit Cutter(void* block) : block_(static_cast<std::byte*>(block)) {}

  template <class T>
  T* array(std::size_t count) {
    std::byte* here = block_ == nullptr ? nullptr : block_ + used_;
    used_ += round_up(sizeof(T) * count, kAlignment);
    return reinterpret_cast<T*>(here);
  }
  double* doubles(int count) { return array<double>(as_size(count)); }
  // rows of n, each padded to whole vectors
  DoubleRows double_rows(int rows, int n) {
    const int stride = double_stride(n);
    return {array<double>(as_size(rows) * as_size(stride)), rows, stride};
  }
  Rows float_rows(int rows, int n) {
    const int stride = padded(n);
    return {array<float>(as_size(rows) * as_size(stride)), rows, stride};
  }

  std::size_t used() const { return used_; }  // bytes
  std::size_t used_doubles() const { return used_ / sizeof(double); }

 private:
  std::byte* block_ = nullptr;
  std::size_t used_ = 0;
};

// bytes of everything that these arrays need
template <class Arrays>
std::size_t measure(Arrays arrays) {
  Cutter cutter;
  arrays.lay_out(cutter);
  return cutter.used();
}

template <class Arrays>
class Arena : public Arrays {
 public:
  template <class... Sizes>
  explicit Arena(const Sizes&... sizes) : Arrays{sizes...}, memory_(measure<Arrays>(*this)) {
    carve();
  }
  Arena(const Arena& other) : Arrays(other), memory_(other.memory_) { carve(); }
  Arena(Arena&&) noexcept = default;  // the block stays where it is, and the arrays in it
  Arena& operator=(Arena other) noexcept {
    std::swap(static_cast<Arrays&>(*this), static_cast<Arrays&>(other));
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~Arena() = default;

  std::byte* block() { return memory_.data(); }
  const std::byte* block() const { return memory_.data(); }
  std::size_t bytes() const { return memory_.size(); }

 private:
  void carve() {
    Cutter cutter(memory_.data());
    this->lay_out(cutter);
  }

  Buffer memory_;
};

}  // namespace elastane
