// Times as texts and numbers: ISO 8601, dates with the day or the month first, and seconds or smaller units since 1970.
#pragma once

#include <optional>
#include <string_view>

#include "elastane/io/row_reader.h"

namespace elastane {

// Seconds since 1970, in UTC if there is no zone.
//
//   2024-05-01, 2024-05, 2024/5/1, 2024.05.01       a year first
//   1.5.2024, 1/5/2024, 5/1/2024, 1-May-24          as `order` says; dots mean that the day is first
//   T or a space, then 12:30, 12:30:00.25, 1:05 PM, 13.30.00
//   Z, UTC, +02, +0200, +02:00                      a zone
std::optional<double> parse_time(std::string_view text, DateOrder order = DateOrder::unknown);

// a time of day alone, in seconds
std::optional<double> parse_clock(std::string_view text);

// What this text says about the order of its date: unknown if it says nothing, because both numbers may be months.
DateOrder order_shown_by(std::string_view text);

// The unit of a number that counts time since 1970, in seconds, from its size: 1, 1e-3, 1e-6 or 1e-9. Numbers below 1e11
// are seconds: they end in the year 5138, and as milliseconds would begin before 1973.
double epoch_unit(double count);

}  // namespace elastane
