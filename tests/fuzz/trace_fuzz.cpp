// Fuzzes elastane/io/trace.cpp and trace_line.cpp: no bytes may crash what reads a trace; what is read as a step must,
// written and read again, be the same; and what follows a refusal is nothing.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "elastane/io/trace.h"
#include "tests/io/trace_steps.h"

namespace elastane {
namespace {

void check_line(std::string_view line) {
  TraceStep step, back;
  const Status parsed = parse_trace_line(line, step);
  if (!parsed) return parsed.error().empty() ? std::abort() : void();
  std::string text;
  append_trace_line(step, text);
  if (!parse_trace_line(std::string_view(text).substr(0, text.size() - 1), back) || !same(step, back)) std::abort();
}

// a file that never sees a disk
void check_file(std::string_view text) {
  static const int file = ::memfd_create("trace", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (::ftruncate(file, 0) != 0) std::abort();
  if (::pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) std::abort();
  auto reader = TraceReader::open(path);
  if (!reader) return;
  TraceStep step;
  while (true) {
    const auto more = reader->next(step);
    if (more && *more) continue;
    if (reader->torn() && (!more || text.ends_with('\n'))) std::abort();
    break;
  }
  if (reader->next(step).value()) std::abort();
}

}  // namespace
}  // namespace elastane

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  elastane::check_line(text);
  elastane::check_file(text);
  // most inputs spoil the header; behind a good one they reach the steps
  elastane::check_file("{\"elastane_trace\":1}\n" + std::string(text));
  return 0;
}
