// Lines of a file or a pipe, each as soon as it is there, until a signal asks to stop.
#pragma once

#include <string>
#include <string_view>

#include "command_line/stop_signals.h"

namespace elastane::app {

class LineSource {
 public:
  // "-" is the standard input; throws if the file cannot be opened
  LineSource(const std::string& path, const command_line::StopSignals& stop);
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  ~LineSource();

  // The next line, without its newline; valid until the next call. False: the end, or a signal. Of a line that is
  // longer than any row may be, only so much is given that the reader sees it.
  bool next(std::string_view& line);

 private:
  bool fill();

  std::string path_;
  const command_line::StopSignals& stop_;
  int file_;
  std::string buffer_;
  std::size_t begin_ = 0, scanned_ = 0;  // of the line under way
  bool ended_ = false, too_long_ = false;
};

}  // namespace elastane::app
