#include "apps/elastane/run/line_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include "elastane/io/descriptor.h"

namespace elastane::app {
namespace {

constexpr off_t kTail = 1 << 16;  // bytes in which the end of the last whole line is looked for

[[noreturn]] void fail(int error) {
  throw std::runtime_error(fmt::format("[run] stdout: cannot write: {}", std::strerror(error)));
}

}  // namespace

LineSink::LineSink(const command_line::StopSignals& stop) : stop_(stop) {
  struct stat info {};
  is_file_ = ::fstat(STDOUT_FILENO, &info) == 0 && S_ISREG(info.st_mode);
}

LineSink::Result LineSink::write(std::string& lines) {
  if (!is_file_) return write_to_reader(lines);
  const Result result = write_to_file(lines);
  lines.clear();
  return result;
}

LineSink::Result LineSink::write_to_file(std::string_view lines) const {
  std::size_t written = 0;
  while (written < lines.size()) {
    const ssize_t count = ::write(STDOUT_FILENO, lines.data() + written, lines.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      // take back the part that fitted, so that the line can be written as a whole later
      const int error = errno;
      struct stat info {};
      const bool is_known = ::fstat(STDOUT_FILENO, &info) == 0;
      if (written > 0 && is_known) {
        const off_t end = info.st_size - static_cast<off_t>(written);
        if (::ftruncate(STDOUT_FILENO, end) == 0) ::lseek(STDOUT_FILENO, end, SEEK_SET);
      }
      fail(error);
    }
    written += static_cast<std::size_t>(count);
  }
  return Result::written;
}

// in pieces that a pipe with room for anything has room for, so that no write waits
LineSink::Result LineSink::write_to_reader(std::string& lines) const {
  std::string_view left = lines;
  const auto end = [&](Result result) {
    const std::size_t out = lines.size() - left.size(), newline = out == 0 ? lines.npos : lines.rfind('\n', out - 1);
    lines.erase(0, newline == lines.npos ? 0 : newline + 1);
    return result;
  };
  while (!left.empty()) {
    pollfd waits[2] = {{STDOUT_FILENO, POLLOUT, 0}, {stop_.descriptor(), POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) fail(errno);
    if ((waits[0].revents & (POLLOUT | POLLERR | POLLHUP | POLLNVAL)) == 0) {
      if (stop_.caught() != 0) return end(Result::stopped);
      continue;
    }
    const ssize_t count = ::write(STDOUT_FILENO, left.data(), std::min<std::size_t>(left.size(), PIPE_BUF));
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0 && errno == EPIPE) return end(Result::reader_left);
    if (count < 0) {
      const int error = errno;
      end(Result::stopped);
      fail(error);
    }
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  return end(Result::written);
}

bool LineSink::cut_torn_line() const {
  if (!is_file_) return false;
  const Descriptor file(::open("/proc/self/fd/1", O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!file.is_open() || ::fstat(file.get(), &info) != 0 || info.st_size == 0) return false;
  const off_t begin = std::max<off_t>(0, info.st_size - kTail);
  std::string tail(static_cast<std::size_t>(info.st_size - begin), '\0');
  if (::pread(file.get(), tail.data(), tail.size(), begin) != static_cast<ssize_t>(tail.size())) return false;
  if (tail.back() == '\n') return false;
  const std::size_t last = tail.rfind('\n');
  if (last == std::string::npos && begin > 0) return false;  // too long to be a line of ours
  const off_t end = last == std::string::npos ? 0 : begin + static_cast<off_t>(last) + 1;
  if (::ftruncate(STDOUT_FILENO, end) != 0) return false;
  ::lseek(STDOUT_FILENO, end, SEEK_SET);
  return true;
}

void LineSink::flush_to_disk() const {
  if (is_file_) ::fdatasync(STDOUT_FILENO);
}

}  // namespace elastane::app
