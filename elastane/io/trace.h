// Traces: what every step did, one line of JSON a step (docs/trace_format.md).
//
//   auto trace = elastane::TraceWriter::open("run.jsonl", {{"model", "lorenz"}, {"metric", "sketch"}});
//   trace->write(stream.position(), stream.time(), report).value();     // asks the system: not for the real-time line
//   trace->close().value();                                             // the first thing that went wrong since open
//
//   elastane::read_trace("run.jsonl", [](const TraceStep& step) { … });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "elastane/core/base/result.h"
#include "elastane/io/descriptor.h"
#include "elastane/io/trace_line.h"

namespace elastane {

inline constexpr int kTraceVersion = 1;

// what a header says of its run: model, metric, whatever helps
using TraceFields = std::map<std::string, std::string>;

struct TraceOptions {
  // Bytes to gather before they go to the file, always in whole lines. With 0 every line goes at once, so that a
  // program that crashes has lost at most the line it was writing; else what is gathered is lost as well.
  std::size_t buffer = 0;
};

// Used by one thread at a time. After the first error nothing more is written, and every call returns that error.
class TraceWriter {
 public:
  // makes the file anew, and writes the header
  static Result<TraceWriter> open(const std::string& path, const TraceFields& fields = {},
                                  const TraceOptions& options = {});
  TraceWriter(TraceWriter&& other) noexcept = default;
  TraceWriter& operator=(TraceWriter&& other) noexcept;
  ~TraceWriter() { (void)close(); }

  Status write(std::uint64_t position, double time, const StepReport& report);
  Status flush();
  Status close();  // flushes to the disk; says so if anything was lost since open

 private:
  TraceWriter(std::string path, Descriptor file, const TraceOptions& options)
      : path_(std::move(path)), file_(std::move(file)), options_(options) {}

  std::string path_;
  Descriptor file_;
  TraceOptions options_;
  std::string pending_;  // whole lines
  Status status_;
};

// A trace, step by step, in constant memory. A last line that was never finished, as a crash leaves it, is left out;
// any other line that is not a step is refused.
class TraceReader {
 public:
  static Result<TraceReader> open(const std::string& path);

  const TraceFields& fields() const { return fields_; }  // of the header; what is no text, as JSON

  // the next step; false at the end. An error names the line, and ends the reading
  Result<bool> next(TraceStep& step);
  bool torn() const { return torn_; }                  // the last line was not finished
  std::uint64_t line() const { return line_number_; }  // that was read last; the header is line 1

 private:
  enum class Line : std::uint8_t { whole, unfinished, none };

  TraceReader(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  Status read_header();
  Result<Line> next_line(std::string_view& text);
  Error refuse(const std::string& why);

  std::string path_;
  Descriptor file_;
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
