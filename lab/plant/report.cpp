#include "lab/plant/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

namespace elastane::plant {

void Report::print(const std::string& text) {
  fmt::print("{}", text);
  std::fflush(stdout);
  text_ += text;
}

void Report::heading(const std::string& text) {
  print("\n" + text +
        "\n\n| change | runs | frozen, transfer | corrected, transfer | frozen, eval | corrected, eval | worst | "
        "published | µs |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
}

void Report::row(const std::string& table, const std::string& name, const std::vector<Outcome>& runs,
                 const std::string& published) {
  const auto mean = [&](Scores Outcome::*part, int i) {
    double sum = 0;
    for (const Outcome& run : runs) sum += (run.*part)[i] / static_cast<double>(runs.size());
    return sum;
  };
  const auto worst = [&](int i) {
    return std::ranges::min(runs, {}, [&](const Outcome& run) { return run.eval[i]; }).eval[i];
  };
  const auto two = [&](Scores Outcome::*part) { return fmt::format("{:.3f}, {:.3f}", mean(part, 0), mean(part, 1)); };
  double micros = 0;
  for (const Outcome& run : runs) micros += run.micros / static_cast<double>(runs.size());
  print(fmt::format("| {} | {} | {} | {} | {} | {} | {:.3f}, {:.3f} | {} | {:.0f} |\n", name, runs.size(),
                    two(&Outcome::transfer_frozen), two(&Outcome::transfer), two(&Outcome::eval_frozen),
                    two(&Outcome::eval), worst(0), worst(1), published, micros));
  for (const Outcome& run : runs) {
    rows.push_back({{"table", table},
                    {"name", name},
                    {"transfer_frozen", run.transfer_frozen},
                    {"transfer", run.transfer},
                    {"eval_frozen", run.eval_frozen},
                    {"eval", run.eval},
                    {"micros", run.micros},
                    {"c", run.c}});
  }
}

}  // namespace elastane::plant
