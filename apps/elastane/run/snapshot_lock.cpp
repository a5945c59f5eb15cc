#include "apps/elastane/run/snapshot_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace elastane::app {

SnapshotLock::SnapshotLock(const std::string& path) {
  if (path.empty()) return;
  const std::string name = path + ".lock";
  file_ = Descriptor(::open(name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0644));
  if (!file_.is_open()) {
    throw std::runtime_error(fmt::format("[snapshot] {}: cannot lock: {}", name, std::strerror(errno)));
  }
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    throw std::runtime_error(fmt::format(
        "[snapshot] {}: expected no other run, found one that uses it; end it, or name another snapshot", path));
  }
}

}  // namespace elastane::app
