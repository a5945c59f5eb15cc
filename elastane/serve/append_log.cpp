#include "elastane/serve/append_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "elastane/core/base/checksum.h"

namespace elastane::serve {
namespace {

constexpr std::string_view kMagic = "ELASTLOG";
constexpr std::size_t kFrame = 8;             // length and checksum
constexpr std::size_t kPiece = 1 << 20;       // bytes that are read at a time
constexpr std::size_t kSmallPiece = 1 << 12;  // for a single record

Error failed(const std::string& path, const std::string& what) {
  return Error{"[log] " + path + ": cannot " + what + ": " + std::strerror(errno)};
}

std::uint32_t word_at(const std::byte* at) {
  std::uint32_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// reads exactly this many bytes; false: the file ends before, or an error
bool read_at(int file, std::uint64_t position, std::span<std::byte> to) {
  while (!to.empty()) {
    const ssize_t count = ::pread(file, to.data(), to.size(), static_cast<off_t>(position));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to = to.subspan(static_cast<std::size_t>(count));
    position += static_cast<std::uint64_t>(count);
  }
  return true;
}

// reads the records of a file in large pieces
class RecordReader {
 public:
  RecordReader(int file, std::uint64_t from, std::uint64_t end, std::size_t piece = kPiece)
      : file_(file), next_(from), end_(end), piece_(piece) {}

  // false: the end, or a record that is not whole
  bool next(std::span<const std::byte>& payload) {
    position_ = next_;
    if (!fill(kFrame)) return false;
    const std::uint32_t length = word_at(buffer_.data() + at_), checksum = word_at(buffer_.data() + at_ + 4);
    // a file system may leave zeros where a write was lost; they must not look like a record
    if (length == 0 || length > kLargestRecord || !fill(kFrame + length)) return false;
    payload = std::span(buffer_).subspan(at_ + kFrame, length);
    if (crc32(payload) != checksum) return false;
    at_ += kFrame + length;
    next_ += kFrame + length;
    return true;
  }
  std::uint64_t position() const { return position_; }  // of the last record
  // where the record after a damaged one would begin; none if the file ends before
  std::optional<std::uint64_t> after_damage() {
    if (!fill(kFrame)) return {};
    const std::uint64_t next = next_ + kFrame + word_at(buffer_.data() + at_);
    return next + kFrame < end_ ? std::optional(next) : std::nullopt;
  }
  std::uint64_t next_position() const { return next_; }

 private:
  bool fill(std::size_t bytes) {
    if (buffer_.size() - at_ >= bytes) return true;
    const std::uint64_t left = end_ - next_;
    if (bytes > left) return false;
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = 0;
    const std::size_t have = buffer_.size();
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, std::max(bytes, piece_))));
    return read_at(file_, next_ + have, std::span(buffer_).subspan(have));
  }

  int file_;
  std::uint64_t next_, end_, position_ = 0;
  std::size_t piece_;
  std::vector<std::byte> buffer_;
  std::size_t at_ = 0;
};

}  // namespace

AppendLog::AppendLog(std::string path, Descriptor file, std::uint64_t size, std::uint64_t most_bytes)
    : path_(std::move(path)), file_(std::move(file)), size_(size), most_bytes_(most_bytes) {}

Result<AppendLog> AppendLog::open(const std::string& path, std::uint64_t most_bytes) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return failed(path, "open");
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error{"[log] " + path + ": another process writes it; stop that one first"};
  }
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return failed(path, "open");
  AppendLog log(path, std::move(file), static_cast<std::uint64_t>(info.st_size), most_bytes);
  ELASTANE_TRY(log.cut_torn_tail());
  return log;
}

Status AppendLog::cut_torn_tail() {
  if (size_ < kMagic.size()) {
    if (::ftruncate(file_.get(), 0) != 0 || ::lseek(file_.get(), 0, SEEK_SET) != 0) return failed(path_, "write");
    if (!file_.write_all(std::as_bytes(std::span(kMagic)))) return failed(path_, "write");
    size_ = kMagic.size();
    return sync();
  }
  std::string magic(kMagic.size(), '\0');
  if (!read_at(file_.get(), 0, std::as_writable_bytes(std::span(magic)))) return failed(path_, "read");
  if (magic != kMagic) return Error{"[log] " + path_ + ": expected a log of elastane serve, found another file"};
  RecordReader reader(file_.get(), kMagic.size(), size_);
  std::span<const std::byte> payload;
  while (reader.next(payload)) {
  }
  // whole records behind one that is not: damage, not the end of a kill
  if (const auto beyond = reader.after_damage()) {
    RecordReader later(file_.get(), *beyond, size_);
    if (later.next(payload)) {
      return Error{"[log] " + path_ + ": the record at byte " + std::to_string(reader.next_position()) +
                   " is damaged, and whole ones follow; restore the file from a copy"};
    }
  }
  cut_ = size_ - reader.next_position();
  size_ = reader.next_position();
  if (cut_ > 0 && ::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) return failed(path_, "cut");
  if (::lseek(file_.get(), static_cast<off_t>(size_), SEEK_SET) < 0) return failed(path_, "write");
  return {};
}

std::uint64_t AppendLog::append(std::span<const std::byte> payload) {
  const std::uint64_t position = size_ + waiting_.size();
  const std::uint32_t frame[2] = {static_cast<std::uint32_t>(payload.size()), crc32(payload)};
  const auto bytes = std::as_bytes(std::span(frame));
  waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
  waiting_.insert(waiting_.end(), payload.begin(), payload.end());
  return position;
}

Status AppendLog::write() {
  const std::vector<std::byte> bytes = std::exchange(waiting_, {});
  if (bytes.empty()) return {};
  if (size_ + bytes.size() > most_bytes_) {
    return Error{"[log] " + path_ + ": expected at most " + std::to_string(most_bytes_) + " bytes; it is full"};
  }
  if (file_.write_all(bytes)) {
    size_ += bytes.size();
    return {};
  }
  const Error error = failed(path_, "write");
  const bool is_back = ::ftruncate(file_.get(), static_cast<off_t>(size_)) == 0 &&
                       ::lseek(file_.get(), static_cast<off_t>(size_), SEEK_SET) >= 0;
  return is_back ? error : Error{error.message + "; what was written of it could not be removed"};
}

Status AppendLog::sync() const {
  if (::fdatasync(file_.get()) != 0) return failed(path_, "sync");
  return {};
}

Status AppendLog::read(std::uint64_t position, std::uint64_t end, const Each& each) const {
  RecordReader reader(file_.get(), std::max<std::uint64_t>(position, kMagic.size()), end);
  std::span<const std::byte> payload;
  while (reader.next(payload)) ELASTANE_TRY(each(reader.position(), payload));
  if (reader.next_position() < end) {
    return Error{"[log] " + path_ + ": the record at byte " + std::to_string(reader.next_position()) + " is damaged"};
  }
  return {};
}

Result<std::vector<std::byte>> AppendLog::read_one(std::uint64_t position) const {
  RecordReader reader(file_.get(), position, size_, kSmallPiece);
  std::span<const std::byte> payload;
  if (position > size_ || !reader.next(payload)) {
    return Error{"[log] " + path_ + ": the record at byte " + std::to_string(position) + " is damaged"};
  }
  return std::vector<std::byte>(payload.begin(), payload.end());
}

}  // namespace elastane::serve
