// One zeroed block of memory on a cache-line boundary; copying it copies the bytes.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

namespace elastane {

inline constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector

constexpr std::size_t round_up(std::size_t n, std::size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes) : size_(round_up(bytes, kAlignment)) {
    if (size_ == 0) return;
    data_ = static_cast<std::byte*>(::operator new (size_, std::align_val_t{kAlignment}));
    std::memset(data_, 0, size_);
  }
  Buffer(const Buffer& other) : Buffer(other.size_) {
    if (size_ != 0) std::memcpy(data_, other.data_, size_);
  }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() { ::operator delete (data_, std::align_val_t{kAlignment}); }

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace elastane
