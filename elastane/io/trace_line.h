// One step of a trace as one line of JSON, there and back (docs/trace_format.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "elastane/core/base/result.h"
#include "elastane/core/corrector/report.h"

namespace elastane {

struct TraceStep {
  std::uint64_t position = 0;  // steps taken, this one included
  double time = 0;             // their summed dt
  StepReport report;
};

// Appends the step and a newline. Numbers are as short as they can be and come back the same; what is not finite is
// written as null.
void append_trace_line(const TraceStep& step, std::string& text);

// The step of one line; null is read as NaN, fields that are not known are passed over. A refusal says what was
// expected and found, not in which line; the caller knows.
Status parse_trace_line(std::string_view line, TraceStep& step);

// enough of a file's text to recognise it, fit to be printed
std::string excerpt(std::string_view text);

}  // namespace elastane
