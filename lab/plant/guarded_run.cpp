#include "lab/plant/guarded_run.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/base/clock.h"
#include "lab/plant/circuit.h"
#include "lab/plant/protocol.h"
#include "lab/plant/reactor.h"

namespace elastane::plant {
namespace {

constexpr int kSettle = 200, kFirst = 500, kReturn = 300;
constexpr int kSlow = 3000, kStride = 20;  // steps of a slow change, in small steps
constexpr double kSmall = 0.25;

template <class Parameters>
Parameters scaled(Parameters parameters, double share) {
  for (double& value : parameters) value *= share;
  return parameters;
}

// when the plant changes, and to which share of the whole change
template <class Change, class Parameters, class Make>
std::vector<Change> changes_of(const GuardedCase& given, const Parameters& whole, Make make) {
  const int there = given.steps / 3, back = 2 * given.steps / 3;
  std::vector<Change> changes;
  const auto add = [&](int step, double share) { changes.push_back({step, make(scaled(whole, share))}); };
  if (given.course != Course::slow) {
    add(there, given.course == Course::small ? kSmall : 1.0);
    add(back, 0);
    return changes;
  }
  for (int t = 0; t <= kSlow; t += kStride) add(there + t, static_cast<double>(t) / kSlow);
  for (int t = 0; t <= kSlow; t += kStride) add(back + t, 1 - static_cast<double>(t) / kSlow);
  return changes;
}

struct Predictions {
  std::vector<float> made;  // [step][output], before each measurement
  std::vector<double> micros;
  std::vector<bool> adapted;
};

Predictions predict(Stream& stream, const Record& clean, const Record& seen, bool correcting) {
  Predictions all;
  std::vector<float> x(static_cast<std::size_t>(stream.model().inputs())),
      label(static_cast<std::size_t>(seen.outputs));
  const std::vector<double> nominal(x.size() - static_cast<std::size_t>(clean.driven()));
  for (int t = 0; t < clean.steps(); ++t) {
    clean.input_into(t, nominal, x);
    seen.label_into(t, label);
    const double begun = now_micros();
    stream.advance(x);
    double took = now_micros() - begun;
    all.made.insert(all.made.end(), stream.output().begin(), stream.output().end());
    all.adapted.push_back(stream.guard().weight > 0.5);
    const double correcting_from = now_micros();
    if (correcting) stream.observe(label);
    took += now_micros() - correcting_from;
    all.micros.push_back(took);
  }
  return all;
}

double mean_error(const Record& truth, const Predictions& of, int first, int last) {
  double sum = 0;
  for (int t = first; t < last; ++t) {
    for (int i = 0; i < truth.outputs; ++i) {
      sum += std::pow(
          of.made[static_cast<std::size_t>(t * truth.outputs + i)] - truth.output(t)[static_cast<std::size_t>(i)], 2);
    }
  }
  return sum / ((last - first) * truth.outputs);
}

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

int delay_of(const std::vector<bool>& adapted, int event, int end, bool wanted) {
  int t = event;
  while (t < end && adapted[static_cast<std::size_t>(t)] != wanted) ++t;
  return t - event;
}

}  // namespace

Record simulate(const GuardedCase& given) {
  Random random(given.seed, 1ULL << 47U);
  if (given.plant == "reactor") {
    const reactor::Chemistry to =
        given.course == Course::drawn ? reactor::random_chemistry(random) : reactor::kPublishedChange;
    return reactor::simulate(
        given.seed, {.steps = given.steps,
                     .changes = changes_of<reactor::Change>(given, reactor::parameters_of(to), reactor::chemistry_of)});
  }
  const circuit::Parts worn{.resistance = 4, .inductance = 50e-6, .capacitance = 350e-9};
  const circuit::Parts to = given.course == Course::drawn ? circuit::random_parts(random) : worn;
  return circuit::simulate(
      given.seed, {.steps = given.steps,
                   .changes = changes_of<circuit::Change>(given, circuit::parameters_of(to), circuit::parts_of)});
}

GuardedOutcome run_guarded(const Model& model, const StreamOptions& options, const GuardedCase& given) {
  const Record clean = simulate(given), seen = given.noise > 0 ? with_noise(clean, given.noise, given.seed) : clean;
  StreamOptions alone = options;
  alone.guard.kind = GuardKind::off;
  Stream still(model), moving(model, alone), guarded(model, options);
  const Predictions frozen = predict(still, clean, seen, false), corrected = predict(moving, clean, seen, true),
                    spoken = predict(guarded, clean, seen, true);
  const int there = given.steps / 3, back = 2 * given.steps / 3;
  const auto errors = [&](int first, int last) {
    return PhaseErrors{mean_error(clean, frozen, first, last), mean_error(clean, corrected, first, last),
                       mean_error(clean, spoken, first, last)};
  };
  GuardedOutcome outcome{.rest = errors(kSettle, there),
                         .first = errors(there, there + kFirst),
                         .changed = errors(there, back),
                         .returned = errors(back + kReturn, given.steps),
                         .delay = delay_of(spoken.adapted, there, back, true),
                         .delay_back = delay_of(spoken.adapted, back, given.steps, false),
                         .switches = 0,
                         .p50 = {middle_of(frozen.micros), middle_of(corrected.micros), middle_of(spoken.micros)}};
  for (std::size_t t = 1; t < spoken.adapted.size(); ++t) {
    outcome.switches += spoken.adapted[t] != spoken.adapted[t - 1] ? 1 : 0;
  }
  return outcome;
}

}  // namespace elastane::plant
