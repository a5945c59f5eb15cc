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

const Entrant& find(const std::vector<Entrant>& entrants, const std::string& name) {
  for (const Entrant& entrant : entrants) {
    if (entrant.card.name == name && !entrant.tried.empty()) return entrant;
  }
  throw std::runtime_error("[endless_drive] agent: expected one that the navigation contest has, found " + name);
}

void run(const Options& options) {
  const Policies policies = load_policies(options.models).value();
  const std::vector<Entrant> entrants = line_up(Mode::dragged);
  const Entrant& entrant = find(entrants, options.agent);
  const std::unique_ptr<Agent> agent = entrant.tried[static_cast<std::size_t>(entrant.chosen)].make(policies);
  const std::vector<Place> places = random_places(kSitesSeed, kTuningSites);
  // drawn beforehand: drawing takes memory
  std::vector<Scenario> scenarios;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const Place& place = places[i % places.size()];
    scenarios.push_back(draw_scenario(place.site, place.route, {.mode = Mode::dragged}, 70'000 + i));
  }
  agent->begin();
  fmt::print(
      "{} ({}): {} steps without a reset\n\n| steps | p50 µs | p99 µs | p99/p50 | resident KiB "
      "|\n|---|---|---|---|---|\n",
      options.agent, entrant.card.settings, options.steps);
  benchmark::Latency window;
  std::size_t next = 0;
  std::int64_t due = 0;                             // the step by which to report again
  for (std::int64_t t = -10; t < options.steps;) {  // the first ten find cold caches
    Drive drive(places[next % places.size()].site, scenarios[next % scenarios.size()]);
    for (++next; !drive.over() && t < options.steps; ++t) {
      const Sight sight = drive.look();
      const double begun = now_micros();
      const Point command = agent->act(sight);
      if (t >= 0) window.add(now_micros() - begun);
      drive.move(command);
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
