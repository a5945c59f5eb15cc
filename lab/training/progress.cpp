#include "lab/training/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "command_line/messages.h"

namespace elastane::lab {

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

Progress::Progress(std::int64_t done, std::int64_t total, bool shown)
    : first_(done), total_(total), shown_(shown), terminal_(shown && ::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::clear() const {
  if (terminal_) command_line::print_stderr("\r\033[K");
}

void Progress::update(std::int64_t done, double loss, double held_out) {
  const auto now = Clock::now();
  if (!terminal_ || (now - drawn_ < std::chrono::milliseconds(100) && done < total_)) return;
  drawn_ = now;
  constexpr int kWidth = 24;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const double speed = seconds > 0 ? static_cast<double>(done - first_) / seconds : 0;
  const auto filled = static_cast<int>(kWidth * done / std::max<std::int64_t>(total_, 1));
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
  command_line::print_stderr("\r\033[K{} {}/{}  loss {:.5g}{}  {:.1f} steps/s  {} left", bar, done, total_, loss,
                             std::isfinite(held_out) ? fmt::format("  held out {:.5g}", held_out) : "", speed,
                             speed > 0 ? duration(static_cast<double>(total_ - done) / speed) : "?");
  std::fflush(stderr);
}

void Progress::line(const std::string& text) {
  if (!shown_) return;
  clear();
  command_line::print_stderr("{}\n", text);
}

}  // namespace elastane::lab
