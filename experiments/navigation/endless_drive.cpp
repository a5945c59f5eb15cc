// An endless drive: does a corrected step take as long after a million steps as after ten? The robot goes from site to
// site; what drives it is never reset.
//
//   ./dev experiment endless_drive --steps 1000000
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "elastane/core/base/clock.h"
#include "experiments/resident_memory.h"
#include "lab/navigation/benchmark.h"

namespace {

using namespace elastane;
using namespace elastane::navigation;

struct Options {
  std::string models = "models", agent = "exact_way";
  std::int64_t steps = 1'000'000, window = 20'000;
};

const RosterEntry& find(const std::vector<RosterEntry>& entries, const std::string& name) {
  for (const RosterEntry& entry : entries) {
    if (entry.card.name == name && !entry.tried.empty()) return entry;
  }
  throw std::runtime_error("[endless_drive] agent: expected one that the navigation contest has, found " + name);
}

void run(const Options& options) {
  const Policies policies = load_policies(options.models).value();
  const std::vector<RosterEntry> entries = roster(Mode::dragged);
  const RosterEntry& entry = find(entries, options.agent);
  const std::unique_ptr<Agent> agent = entry.tried[static_cast<std::size_t>(entry.chosen)].make(policies);
  const std::vector<RoutedSite> places = random_sites(kSitesSeed, kTuningSites);
  // drawn beforehand: drawing takes memory
  std::vector<Episode> episodes;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const RoutedSite& place = places[i % places.size()];
    episodes.push_back(draw_episode(place.site, place.route, {.mode = Mode::dragged}, 70'000 + i));
  }
  agent->begin();
  fmt::print(
      "{} ({}): {} steps without a reset\n\n| steps | p50 µs | p99 µs | p99/p50 | resident KiB "
      "|\n|---|---|---|---|---|\n",
      options.agent, entry.card.settings, options.steps);
  benchmark::Latency window;
  std::size_t next = 0;
  std::int64_t due = 0;                             // the step by which to report again
  for (std::int64_t t = -10; t < options.steps;) {  // the first ten find cold caches
    Environment environment(places[next % places.size()].site, episodes[next % episodes.size()]);
    for (++next; !environment.over() && t < options.steps; ++t) {
      const Observation observation = environment.look();
      const double begun = now_micros();
      const Vec2 command = agent->act(observation);
      if (t >= 0) window.add(now_micros() - begun);
      environment.move(command);
      if (window.total() < static_cast<std::uint64_t>(options.window)) continue;
      const bool last = t + options.window >= options.steps;
      if (t + 1 >= due || last) {
        const double p50 = window.quantile(0.5), p99 = window.quantile(0.99);
        fmt::print("| up to {} | {:.1f} | {:.1f} | {:.2f} | {} |\n", t + 1, p50, p99, p99 / p50, resident_kilobytes());
        std::fflush(stdout);
        due = t + 1 + options.steps / 10;
      }
      window = {};
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Drives without an end, and looks whether steps take longer");
  Options options;
  app.add_option("--models", options.models, "folder of the policies")->capture_default_str();
  app.add_option("--agent", options.agent, "of the navigation contest")->capture_default_str();
  app.add_option("--steps", options.steps)->check(CLI::Range(100'000, 1'000'000'000))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "endless_drive: {}\n", error.what());
    return 1;
  }
  return 0;
}
