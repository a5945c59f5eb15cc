#include "lab/peptide/run_episode.h"

#include <algorithm>
#include <optional>

#include "elastane/core/base/clock.h"
#include "lab/peptide/observation.h"

namespace elastane::peptide {
namespace {

void add(const AgentReport& report, benchmark::Outcome& sums) {
  sums.corrections += report.depth, sums.accepted += report.accepted;
  sums.products += report.products, sums.condition += report.condition, sums.macs += report.macs;
}

}  // namespace

benchmark::Outcome run_episode(const DrawnEpisode& drawn, Agent* agent,
                               const std::function<void(const Step&)>& observer) {
  const Energy energy{Chain(drawn.episode.sequence)};
  Environment environment(drawn.episode, energy);
  std::optional<ExpertPolicy> oracle;
  if (agent) {
    agent->begin(energy);
  } else {
    oracle.emplace(energy, drawn.episode.noise);
  }
  std::array<float, kInputs> x;
  std::array<float, kOutputs> y = {};
  EnergyPoint point;
  benchmark::Outcome sums;
  while (!environment.is_over()) {
    const Contact contact = environment.contact();
    const Torsions observed = environment.observed();
    observe(energy, observed, contact, point, x);
    const double start = now_micros();
    if (agent) {
      agent->act(x, observed, contact, y);
    } else {
      std::ranges::copy(oracle->next(environment), y.begin());
    }
    const double micros = now_micros() - start;
    const AgentReport report = agent ? agent->report() : AgentReport{};
    add(report, sums);
    environment.move(y);
    if (!observer) continue;
    const Conformation& there = environment.point().conformation;
    const double distance = contact.is_requested() ? energy.contact_distance(there, contact) : 0.0;
    observer({environment, contact, distance, micros, report});
  }
  benchmark::Outcome outcome = environment.outcome();
  outcome.regret = (environment.cost() - drawn.best_cost) / std::max(drawn.best_cost, 1.0);
  outcome.corrections = sums.corrections, outcome.accepted = sums.accepted, outcome.products = sums.products;
  outcome.condition = sums.condition, outcome.macs = sums.macs;
  return outcome;
}

}  // namespace elastane::peptide
