// Writes lines to stdout: each as a whole or not at all, and never so that a signal has to wait.
#pragma once

#include <string>
#include <string_view>

#include "command_line/stop_signals.h"

namespace elastane::app {

class LineSink {
 public:
  explicit LineSink(const command_line::StopSignals& stop);

  enum class Result { written, reader_left, stopped };
  // Writes lines and removes those that are out. Throws if they cannot be written. A file then ends where it ended before;
  // the reader of a pipe may have seen a part of the first line that is left.
  Result write(std::string& lines);

  // removes a last line without its newline, which a run that was killed left in a file; false: there was none
  bool cut_torn_line() const;
  void flush_to_disk() const;  // if it is a file

 private:
  Result write_to_file(std::string_view lines) const;
  Result write_to_reader(std::string& lines) const;

  const command_line::StopSignals& stop_;
  bool is_file_;
};

}  // namespace elastane::app
