#include "lab/navigation/endless.h"

#include <fmt/core.h>

#include <fstream>
#include <memory>
#include <stdexcept>

#include "elastane/core/base/clock.h"
#include "lab/navigation/benchmark.h"

namespace elastane::navigation {
namespace {

constexpr std::int64_t kWindow = 20'000;  // steps that a line of the table is measured over
constexpr std::int64_t kWarmUp = 10;      // steps with cold caches, not measured

struct Options {
  std::string models = "models", agent = "exact_way";
  std::int64_t steps = 1'000'000;
};

std::int64_t resident_kilobytes() {
  std::ifstream status("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  status >> all >> resident;
  return resident * 4;
}

RosterEntry find(const std::string& name) {
  for (RosterEntry& entry : roster(Mode::dragged)) {
    if (entry.card.name == name && !entry.oracle) return std::move(entry);
  }
  throw std::runtime_error("[endless_drive] unknown agent \"" + name + "\", expected one of the navigation benchmark");
}

// prints a line for the window at every tenth of the run, and for the last window
class Meter {
 public:
  explicit Meter(std::int64_t steps) : steps_(steps) {}

  void add(std::int64_t step, double micros) {
    window_.add(micros);
    if (window_.total() < static_cast<std::uint64_t>(kWindow)) return;
    if (step + 1 >= due_ || step + kWindow >= steps_) {
      const double p50 = window_.quantile(0.5), p99 = window_.quantile(0.99);
      fmt::print("| up to {} | {:.1f} | {:.1f} | {:.2f} | {} |\n", step + 1, p50, p99, p99 / p50, resident_kilobytes());
      std::fflush(stdout);
      due_ = step + 1 + steps_ / 10;
    }
    window_ = {};
  }

 private:
  std::int64_t steps_, due_ = 0;
  benchmark::Latency window_;
};

int run(const Options& options) {
  const Policies policies = load_policies(options.models).value();
  const RosterEntry entry = find(options.agent);
  const std::unique_ptr<Agent> agent = entry.setting().make(policies);
  const std::vector<RoutedSite> sites = random_sites(kSitesSeed, kTuningSites);
  // drawn beforehand, since drawing allocates
  std::vector<Episode> episodes;
  for (std::uint64_t i = 0; i < 64; ++i) {
    episodes.push_back(draw_episode(sites[i % sites.size()], {.mode = Mode::dragged}, 70'000 + i));
  }
  agent->begin();
  fmt::print(
      "{} ({}): {} steps without a reset\n\n| steps | p50 µs | p99 µs | p99/p50 | resident KiB "
      "|\n|---|---|---|---|---|\n",
      options.agent, entry.card.settings, options.steps);
  Meter meter(options.steps);
  std::size_t next = 0;
  for (std::int64_t t = -kWarmUp; t < options.steps;) {
    Environment environment(sites[next % sites.size()].site, episodes[next % episodes.size()]);
    for (++next; !environment.over() && t < options.steps; ++t) {
      const Observation observation = environment.observe();
      const double begun = now_micros();
      const Vec2 command = agent->act(observation);
      if (t >= 0) meter.add(t, now_micros() - begun);
      environment.step(command);
    }
  }
  return 0;
}

void declare(command_line::Command& reproduce) {
  auto options = std::make_shared<Options>();
  reproduce.option("--models", options->models, "folder of the policies").type("DIR");
  reproduce.option("--agent", options->agent, "of the navigation benchmark");
  reproduce.option("--steps", options->steps, "in all").range(kWindow, 1e9);
  reproduce.action([options] { return run(*options); });
}

}  // namespace

lab::Reproduction endless_reproduction() {
  return {.name = "endless_drive",
          .what = "A million corrected steps without a reset: time and memory per step",
          .cost = "2 minutes",
          .declare = declare};
}

}  // namespace elastane::navigation
