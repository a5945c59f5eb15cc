#include "elastane/io/trace.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "elastane/io/descriptor.h"
#include "elastane/io/json.h"
#include "elastane/io/trace_line.h"

namespace elastane {
namespace {

constexpr const char* kVersionKey = "elastane_trace";
constexpr std::size_t kReadBytes = 1 << 16;
constexpr std::size_t kLongestLine =
    1 << 20;  // a step has about 700 bytes; a file without line breaks must not fill the memory

Error failed(const std::string& path, const std::string& what) {
  return Error{"[trace] " + path + ": " + what + ": " + std::strerror(errno)};
}

Result<std::string> header_line(const std::string& path, const TraceFields& fields) {
  nlohmann::ordered_json header = {{kVersionKey, kTraceVersion}};
  for (const auto& [key, value] : fields) {
    if (key == kVersionKey) return Error{"[trace] " + path + ": a field is called " + key + "; name it otherwise"};
    header[key] = value;
  }
  std::string line;
  try {
    line = header.dump() + "\n";
  } catch (const nlohmann::json::type_error&) {
    return Error{"[trace] " + path + ": expected the header's fields in UTF-8, found other bytes; convert them"};
  }
  if (line.size() > kLongestLine) {
    return Error{"[trace] " + path + ": expected a header of at most " + std::to_string(kLongestLine) +
                 " bytes, found " + std::to_string(line.size()) + "; name a file instead of its content"};
  }
  return line;
}

// A line that ends inside an object was cut off; a complete but wrong line was not. After a power cut, a file system may
// show zeros instead of the last bytes.
bool is_cut(std::string_view text) { return text.find('\0') != text.npos || !nlohmann::json::accept(text); }

}  // namespace

// --- writing

TraceWriter::TraceWriter(std::string path, Descriptor file, const TraceOptions& options)
    : path_(std::move(path)), file_(std::make_unique<Descriptor>(std::move(file))), options_(options) {}
TraceWriter::TraceWriter(TraceWriter&& other) noexcept = default;
TraceWriter::~TraceWriter() { (void)close(); }
bool TraceWriter::is_open() const { return file_ != nullptr && file_->is_open(); }

Result<TraceWriter> TraceWriter::open(const std::string& path, const TraceFields& fields, const TraceOptions& options) {
  auto header = header_line(path, fields);
  if (!header) return Error{header.error()};
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.is_open()) return failed(path, "cannot create");
  TraceWriter writer(path, std::move(file), options);
  writer.pending_ = *std::move(header);
  if (const Status written = writer.flush(); !written) return Error{written.error()};
  return writer;
}

TraceWriter& TraceWriter::operator=(TraceWriter&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(options_, other.options_);
  std::swap(pending_, other.pending_);
  std::swap(status_, other.status_);
  return *this;
}

Status TraceWriter::write(std::uint64_t position, double time, const StepReport& report) {
  if (!status_) return status_;
  if (!is_open()) return Error{"[trace] " + path_ + ": expected an open trace, found it closed"};
  append_trace_line({.position = position, .time = time, .report = report}, pending_);
  return pending_.size() > options_.buffer ? flush() : Status();
}

Status TraceWriter::flush() {
  if (status_ && !file_->write_all(std::as_bytes(std::span(pending_)))) status_ = failed(path_, "cannot write");
  pending_.clear();
  return status_;
}

Status TraceWriter::close() {
  if (!is_open()) return status_;
  (void)flush();
  // a disk may report only now that it is full; pipes and terminals cannot be synchronised
  const bool on_disk = ::fsync(file_->get()) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
  if (status_ && !on_disk) status_ = failed(path_, "cannot write");
  if (!file_->close() && status_) status_ = failed(path_, "cannot close");
  return status_;
}

// --- reading

TraceReader::TraceReader(std::string path, Descriptor file)
    : path_(std::move(path)), file_(std::make_unique<Descriptor>(std::move(file))) {}
TraceReader::TraceReader(TraceReader&& other) noexcept = default;
TraceReader::~TraceReader() = default;

Result<TraceReader> TraceReader::open(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return failed(path, "cannot open");
  struct stat info {};
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return Error{"[trace] " + path + ": expected a trace, found a folder; name the file in it"};
  }
  TraceReader reader(path, std::move(file));
  if (const Status header = reader.read_header(); !header) return Error{header.error()};
  return reader;
}

Status TraceReader::read_header() {
  const auto no_trace = [&](const std::string& found) {
    return Error{"[trace] " + path_ + ": expected a header {\"" + kVersionKey + "\":1,…} in line 1, found " + found};
  };
  const std::string no_format = "; this is not a trace (docs/trace_format.md)";
  std::string_view text;
  const auto line = next_line(text);
  if (!line) return Error{line.error()};
  if (*line == Line::none) return no_trace("an empty file; did its run begin?");
  if (text.find('\0') != text.npos) return no_trace("a zero byte" + no_format);
  const auto json = parse_json(text);
  if (!json || !json->is_object()) return no_trace(excerpt(text) + no_format);
  for (const auto& [key, value] : json->items()) {
    if (key != kVersionKey) fields_[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  const auto version = json->find(kVersionKey);
  if (version == json->end() || !version->is_number_integer()) return no_trace(excerpt(text) + no_format);
  if (*version != kTraceVersion) {
    return Error{"[trace] " + path_ + ": expected version " + std::to_string(kTraceVersion) + ", found " +
                 version->dump() + "; read it with the elastane that wrote it, or a newer one"};
  }
  return {};
}

Result<bool> TraceReader::next(TraceStep& step) {
  std::string_view text;
  const auto line = next_line(text);
  if (!line) return Error{line.error()};
  if (*line == Line::none) return false;
  const Status parsed = parse_trace_line(text, step);
  if (parsed) return true;
  torn_ = *line == Line::unfinished && is_cut(text);
  if (torn_) return false;
  return refuse(parsed.error());
}

// ends the reading
Error TraceReader::refuse(const std::string& why) {
  file_->close();
  begin_ = end_ = 0;
  const std::string advice = line_number_ == 1 ? "this is not a trace (docs/trace_format.md)"
                                               : "the lines before it are good, and head -n " +
                                                     std::to_string(line_number_ - 1) + " keeps them";
  return Error{"[trace] " + path_ + ", line " + std::to_string(line_number_) + ": " + why + "; " + advice};
}

// the next line without its newline; valid until the next call
Result<TraceReader::Line> TraceReader::next_line(std::string_view& text) {
  std::size_t searched = begin_;
  line_number_ += 1;
  while (true) {
    const std::string_view unread(buffer_.data(), end_);
    const std::size_t newline = unread.find('\n', searched);
    if (std::min(newline, end_) - begin_ > kLongestLine) {
      return refuse("expected at most " + std::to_string(kLongestLine) + " bytes, found more");
    }
    if (newline != unread.npos) {
      text = unread.substr(begin_, newline - begin_);
      begin_ = newline + 1;
      return Line::whole;
    }

    // drop what was read, to make room
    buffer_.erase(0, begin_);
    end_ -= std::exchange(begin_, 0);
    searched = end_;
    buffer_.resize(end_ + kReadBytes);
    ssize_t count = 0;
    do {
      count = file_->is_open() ? ::read(file_->get(), buffer_.data() + end_, kReadBytes) : 0;
    } while (count < 0 && errno == EINTR);
    if (count < 0) return failed(path_, "cannot read");
    if (count == 0) break;
    end_ += static_cast<std::size_t>(count);
  }
  text = {buffer_.data(), std::exchange(end_, 0)};
  if (text.empty()) line_number_ -= 1;
  return text.empty() ? Line::none : Line::unfinished;
}

Result<TraceEnd> read_trace(const std::string& path, const std::function<void(const TraceStep&)>& take) {
  auto reader = TraceReader::open(path);
  if (!reader) return Error{reader.error()};
  TraceEnd end;
  TraceStep step;
  while (true) {
    const auto more = reader->next(step);
    if (!more) return Error{more.error()};
    if (!*more) break;
    take(step);
    end.steps += 1;
  }
  end.torn = reader->torn();
  return end;
}

}  // namespace elastane
