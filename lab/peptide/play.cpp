#include "lab/peptide/play.h"

#include <algorithm>
#include <optional>

#include "elastane/core/base/clock.h"
#include "lab/peptide/observation.h"

namespace elastane::peptide {

benchmark::Outcome play(const Drawn& drawn, Driver* driver, const std::function<void(const Step&)>& see) {
  const Energy energy{Chain(drawn.episode.sequence)};
  Trial trial(drawn.episode, energy);
  std::optional<ExpertWalk> oracle;
  if (driver) {
    driver->begin(energy);
  } else {
    oracle.emplace(energy, drawn.episode.noise);
  }
  std::array<float, kInputs> x;
  std::array<float, kOutputs> y = {};
  EnergyPoint seen;
  benchmark::Outcome sums;
  while (!trial.is_over()) {
    const Contact contact = trial.contact();
    const Torsions observed = trial.observed();
    observe(energy, observed, contact, seen, x);
    const double begun = now_micros();
    if (driver) {
      driver->drive(x, observed, contact, y);
    } else {
      std::ranges::copy(oracle->next(trial), y.begin());
    }
    const double micros = now_micros() - begun;
    const DriveReport did = driver ? driver->report() : DriveReport{};
    sums.corrections += did.depth, sums.accepted += did.accepted;
    sums.products += did.products, sums.condition += did.condition, sums.macs += did.macs;
    trial.move(y);
    if (!see) continue;
    const double distance = contact.is_asked() ? energy.contact_distance(trial.point().conformation, contact) : 0.0;
    see({trial, contact, distance, micros, did});
  }
  benchmark::Outcome outcome = trial.outcome();
  outcome.regret = (trial.cost() - drawn.best_cost) / std::max(drawn.best_cost, 1.0);
  outcome.corrections = sums.corrections, outcome.accepted = sums.accepted, outcome.products = sums.products;
  outcome.condition = sums.condition, outcome.macs = sums.macs;
  return outcome;
}

}  // namespace elastane::peptide
