// Writes and reads one step of a trace as one line of JSON (docs/trace_format.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "elastane/core/base/result.h"
#include "elastane/io/trace.h"

namespace elastane {

// Appends the step and a newline. Numbers are as short as possible and exact when read back; null if not finite.
void append_trace_line(const TraceStep& step, std::string& text);

// The step of one line. null is read as NaN; unknown fields are skipped. The message of a refusal does not name the line;
// the caller adds it.
Status parse_trace_line(std::string_view line, TraceStep& step);

// a short, printable part of a text, enough to recognise it
std::string excerpt(std::string_view text);

}  // namespace elastane
