#include "lab/crowd/reproduction.h"

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "command_line/commit.h"
#include "command_line/messages.h"
#include "lab/crowd/report.h"
#include "lab/data_folder.h"

namespace elastane::crowd {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct Options {
  std::string data = lab::data_folder();
  int generated = 0;       // random episodes, instead of the file's; 0: the file's
  std::uint64_t seed = 1;  // of the first of them
  bool tune = false;
  double micros = 0;  // for the corrections of a step; 0: unlimited
  std::string json, markdown, command;
};

std::vector<Episode> episodes_of(const Options& options) {
  if (options.generated == 0) {
    const std::string path = options.data + "/crowdnav/test500_circle5.csv";
    if (options.data.empty() || !std::filesystem::exists(path)) {
      throw std::runtime_error(
          "[data] expected " + path +
          ", found nothing; give --data DIR or set ELASTANE_DATA to the folder that holds crowdnav, "
          "or draw random episodes with --generated 500");
    }
    return read_episodes(path).value();
  }
  std::vector<Episode> episodes;
  for (int i = 0; i < options.generated; ++i) {
    episodes.push_back(draw_episode(options.seed + static_cast<std::uint64_t>(i)));
  }
  return episodes;
}

Results play_with_progress(const RosterEntry& entry, const std::vector<Episode>& episodes) {
  const bool visible = isatty(STDERR_FILENO) != 0;
  const auto agent = entry.make(episodes[0].people.size());
  Results results = play_all(episodes, *agent, [&](std::size_t done) {
    if (visible) command_line::print_stderr("\r\033[K{}: {} of {}", entry.name, done, episodes.size());
  });
  if (visible) command_line::print_stderr("\r\033[K");
  return results;
}

// the last agent is ours; it is compared with each of the others
void compare_all(const std::vector<RosterEntry>& all, const std::vector<Results>& results, Report& report) {
  report.comparison_heading();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    report.comparison_row(all.back().name, all[i].name, compare(results.back(), results[i]));
  }
}

void write(const Options& options, std::size_t cases, const Report& report) {
  const OrderedJson whole = {{"command", options.command},
                             {"commit", command_line::commit()},
                             {"cases", cases},
                             {"seed", options.generated == 0 ? OrderedJson() : OrderedJson(options.seed)},
                             {"rows", report.rows},
                             {"duels", report.comparisons}};
  if (!options.json.empty()) std::ofstream(options.json) << whole.dump(1) << "\n";
  if (!options.markdown.empty()) std::ofstream(options.markdown) << report.text();
}

int run(const Options& options) {
  if (options.tune && options.generated == 0) {
    throw std::runtime_error("[tune] expected --generated N, found the test cases; settings are not chosen on those");
  }
  const std::vector<Episode> episodes = episodes_of(options);
  const int corrections = CorrectedOptions{}.starts + 1;
  const Budget budget = options.micros > 0 ? Budget::micros(options.micros / corrections) : Budget::none();
  const std::vector<RosterEntry> all = options.tune ? tried_settings() : roster(budget);
  const bool from_file = options.generated == 0;

  Report report(from_file);
  const std::string which =
      from_file ? fmt::format("the {} cases of the file", episodes.size())
                : fmt::format("{} crossings drawn with seeds from {} on", episodes.size(), options.seed);
  report.print(fmt::format("`{}` at commit {}: {}.\n\n", options.command, command_line::commit(), which));
  report.heading();
  std::vector<Results> results;
  for (const RosterEntry& entry : all) {
    results.push_back(play_with_progress(entry, episodes));
    report.row(entry, results.back());
  }
  if (!options.tune) compare_all(all, results, report);
  write(options, episodes.size(), report);
  return 0;
}

void declare(command_line::Command& reproduce) {
  auto options = std::make_shared<Options>();
  reproduce.option("--data", options->data, "folder that holds crowdnav (default: $ELASTANE_DATA)")
      .type("DIR")
      .hide_default();
  reproduce.option("--generated", options->generated, "random episodes, instead of the 500 test cases")
      .range(1, 1'000'000)
      .hide_default();
  reproduce.option("--seed", options->seed, "of the first random episode");
  reproduce.flag("--tune", options->tune, "our agent with one setting changed at a time, on random episodes");
  reproduce.option("--micros", options->micros, "budget for the corrections of a step, µs (default: unlimited)")
      .range(1, 1e6)
      .hide_default();
  reproduce.option("--json", options->json, "write the rows to this file").type("FILE");
  reproduce.option("--markdown", options->markdown, "write the tables to this file").type("FILE");
  reproduce.footer("Example: elastane reproduce crowdnav --generated 500 --seed 7 --json rows.json");
  reproduce.action([options, &reproduce] {
    options->command = reproduce.line();
    return run(*options);
  });
}

}  // namespace

lab::Reproduction crowdnav_reproduction() {
  return {.name = "crowdnav",
          .what = "CrowdNav's circle crossings: a robot among five people who do not see it",
          .cost = "half a minute",
          .declare = declare};
}

}  // namespace elastane::crowd
