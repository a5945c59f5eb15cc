#include "bench/bench.h"

#include <fmt/core.h>

#include <span>

#include "elastane/io/file.h"

namespace elastane::bench {

void write_rows(const std::string& path, const Json& rows) {
  if (path.empty()) return;
  const std::string text = rows.dump(1) + "\n";
  write_file(path, std::as_bytes(std::span(text))).value();
}

std::string shown(const Json& value, int digits) {
  return value.is_null() ? "" : fmt::format("{:.{}f}", value.get<double>(), digits);
}

std::string ratio(const Json& over, const Json& under) {
  if (over.is_null() || under.is_null()) return "";
  return fmt::format("{:.1f}", over.get<double>() / under.get<double>());
}

void add_bench(command_line::Command& program) {
  command_line::Command& bench = program.command("bench", "Measure speed on this machine");
  add_bench_step(bench);
  add_bench_correct(bench);
  add_bench_budget(bench);
  add_bench_attention(bench);
  add_bench_forecast(bench);
  bench.command("scan", "The scans of training, against LibTorch's operations");  // for --help: elastane-train does it
}

}  // namespace elastane::bench
