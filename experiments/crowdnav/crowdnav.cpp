// CrowdNav's 500 circle crossings: is a plan that is corrected better than ORCA, and sooner there?
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "command_line/commit.h"
#include "experiments/crowdnav/entrants.h"
#include "experiments/crowdnav/trial.h"

namespace elastane::crowd {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  int generated = 0;       // crossings drawn by chance, instead of the file's
  std::uint64_t seed = 1;  // of the first of them
  bool tune = false;
  double micros = 0;  // for a step's corrections; 0: as long as they take
  std::string json, markdown, command;
};

std::string case_file() {
  const char* given = std::getenv("ELASTANE_DATA");
  return (given != nullptr && *given != '\0' ? std::string(given) : "../shared/data") + "/crowdnav/test500_circle5.csv";
}

std::vector<Scene> scenes_of(const Options& options) {
  if (options.generated == 0) {
    if (!std::filesystem::exists(case_file())) {
      throw std::runtime_error(
          "[data] expected " + case_file() +
          ", found none; set ELASTANE_DATA to the folder that holds crowdnav, or draw crossings by "
          "chance with --generated 500");
    }
    return read_scenes(case_file()).value();
  }
  std::vector<Scene> scenes;
  for (int i = 0; i < options.generated; ++i) {
    scenes.push_back(random_scene(options.seed + static_cast<std::uint64_t>(i)));
  }
  return scenes;
}

Trial play_with_progress(const Entrant& entrant, const std::vector<Scene>& scenes) {
  const bool seen = isatty(STDERR_FILENO) != 0;
  const auto agent = entrant.make(scenes[0].people.size());
  Trial trial = play(scenes, *agent, [&](std::size_t done) {
    if (seen) fmt::print(stderr, "\r\033[K{}: {} of {}", entrant.name, done, scenes.size());
  });
  if (seen) fmt::print(stderr, "\r\033[K");
  return trial;
}

class Report {
 public:
  template <class... T>
  void print(fmt::format_string<T...> format, T&&... values) {
    const std::string line = fmt::format(format, std::forward<T>(values)...);
    fmt::print("{}", line);
    std::fflush(stdout);
    text_ += line;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string figure(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "";
}

Json as_json(const Entrant& entrant, const Trial& trial) {
  return {{"agent", entrant.name},
          {"success", trial.share(End::reached)},
          {"collision", trial.share(End::collided)},
          {"too_late", trial.share(End::too_late)},
          {"time", trial.mean_time()},
          {"nearest", trial.mean_nearest()},
          {"p50_us", trial.latency.quantile(0.5)},
          {"p99_us", trial.latency.quantile(0.99)}};
}

void print_row(const Entrant& entrant, const Trial& trial, bool published, Report& report) {
  report.print("| {} | {:.3f} | {:.3f} | {:.3f} | {:.2f} | {:.2f} | {:.1f} | {:.1f} |", entrant.name,
               trial.share(End::reached), trial.share(End::collided), trial.share(End::too_late), trial.mean_time(),
               trial.mean_nearest(), trial.latency.quantile(0.5), trial.latency.quantile(0.99));
  if (published && entrant.reference) {
    const Reference& there = *entrant.reference;
    report.print(" {:.3f} | {} | {} |", there.success, figure(there.collision, 3), figure(there.time, 2));
  } else if (published) {
    report.print(" | | |");
  }
  report.print("\n");
}

void print_head(bool published, Report& report) {
  report.print("| agent | success | collision | too late | time, s | nearest, m | p50 µs | p99 µs |{}\n",
               published ? " reference: success | collision | time, s |" : "");
  report.print("| --- | --: | --: | --: | --: | --: | --: | --: |{}\n", published ? " --: | --: | --: |" : "");
}

void print_duel(const std::string& first, const std::string& second, const Duel& duel, Report& report) {
  const benchmark::Estimate& sooner = duel.seconds;
  report.print("| {} | {} | {} | {} | {:.2g} | {} |\n", first, second, duel.only_first, duel.only_second, duel.p,
               std::isfinite(sooner.mean)
                   ? fmt::format("{:+.2f} ({:+.2f} to {:+.2f})", sooner.mean, sooner.interval.low, sooner.interval.high)
                   : "none in common");
}

void run_all(const Options& options) {
  if (options.tune && options.generated == 0) {
    throw std::runtime_error("[tune] expected --generated N, found the test cases; settings are not chosen on those");
  }
  const std::vector<Scene> scenes = scenes_of(options);
  const CorrectedOptions ours;
  const Budget budget = options.micros > 0 ? Budget::micros(options.micros / (ours.starts + 1)) : Budget::none();
  const std::vector<Entrant> all = options.tune ? settings_to_try() : entrants(budget);
  const bool published = options.generated == 0;

  Report report;
  const std::string which = published
                                ? fmt::format("the {} cases of the file", scenes.size())
                                : fmt::format("{} crossings drawn with seeds from {} on", scenes.size(), options.seed);
  report.print("`{}` at commit {}: {}.\n\n", options.command, command_line::commit(), which);
  Json rows = Json::array(), duels = Json::array();
  std::vector<Trial> trials;
  print_head(published, report);
  for (const Entrant& entrant : all) {
    trials.push_back(play_with_progress(entrant, scenes));
    print_row(entrant, trials.back(), published, report);
    rows.push_back(as_json(entrant, trials.back()));
  }
  if (!options.tune) {
    report.print(
        "\n| first | second | cases only the first reached | only the second | p | seconds, first − second |\n");
    report.print("| --- | --- | --: | --: | --: | --: |\n");
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const Duel duel = compare(trials.back(), trials[i]);
      print_duel(all.back().name, all[i].name, duel, report);
      duels.push_back({{"first", all.back().name},
                       {"second", all[i].name},
                       {"only_first", duel.only_first},
                       {"only_second", duel.only_second},
                       {"p", duel.p},
                       {"seconds", duel.seconds.mean},
                       {"seconds_ci", {duel.seconds.interval.low, duel.seconds.interval.high}}});
    }
  }
  const Json whole = {{"command", options.command},
                      {"commit", command_line::commit()},
                      {"cases", scenes.size()},
                      {"seed", published ? Json() : Json(options.seed)},
                      {"rows", rows},
                      {"duels", duels}};
  if (!options.json.empty()) std::ofstream(options.json) << whole.dump(1) << "\n";
  if (!options.markdown.empty()) std::ofstream(options.markdown) << report.text();
}

}  // namespace
}  // namespace elastane::crowd

int main(int count, char** arguments) {
  CLI::App app("CrowdNav's circle crossings: a robot among five people who do not see it.", "crowdnav");
  elastane::crowd::Options options;
  app.add_option("--generated", options.generated, "crossings drawn by chance, instead of the 500 test cases")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--seed", options.seed, "of the first of them")->capture_default_str();
  app.add_flag("--tune", options.tune, "other settings of ours, one change at a time, on generated crossings");
  app.add_option("--micros", options.micros, "budget of a step's corrections; without, they all finish")
      ->check(CLI::Range(1.0, 1e6));
  app.add_option("--json", options.json, "write the rows here too");
  app.add_option("--markdown", options.markdown, "write the tables here too");
  app.footer("Example: crowdnav --generated 500 --seed 7 --json rows.json");
  CLI11_PARSE(app, count, arguments);
  options.command = "crowdnav";
  for (int i = 1; i < count; ++i) options.command += std::string(" ") + arguments[i];
  try {
    elastane::crowd::run_all(options);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "crowdnav: {}\n", error.what());
    return 1;
  }
}
