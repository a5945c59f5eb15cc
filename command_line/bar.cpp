#include "command_line/bar.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

#include "command_line/messages.h"

namespace elastane::command_line {

Bar::Bar() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void Bar::clear() const {
  if (terminal_) command_line::print_stderr("\r\033[K");
}

void Bar::update(double share, const std::string& doing) {
  const auto now = Clock::now();
  if (!terminal_ || now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  constexpr int kWidth = 24;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < kWidth * share ? "█" : "░";
  command_line::print_stderr("\r\033[K{} {:3.0f} %  {:.0f} s left  {}", bar, 100 * share,
                             share > 0 ? seconds * (1 - share) / share : 0.0, doing);
  std::fflush(stderr);
}

}  // namespace elastane::command_line
