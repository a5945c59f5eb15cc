// Traces: what every step did, one line of JSON per step (docs/trace_format.md).
//
//   auto trace = elastane::TraceWriter::open("run.jsonl", {{"model", "lorenz"}, {"metric", "sketch"}});
//   trace->write(stream.position(), stream.time(), report).value();     // calls the system: not for real-time code
//   trace->close().value();                                             // fails if anything was lost since open
//
//   elastane::read_trace("run.jsonl", [](const TraceStep& step) { … });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "elastane/core/base/result.h"
#include "elastane/core/corrector/report.h"

namespace elastane {

class Descriptor;

inline constexpr int kTraceVersion = 1;

struct TraceStep {
  std::uint64_t position = 0;  // number of steps, including this one
  double time = 0;             // sum of their dt
  StepReport report;
};

// what the header says about the run: model, metric, …
using TraceFields = std::map<std::string, std::string>;

struct TraceOptions {
  // Bytes to buffer before they are written, always whole lines. With 0 every line is written at once, so that a crash
  // loses at most one line; otherwise it loses the buffered lines too.
  std::size_t buffer = 0;
};

// One thread at a time. After the first error nothing more is written, and every call returns that error.
class TraceWriter {
 public:
  // creates or replaces the file, and writes the header
  static Result<TraceWriter> open(const std::string& path, const TraceFields& fields = {},
                                  const TraceOptions& options = {});
  TraceWriter(TraceWriter&& other) noexcept;
  TraceWriter& operator=(TraceWriter&& other) noexcept;
  ~TraceWriter();

  Status write(std::uint64_t position, double time, const StepReport& report);
  Status flush();
  Status close();  // flushes to the disk; fails if anything was lost since open

 private:
  TraceWriter(std::string path, Descriptor file, const TraceOptions& options);
  bool is_open() const;

  std::string path_;
  std::unique_ptr<Descriptor> file_;
  TraceOptions options_;
  std::string pending_;  // whole lines
  Status status_;
};

// Reads a trace step by step, in constant memory. A last line that is not complete, as after a crash, is left out; any other
// line that is not a step is refused.
class TraceReader {
 public:
  static Result<TraceReader> open(const std::string& path);
  TraceReader(TraceReader&& other) noexcept;
  ~TraceReader();

  const TraceFields& fields() const { return fields_; }  // of the header; values other than text as JSON

  // the next step; false at the end. An error names the line and ends the reading
  Result<bool> next(TraceStep& step);
  bool torn() const { return torn_; }                  // the last line was not complete
  std::uint64_t line() const { return line_number_; }  // number of the last line; the header is line 1

 private:
  enum class Line : std::uint8_t { whole, unfinished, none };

  TraceReader(std::string path, Descriptor file);
  Status read_header();
  Result<Line> next_line(std::string_view& text);
  Error refuse(const std::string& why);

  std::string path_;
  std::unique_ptr<Descriptor> file_;
  std::string buffer_;  // the part of the file that is being read
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t line_number_ = 0;
  bool torn_ = false;
  TraceFields fields_;
};

struct TraceEnd {
  std::uint64_t steps = 0;
  bool torn = false;
};
Result<TraceEnd> read_trace(const std::string& path, const std::function<void(const TraceStep&)>& take);

}  // namespace elastane
