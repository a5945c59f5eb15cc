#include "lab/crowd/report.h"

#include <fmt/core.h>

#include <cmath>

namespace elastane::crowd {
namespace {

std::string figure(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "";
}

std::string reference_cells(const std::optional<Reference>& reference) {
  if (!reference) return " | | |";
  return fmt::format(" {:.3f} | {} | {} |", reference->success, figure(reference->collision, 3),
                     figure(reference->time, 2));
}

}  // namespace

void Report::print(const std::string& text) {
  fmt::print("{}", text);
  std::fflush(stdout);
  text_ += text;
}

void Report::heading() {
  print(fmt::format("| agent | success | collision | too late | time, s | nearest, m | p50 µs | p99 µs |{}\n",
                    with_reference_ ? " reference: success | collision | time, s |" : ""));
  print(fmt::format("| --- | --: | --: | --: | --: | --: | --: | --: |{}\n",
                    with_reference_ ? " --: | --: | --: |" : ""));
}

void Report::row(const RosterEntry& entry, const Results& results) {
  const double success = results.share(Ending::reached), collision = results.share(Ending::collided),
               too_late = results.share(Ending::too_late), p50 = results.latency.quantile(0.5),
               p99 = results.latency.quantile(0.99);
  print(fmt::format("| {} | {:.3f} | {:.3f} | {:.3f} | {:.2f} | {:.2f} | {:.1f} | {:.1f} |{}\n", entry.name, success,
                    collision, too_late, results.mean_time(), results.mean_nearest(), p50, p99,
                    with_reference_ ? reference_cells(entry.reference) : ""));
  nlohmann::ordered_json made = case_;
  made.update({{"agent", entry.name},
               {"success", success},
               {"collision", collision},
               {"too_late", too_late},
               {"time", results.mean_time()},
               {"nearest", results.mean_nearest()},
               {"p50_us", p50},
               {"p99_us", p99}});
  rows.push_back(made);
}

void Report::comparison_heading() {
  print(
      "\n| first | second | cases only the first reached | only the second | p | seconds, first − second | p of "
      "seconds "
      "|\n");
  print("| --- | --- | --: | --: | --: | --: | --: |\n");
}

void Report::comparison_row(const std::string& first, const std::string& second, const Comparison& comparison) {
  const benchmark::Estimate& sooner = comparison.seconds;
  const std::string seconds = std::isfinite(sooner.mean) ? fmt::format("{:+.2f} ({:+.2f} to {:+.2f})", sooner.mean,
                                                                       sooner.interval.low, sooner.interval.high)
                                                         : "none in common";
  print(fmt::format("| {} | {} | {} | {} | {:.2g} | {} | {:.2g} |\n", first, second, comparison.only_first,
                    comparison.only_second, comparison.p, seconds, comparison.seconds_p));
  nlohmann::ordered_json made = case_;
  made.update({{"first", first},
               {"second", second},
               {"only_first", comparison.only_first},
               {"only_second", comparison.only_second},
               {"p", comparison.p},
               {"seconds", sooner.mean},
               {"seconds_ci", {sooner.interval.low, sooner.interval.high}},
               {"seconds_p", comparison.seconds_p}});
  comparisons.push_back(made);
}

}  // namespace elastane::crowd
