#include "apps/elastane/run/line_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include "elastane/io/row_reader.h"

namespace elastane::app {

LineSource::LineSource(const std::string& path, const command_line::StopSignals& stop)
    : path_(path == "-" ? "stdin" : path),
      stop_(stop),
      file_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) throw std::runtime_error(fmt::format("[run] {}: cannot open: {}", path, std::strerror(errno)));
}

LineSource::~LineSource() {
  if (file_ != STDIN_FILENO) ::close(file_);
}

bool LineSource::next(std::string_view& line) {
  while (stop_.caught() == 0) {
    const std::size_t end = buffer_.find('\n', scanned_);
    if (end != std::string::npos) {
      line = std::string_view(buffer_).substr(begin_, end - begin_);
      begin_ = scanned_ = end + 1;
      too_long_ = false;
      return true;
    }
    // drop lines that were read, and the rest of a line that is too long
    buffer_.erase(0, begin_);
    begin_ = 0;
    too_long_ = too_long_ || buffer_.size() > kLongestRow;
    if (too_long_) buffer_.resize(kLongestRow + 1);
    scanned_ = buffer_.size();
    if (ended_ || !fill()) {
      line = buffer_;
      begin_ = scanned_ = buffer_.size();
      torn_ = !line.empty();
      return stop_.caught() == 0 && torn_;
    }
  }
  return false;
}

// reads more bytes as soon as there are any; false: the end, or a signal
bool LineSource::fill() {
  constexpr std::size_t kPiece = 1 << 16;
  const std::size_t at = buffer_.size();
  buffer_.resize(at + kPiece);
  ssize_t count = -1;
  do {
    pollfd waits[2] = {{file_, POLLIN, 0}, {stop_.descriptor(), POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 || stop_.caught() != 0) continue;
    count = ::read(file_, buffer_.data() + at, kPiece);
  } while (count < 0 && (errno == EINTR || errno == EAGAIN) && stop_.caught() == 0);
  const int error = errno;
  buffer_.resize(at + static_cast<std::size_t>(count > 0 ? count : 0));
  if (count < 0 && stop_.caught() == 0) {
    throw std::runtime_error(fmt::format("[run] {}: cannot read: {}", path_, std::strerror(error)));
  }
  ended_ = count <= 0;
  if (count > 0) unpack(at);
  return count > 0;
}

// replaces what was read, from `at` on, by what it holds if the input is packed
void LineSource::unpack(std::size_t at) {
  const auto bytes = std::as_bytes(std::span(buffer_).subspan(at));
  if (std::exchange(is_first_, false) && is_gzip(bytes)) gzip_.emplace();
  if (!gzip_) return;
  packed_.assign(buffer_, at);
  buffer_.resize(at);
  if (const Status read = gzip_->unpack(std::as_bytes(std::span(packed_)), buffer_); !read) {
    throw std::runtime_error(fmt::format("[run] {}: {}", path_, read.error()));
  }
}

}  // namespace elastane::app
