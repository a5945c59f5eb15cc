#include "lab/navigation/tuning.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "command_line/messages.h"
#include "lab/benchmark/parallel.h"
#include "lab/navigation/benchmark.h"

namespace elastane::navigation {
namespace {

struct Options {
  std::string models = "models";
  std::vector<std::string> agents;
  std::string mode = "dragged";
  int episodes = 96, threads = 2;
  std::uint64_t seed = 90'001;
};

struct Tried {
  const RosterEntry* entry = nullptr;
  const Setting* setting = nullptr;
  double success = 0, violations = 0, steps = 0, p50 = 0, p99 = 0;
};

// success counts most, then contacts, then steps
double score(const Tried& tried) { return tried.success - 1e-3 * tried.violations - 1e-4 * tried.steps; }

Mode mode_of(const std::string& name) {
  return static_cast<Mode>(std::ranges::find(kModeNames, name) - std::begin(kModeNames));
}

// the sites for tuning in turn, each with its own episodes
struct Course {
  explicit Course(const Options& options) : sites(random_sites(kSitesSeed, kTuningSites)) {
    for (int e = 0; e < options.episodes; ++e) {
      episodes.push_back(draw_episode(site(static_cast<std::size_t>(e)), {.mode = mode_of(options.mode)},
                                      options.seed + static_cast<std::uint64_t>(e)));
    }
  }
  const RoutedSite& site(std::size_t episode) const { return sites[episode % kTuningSites]; }

  std::vector<RoutedSite> sites;
  std::vector<Episode> episodes;
};

std::vector<Tried> settings_of(const std::vector<RosterEntry>& all, const std::vector<std::string>& wanted) {
  std::vector<Tried> settings;
  for (const RosterEntry& entry : all) {
    if (!wanted.empty() && std::ranges::count(wanted, entry.card.name) == 0) continue;
    for (const Setting& setting : entry.tried) settings.push_back({&entry, &setting});
  }
  return settings;
}

void try_setting(const Course& course, const Policies& policies, Tried& tried) {
  const std::unique_ptr<Agent> agent = tried.setting->make(policies);
  const auto count = static_cast<double>(course.episodes.size());
  benchmark::Latency latency;
  double steps = 0;
  for (std::size_t e = 0; e < course.episodes.size(); ++e) {
    const benchmark::Outcome outcome = play(*agent, course.site(e), course.episodes[e], latency);
    tried.success += outcome.success ? 1.0 / count : 0;
    tried.violations += outcome.violations;
    steps += outcome.steps;
  }
  tried.violations *= 1000 / steps;
  tried.steps = steps / count;
  tried.p50 = latency.quantile(0.5);
  tried.p99 = latency.quantile(0.99);
}

void try_all(const Options& options, std::vector<Tried>& settings) {
  const Policies policies = load_policies(options.models).value();
  const Course course(options);
  std::atomic<std::size_t> next = 0;
  benchmark::in_parallel(options.threads, [&](int) {
    for (std::size_t i = next++; i < settings.size(); i = next++) {
      try_setting(course, policies, settings[i]);
      command_line::print_stderr("\r{} of {} settings", i + 1, settings.size());
    }
  });
  command_line::print_stderr("\n");
}

void print_agent(const RosterEntry& entry, const std::vector<Tried>& settings) {
  std::vector<const Tried*> own;
  for (const Tried& tried : settings) {
    if (tried.entry == &entry) own.push_back(&tried);
  }
  const auto best = std::ranges::max_element(own, {}, [](const Tried* tried) { return score(*tried); });
  for (std::size_t i = 0; i < own.size(); ++i) {
    const Tried& tried = *own[i];
    fmt::print("| {} | {} | {:.3f} | {:.1f} | {:.1f} | {:.0f} | {:.0f} | {}{} |\n", entry.card.name,
               tried.setting->text, tried.success, tried.violations, tried.steps, tried.p50, tried.p99,
               own[i] == *best ? "best" : "", static_cast<int>(i) == entry.chosen ? ", chosen" : "");
  }
}

int run(const Options& options) {
  const std::vector<RosterEntry> all = roster(mode_of(options.mode));
  std::vector<Tried> settings = settings_of(all, options.agents);
  try_all(options, settings);
  fmt::print(
      "| agent | setting | success | violations per 1,000 | steps | p50 µs | p99 µs | "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const RosterEntry& entry : all) print_agent(entry, settings);
  return 0;
}

void declare(command_line::Command& reproduce) {
  auto options = std::make_shared<Options>();
  reproduce.option("--models", options->models, "folder of the policies").type("DIR");
  reproduce.option("--agents", options->agents, "only these (default: all)");
  reproduce.option("--mode", options->mode, "what happens in the episodes")
      .one_of({std::begin(kModeNames), std::end(kModeNames)});
  reproduce.option("--episodes", options->episodes, "per setting").range(4, 100'000);
  reproduce.option("--threads", options->threads, "that play; 1 for undisturbed times").range(1, 256);
  reproduce.option("--seed", options->seed, "of the first episode");
  reproduce.action([options] { return run(*options); });
}

}  // namespace

lab::Reproduction tuning_reproduction() {
  return {.name = "tune_navigation",
          .what = "Settings of the navigation agents, on sites that the benchmark does not use",
          .cost = "4 minutes",
          .declare = declare};
}

}  // namespace elastane::navigation
