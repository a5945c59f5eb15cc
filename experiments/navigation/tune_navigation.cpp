// Every setting that was tried of every entry of the navigation benchmark, on sites and episodes of their own. The best
// goes into lab/navigation/roster.cpp.
//
//   ./dev experiment tune_navigation --episodes 96
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <thread>

#include "lab/navigation/benchmark.h"

namespace {

using namespace elastane;
using namespace elastane::navigation;

struct Options {
  std::string models = "models";
  std::vector<std::string> agents;
  std::string mode = "dragged";
  int episodes = 96, threads = 2;
  std::uint64_t seed = 90'001;
};

struct Trial {
  std::string agent;
  const Setting* setting;
  double success = 0, violations = 0, steps = 0, p50 = 0, p99 = 0;
};

// a success is worth more than anything; then what it touched, then how long it took
double worth(const Trial& trial) { return trial.success - 1e-3 * trial.violations - 1e-4 * trial.steps; }

void run(const Options& options) {
  const Policies policies = load_policies(options.models).value();
  const Mode mode = static_cast<Mode>(std::ranges::find(kModeNames, options.mode) - std::begin(kModeNames));
  const std::vector<RoutedSite> places = random_sites(kSitesSeed, kTuningSites);
  std::vector<navigation::Task> tasks;
  for (int e = 0; e < options.episodes; ++e) {
    const RoutedSite& place = places[static_cast<std::size_t>(e % kTuningSites)];
    tasks.push_back(
        {draw_episode(place.site, place.route, {.mode = mode}, options.seed + static_cast<std::uint64_t>(e))});
  }
  const std::vector<RosterEntry> entries = roster(mode);
  std::vector<Trial> trials;
  for (const RosterEntry& entry : entries) {
    const bool wanted = options.agents.empty() || std::ranges::count(options.agents, entry.card.name) > 0;
    for (const Setting& setting : entry.tried) {
      if (wanted) trials.push_back({entry.card.name, &setting});
    }
  }
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < options.threads; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < trials.size(); i = next++) {
        const std::unique_ptr<Agent> agent = trials[i].setting->make(policies);
        benchmark::Latency latency;
        double steps = 0;
        for (int e = 0; e < options.episodes; ++e) {
          const auto at = static_cast<std::size_t>(e);
          const benchmark::Outcome o = play(*agent, places[at % kTuningSites], tasks[at], latency);
          trials[i].success += o.success ? 1.0 / options.episodes : 0;
          trials[i].violations += o.violations;
          steps += o.steps;
        }
        trials[i].violations *= 1000 / steps;
        trials[i].steps = steps / options.episodes;
        trials[i].p50 = latency.quantile(0.5);
        trials[i].p99 = latency.quantile(0.99);
        fmt::print(stderr, "\r{} of {} settings", i + 1, trials.size());
      }
    });
  }
  threads.clear();
  fmt::print(stderr, "\n");
  fmt::print(
      "| agent | setting | success | violations per 1,000 | steps | p50 µs | p99 µs | "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const RosterEntry& entry : entries) {
    int best = -1, index = 0;
    std::vector<const Trial*> own;
    for (const Trial& trial : trials) {
      if (trial.agent == entry.card.name) own.push_back(&trial);
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (best < 0 || worth(*own[i]) > worth(*own[static_cast<std::size_t>(best)])) best = static_cast<int>(i);
    }
    for (const Trial* trial : own) {
      fmt::print("| {} | {} | {:.3f} | {:.1f} | {:.1f} | {:.0f} | {:.0f} | {}{} |\n", trial->agent,
                 trial->setting->text, trial->success, trial->violations, trial->steps, trial->p50, trial->p99,
                 index == best ? "best" : "", index == entry.chosen ? ", chosen" : "");
      ++index;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Tries settings of the navigation contest's entries on sites of their own");
  Options options;
  app.add_option("--models", options.models, "folder of the policies")->capture_default_str();
  app.add_option("--agents", options.agents, "only these")->delimiter(',');
  app.add_option("--mode", options.mode, "what happens")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kModeNames), std::end(kModeNames))))
      ->capture_default_str();
  app.add_option("--episodes", options.episodes, "of every setting")
      ->check(CLI::Range(4, 100'000))
      ->capture_default_str();
  app.add_option("--threads", options.threads)->check(CLI::Range(1, 256))->capture_default_str();
  app.add_option("--seed", options.seed, "of the first episode")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tune_navigation: {}\n", error.what());
    return 1;
  }
  return 0;
}
