#include "lab/crowd/dense_reproduction.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>

#include "command_line/commit.h"
#include "lab/crowd/report.h"

namespace elastane::crowd {
namespace {

struct DenseOptions {
  int episodes = 200;
  std::uint64_t seed = 750'001;
  std::vector<int> people = {5, 10, 20};
  std::vector<std::string> settings = {std::begin(kSettingNames), std::end(kSettingNames)}, agents;
  std::string json, markdown, command;
};

bool is_wanted(const RosterEntry& entry, const std::vector<std::string>& agents) {
  return agents.empty() || std::ranges::count(agents, entry.name) > 0;
}

// ours against every other agent, in one crowd
void run_case(const DenseOptions& options, Setting setting, int people, Report& report) {
  std::vector<Episode> episodes;
  for (int i = 0; i < options.episodes; ++i) {
    episodes.push_back(draw_episode(options.seed + static_cast<std::uint64_t>(i), people, setting));
  }
  const char* where = kSettingNames[static_cast<int>(setting)];
  report.set_case({{"setting", where}, {"people", people}});
  report.print(fmt::format("\n### {} people, {}\n\n", people, where));
  report.heading();
  std::vector<std::string> names;
  std::vector<Results> results;
  for (const RosterEntry& entry : dense_roster()) {
    if (!is_wanted(entry, options.agents)) continue;
    const auto agent = entry.make(static_cast<std::size_t>(people));
    names.push_back(entry.name);
    results.push_back(play_all(episodes, *agent, [](std::size_t) {}));
    report.row(entry, results.back());
  }
  report.comparison_heading();
  for (std::size_t i = 0; i + 1 < results.size(); ++i) {
    report.comparison_row(names.back(), names[i], compare(results.back(), results[i]));
  }
}

int run_dense(const DenseOptions& options) {
  Report report(false);
  report.print(fmt::format("`{}` at commit {}: {} crossings per crowd, drawn with seeds from {} on.\n", options.command,
                           command_line::commit(), options.episodes, options.seed));
  for (int s = 0; s < kSettings; ++s) {
    if (std::ranges::count(options.settings, kSettingNames[s]) == 0) continue;
    for (const int people : options.people) run_case(options, static_cast<Setting>(s), people, report);
  }
  const nlohmann::ordered_json whole = {{"command", options.command},
                                        {"commit", command_line::commit()},
                                        {"seed", options.seed},
                                        {"rows", report.rows},
                                        {"duels", report.comparisons}};
  if (!options.json.empty()) std::ofstream(options.json) << whole.dump(1) << "\n";
  if (!options.markdown.empty()) std::ofstream(options.markdown) << report.text();
  return 0;
}

void declare_dense(command_line::Command& reproduce) {
  auto options = std::make_shared<DenseOptions>();
  reproduce.option("--episodes", options->episodes, "per crowd").range(1, 100'000);
  reproduce.option("--seed", options->seed, "of the first episode");
  reproduce.option("--people", options->people, "numbers of people");
  reproduce.option("--settings", options->settings, "circle, square, straight_circle, straight_square");
  reproduce.option("--agents", options->agents, "only these (default: all); the last one is compared with the others");
  reproduce.option("--json", options->json, "write the rows to this file").type("FILE");
  reproduce.option("--markdown", options->markdown, "write the tables to this file").type("FILE");
  reproduce.footer("Example: elastane reproduce crowd --people 10,20 --settings circle --json crowd.json");
  reproduce.action([options, &reproduce] {
    options->command = reproduce.line();
    return run_dense(*options);
  });
}

}  // namespace

lab::Reproduction dense_reproduction() {
  return {.name = "crowd",
          .what = "Crowds of 5, 10 and 20 people who do not see the robot, and yield to each other or not at all",
          .cost = "10 minutes",
          .declare = declare_dense};
}

}  // namespace elastane::crowd
