// An endless episode: does a corrected step take as long after a million steps as after ten? One chain, one contact
// after another; what moves it is never reset.
//
//   ./dev experiment endless_peptide --agent conjugate_gradient_detours
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "elastane/core/base/clock.h"
#include "experiments/resident_memory.h"
#include "lab/peptide/draw_episode.h"
#include "lab/peptide/observation.h"
#include "lab/peptide/roster.h"

namespace {

using namespace elastane;
using namespace elastane::peptide;

struct Options {
  std::string models = "models", agent = "conjugate_gradient_detours";
  std::uint64_t seed = 3001;
};

// steps that are looked at together
struct Window {
  std::int64_t from, until;
};
constexpr Window kWindows[] = {{10, 1'000},        {1'000, 10'000},    {10'000, 30'000},
                               {100'000, 120'000}, {500'000, 520'000}, {1'000'000, 1'020'000}};

RosterEntry find(const std::string& name) {
  const std::vector<RosterEntry> all = roster();
  const auto found = std::ranges::find(all, name, &RosterEntry::name);
  if (found != all.end() && !found->oracle) return *found;
  throw std::runtime_error("[endless_peptide] agent: expected one that moves a chain in the contest, found " + name);
}

void run(const Options& options) {
  const Networks networks = load_networks(options.models).value();
  const RosterEntry agent = find(options.agent);
  const std::unique_ptr<Agent> driver = make_agent(agent, networks);
  Random random(options.seed);
  const Energy energy{Chain(random_sequence(random))};
  const int torsions_count = energy.chain().torsions();
  Torsions torsions = random_start(energy, random);
  driver->begin(energy);
  fmt::print("{} ({}), one chain of {} residues, a new contact every {} steps, never reset\n\n", agent.name,
             settings_of(agent), energy.chain().residues(), kWindow);
  fmt::print("| steps | p50 µs | p99 µs | p99/p50 | contacts met | resident KiB |\n|---|--:|--:|--:|--:|--:|\n");

  Contact contact;
  EnergyPoint seen, after;
  std::array<float, kInputs> x;
  std::array<float, kOutputs> y = {};
  benchmark::Latency latency;
  int asked = 0, met = 0, held = 0;
  bool counted = false;
  const Window* window = std::begin(kWindows);
  for (std::int64_t step = 0; window != std::end(kWindows); ++step) {
    if (step % kWindow == 0) {
      contact = random_contact(energy.chain().residues(), random);
      ++asked, held = 0;
      counted = false;
    }
    Torsions observed = torsions;
    for (int t = 0; t < torsions_count; ++t) observed[static_cast<std::size_t>(t)] += kNoise * random.normal();
    observe(energy, observed, contact, seen, x);
    const double begun = now_micros();
    driver->act(x, observed, contact, y);
    if (step >= window->from) latency.add(now_micros() - begun);
    torsions = moved(torsions, y, torsions_count, MoveOptions{}.limit);
    energy.evaluate(torsions, contact, after);
    const Conformation& there = after.conformation;
    const bool good = energy.contact_distance(there, contact) <= kContact && energy.clashes(there) == 0 &&
                      energy.disallowed(there) == 0;
    held = good ? held + 1 : 0;
    if (held == kHold && !counted) ++met, counted = true;
    if (step + 1 < window->until) continue;
    const double p50 = latency.quantile(0.5), p99 = latency.quantile(0.99);
    fmt::print("| {} to {} | {:.1f} | {:.1f} | {:.2f} | {:.3f} | {} |\n", window->from, window->until, p50, p99,
               p99 / p50, static_cast<double>(met) / asked, resident_kilobytes());
    std::fflush(stdout);
    latency = {};
    ++window;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Moves one chain without an end, and looks whether steps take longer");
  Options options;
  app.add_option("--models", options.models, "folder of the networks")->capture_default_str();
  app.add_option("--agent", options.agent, "of the peptide contest")->capture_default_str();
  app.add_option("--seed", options.seed, "of the chain, its contacts and the noise")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "endless_peptide: {}\n", error.what());
    return 1;
  }
  return 0;
}
