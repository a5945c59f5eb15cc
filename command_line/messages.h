// Messages on stderr. A stderr that is full or closed is not a reason to fail: what is said there is then lost.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace elastane::command_line {

void write_stderr(std::string_view text);

// as fmt::print to stderr, but does not throw
template <class... Arguments>
void print_stderr(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_stderr(fmt::format(format, std::forward<Arguments>(arguments)...));
}

// The text with control characters made visible (\\n, \\x1b), so that no name in the input can forge a line or command a
// terminal.
std::string printable(std::string_view text);

// Opens something harmless where descriptor 0, 1 or 2 is closed, so that no file that is opened later is taken for the
// input or the output. Reading from 0 and writing to 1 then fails.
void secure_standard_descriptors();

// flushes stdout; false: something that was printed is lost
bool flush_stdout();

}  // namespace elastane::command_line
