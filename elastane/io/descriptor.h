// An open file, which is closed when the object is destroyed.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace elastane {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  bool close();  // false, and errno, on failure; true if it was closed already

  // writes all bytes, even if interrupted; false, and errno, on failure
  bool write_all(std::span<const std::byte> bytes) const;

 private:
  int fd_;
};

}  // namespace elastane
