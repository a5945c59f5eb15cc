// Reads the lines of a file or a pipe as they arrive, until a signal asks to stop.
#pragma once

#include <string>
#include <string_view>

#include "command_line/stop_signals.h"

namespace elastane::app {

class LineSource {
 public:
  // "-": standard input; throws if the file cannot be opened
  LineSource(const std::string& path, const StopSignals& stop);
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  ~LineSource();

  // The next line, without its newline; valid until the next call. False: the end, or a signal. A line that is longer than a
  // row may be is cut just beyond that length.
  bool next(std::string_view& line);

 private:
  bool fill();

  std::string path_;
  const StopSignals& stop_;
  int file_;
  std::string buffer_;
  std::size_t begin_ = 0, scanned_ = 0;  // of the current line
  bool ended_ = false, too_long_ = false;
};

}  // namespace elastane::app
