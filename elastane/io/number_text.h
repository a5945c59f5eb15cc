// Numbers and dates as text, the same on every machine and in every locale.
#pragma once

#include <string>

namespace elastane {

// As short as possible and exact when read back: 1, 0.25, 1e-05, 1e+16.
void append_number(double value, std::string& text);
std::string number_text(double value);

// with this many digits after the point
void append_fixed(double value, int digits, std::string& text);

// the time of day in UTC, from seconds since 1970: 2024-05-01T12:30:00Z
std::string date_text(double seconds);

}  // namespace elastane
