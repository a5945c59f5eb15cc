#include "lab/plant/regimes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "elastane/core/latent/context_memory.h"
#include "lab/plant/cases.h"
#include "lab/plant/settings.h"

namespace elastane::plant {
namespace {

struct VisitPlan {
  std::vector<std::size_t> regime;  // of every visit
  std::vector<circuit::Change> changes;
  std::vector<std::vector<double>> context;  // of every regime, a unit vector
};

VisitPlan plan_visits(const std::vector<circuit::Parts>& regimes, const RegimeVisits& o, Random& random) {
  VisitPlan plan;
  for (int round = 0; round < o.rounds; ++round) {
    std::vector<std::size_t> order(regimes.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size() - 1; i > 0; --i) {
      std::swap(order[i], order[static_cast<std::size_t>(random.below(static_cast<int>(i) + 1))]);
    }
    if (!plan.regime.empty() && plan.regime.back() == order[0])
      std::rotate(order.begin(), order.begin() + 1, order.end());
    for (const std::size_t regime : order) {
      plan.changes.push_back({static_cast<int>(plan.regime.size()) * o.visit, regimes[regime]});
      plan.regime.push_back(regime);
    }
  }
  for (std::size_t r = 0; r < regimes.size(); ++r) {
    std::vector<double> c(static_cast<std::size_t>(o.context));
    for (double& x : c) x = random.normal();
    const double length = std::sqrt(std::inner_product(c.begin(), c.end(), c.begin(), 0.0));
    for (double& x : c) x /= length;
    plan.context.push_back(std::move(c));
  }
  return plan;
}

// errors by the number of the visit to a regime
std::vector<double> run_visits(const Model& model, const VisitPlan& plan, const Record& truth, const Record& seen,
                               const RegimeVisits& o, bool remembers, std::uint64_t seed) {
  Stream stream(model, adaptation(model, truth.driven(), settings().circuit));
  ContextMemory memory(o.context, circuit::kParameters);
  Random random(seed, 1 << 20);
  std::vector<double> parameters(circuit::kParameters), total(circuit::kParameters), recalled(circuit::kParameters);
  std::vector<float> x(static_cast<std::size_t>(model.inputs())), label(static_cast<std::size_t>(truth.outputs)),
      context(static_cast<std::size_t>(o.context));
  std::vector<double> errors(static_cast<std::size_t>(o.rounds));
  std::vector<int> visits(plan.context.size());
  for (int t = 0; t < truth.steps(); ++t) {
    const std::size_t regime = plan.regime[static_cast<std::size_t>(t / o.visit)];
    for (std::size_t i = 0; i < context.size(); ++i) {
      context[i] = static_cast<float>(plan.context[regime][i] + o.context_noise * random.normal());
    }
    const std::span<const double> c = stream.persistent().last(circuit::kParameters);
    for (std::size_t i = 0; i < total.size(); ++i) total[i] = parameters[i] + c[i];
    if (memory.enter(context, total, recalled) && remembers) {
      for (std::size_t i = 0; i < total.size(); ++i) parameters[i] = recalled[i] - c[i];
    }
    seen.input_into(t, parameters, x);
    stream.advance(x);
    if (t % o.visit < o.judged) {
      const double share = 1.0 / (o.judged * static_cast<double>(visits.size()));
      errors[static_cast<std::size_t>(visits[regime])] += share * std::pow(truth.output(t)[0] - stream.output()[0], 2);
    }
    seen.label_into(t, label);
    stream.observe(label);
    if (t % o.visit == o.visit - 1) ++visits[regime];
  }
  return errors;
}

}  // namespace

RegimeErrors visit_regimes(const Model& model, const std::vector<circuit::Parts>& regimes, const RegimeVisits& o,
                           std::uint64_t seed) {
  Random random(seed);
  const VisitPlan plan = plan_visits(regimes, o, random);
  const Record truth =
      circuit::simulate(seed, {.steps = o.visit * static_cast<int>(plan.regime.size()), .changes = plan.changes});
  const Record seen = with_noise(truth, kSensorNoise, seed);
  return {.with_memory = run_visits(model, plan, truth, seen, o, true, seed),
          .without = run_visits(model, plan, truth, seen, o, false, seed)};
}

}  // namespace elastane::plant
