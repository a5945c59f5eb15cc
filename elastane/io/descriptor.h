// An open file, closed when it goes.
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
  bool close();  // false, and errno, if the system says so; true if it was closed already

  // all of it, however often the system is interrupted; else false, and errno
  bool write_all(std::span<const std::byte> bytes) const;

 private:
  int fd_;
};

}  // namespace elastane
