#include "lab/peptide/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lab/benchmark/parallel.h"
#include "lab/peptide/run_episode.h"

namespace elastane::peptide {
namespace {

bool is_wanted(const TuningOptions& options, const std::string& name) {
  return options.only.empty() || std::ranges::find(options.only, name) != options.only.end();
}

std::vector<DrawnEpisode> draw_all(const TuningOptions& options) {
  return benchmark::on_all_cores<DrawnEpisode>(options.episodes,
                                               [&] { return [&](int n) { return draw_episode(options.seed, n); }; });
}

std::string heading() {
  return fmt::format("{:<26} {:<6} {:<5} {:<5}  {:<6}  {:<6}  {:<6} {:<7}  {:<4} {:<9} {:<9}\n", "agent", "succ.",
                     "steps", "of s.", "/1000", "regret", "p50", "p99", "acc.", "condition", "macs");
}

std::string row(const std::string& name, const TuningScore& s, const std::string& settings) {
  return fmt::format(
      "{:<26} {:.3f}  {:>5.1f} {:>5.1f}  {:>6.1f}  {:>6.2f}  {:>6.1f} {:>7.1f}  {:.2f} {:>9.3g} {:>9.0f}  {}\n", name,
      s.success, s.steps, s.successful_steps, s.clashes, s.regret, s.latency.quantile(.5), s.latency.quantile(.99),
      s.accepted, s.condition, s.macs, settings);
}

void add_corrector_variants(const RosterEntry& entry, std::vector<RosterEntry>& all) {
  RosterEntry one = entry;
  for (const double damping : {0.1, 1.0}) {
    for (const double fade : {0.0, 0.2, 0.5}) {
      for (const int depth : {1, 2}) {
        one.corrector->metric.damping = damping;
        one.fade = fade;
        // equal time has its own depths
        one.corrector->gate.depth = entry.name == "euclidean_equal_time" ? 3 * depth : depth;
        all.push_back(one);
      }
    }
  }
}

void add_move_variants(const RosterEntry& entry, std::vector<RosterEntry>& all) {
  RosterEntry one = entry;
  for (const double damping : {1.0, 3.0, 10.0}) {
    for (const int iterations : {2, 4}) {
      for (const bool boxed : {false, true}) {
        if (one.levenberg) one.levenberg = {.iterations = iterations, .damping = damping, .boxed = boxed};
        if (one.horizon) one.horizon = {.iterations = iterations, .damping = damping, .boxed = boxed};
        all.push_back(one);
      }
    }
  }
}

}  // namespace

TuningScore score(const RosterEntry& entry, const Networks& networks, const std::vector<DrawnEpisode>& episodes) {
  TuningScore sum;
  const auto agent = entry.oracle ? nullptr : make_agent(entry, networks);
  double corrections = 0, accepted = 0, successes = 0, steps = 0;
  for (const DrawnEpisode& drawn : episodes) {
    const benchmark::Outcome o =
        run_episode(drawn, agent.get(), [&](const Step& step) { sum.latency.add(step.micros); });
    successes += o.success ? 1 : 0;
    sum.successful_steps += o.success ? o.steps : 0;
    sum.steps += o.steps, sum.clashes += o.violations, sum.regret += o.regret, sum.macs += o.macs;
    corrections += o.corrections, accepted += o.accepted, sum.condition += o.condition;
    steps += drawn.episode.ends();
  }
  const auto n = static_cast<double>(episodes.size());
  sum.success = successes / n;
  sum.clashes *= 1000 / sum.steps;
  sum.successful_steps /= std::max(successes, 1.0), sum.steps /= n, sum.regret /= n, sum.macs /= steps;
  sum.accepted = corrections > 0 ? accepted / corrections : 0;
  sum.condition = corrections > 0 ? sum.condition / corrections : 0;
  return sum;
}

std::vector<RosterEntry> variants(const RosterEntry& entry) {
  std::vector<RosterEntry> all;
  if (entry.corrector) {
    add_corrector_variants(entry, all);
  } else if (entry.levenberg || entry.horizon) {
    add_move_variants(entry, all);
  }
  return all;
}

void tune(const TuningOptions& options, const PrintLine& print) {
  const Networks networks = load_networks(options.models).value();
  const std::vector<DrawnEpisode> episodes = draw_all(options);
  print(heading());
  for (const RosterEntry& entry : roster()) {
    if (!is_wanted(options, entry.name)) continue;
    double best = std::numeric_limits<double>::infinity();
    std::string chosen;
    for (const RosterEntry& one : variants(entry)) {
      const TuningScore s = score(one, networks, episodes);
      print(row(entry.name, s, settings_of(one)));
      if (s.steps < best) best = s.steps, chosen = settings_of(one);
    }
    if (!chosen.empty()) print(fmt::format("{}: fewest steps with {}\n", entry.name, chosen));
  }
}

void preview(const TuningOptions& options, const PrintLine& print) {
  const Networks networks = load_networks(options.models).value();
  const std::vector<DrawnEpisode> episodes = draw_all(options);
  print(heading());
  for (const RosterEntry& entry : roster()) {
    if (is_wanted(options, entry.name)) print(row(entry.name, score(entry, networks, episodes), settings_of(entry)));
  }
}

}  // namespace elastane::peptide
