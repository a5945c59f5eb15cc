// Reads the lines of a file or a pipe as they arrive, until a signal asks to stop.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "command_line/stop_signals.h"
#include "elastane/io/gzip.h"

namespace elastane::app {

class LineSource {
 public:
  // "-": standard input; throws if the file cannot be opened
  LineSource(const std::string& path, const command_line::StopSignals& stop);
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  ~LineSource();

  // The next line, without its newline; valid until the next call. False: the end, or a signal. A line that is longer than a
  // row may be is cut just beyond that length.
  bool next(std::string_view& line);
  bool has_line() const { return buffer_.find('\n', scanned_) != std::string::npos; }  // the next one was read already
  bool is_torn() const { return torn_; }                                               // the last line had no newline

 private:
  bool fill();
  void unpack(std::size_t at);

  std::string path_;
  const command_line::StopSignals& stop_;
  int file_;
  std::string buffer_, packed_;
  std::optional<GzipReader> gzip_;
  bool is_first_ = true;
  std::size_t begin_ = 0, scanned_ = 0;  // of the current line
  bool ended_ = false, too_long_ = false, torn_ = false;
};

}  // namespace elastane::app
