#include "elastane/io/descriptor.h"

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>

namespace elastane {

bool Descriptor::close() { return !is_open() || ::close(std::exchange(fd_, -1)) == 0; }

bool Descriptor::write_all(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace elastane
