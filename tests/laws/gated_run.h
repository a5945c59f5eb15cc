// A corrector behind a gate, on a stream of targets of which some are far off.
#pragma once

#include "tests/core/gates.h"
#include "tests/laws/workbench.h"

namespace elastane {

inline constexpr int kD = 5, kM = 3, kDepths = 4;

struct Streamed {
  std::vector<StepReport> reports;
  std::vector<Vector> features;  // what the gate looked at, each step
};

inline Streamed run(const CorrectorOptions& options, const LearnedGate& gate, int steps = 200, std::uint64_t seed = 3,
                    const Budget& budget = Budget::none()) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  LoneCorrector lone(options, model, {}, gate);
  Random random(seed);
  SquaredError objective(Vector(kM, 0.0));
  Streamed all;
  for (int t = 0; t < steps; ++t) {
    objective.target = random_point(random, kM, t % 7 == 0 ? 1.0 : 0.1);
    Vector z = random_point(random, kD, 0.3);
    all.reports.push_back(lone.correct(model, objective, z, budget));
    const auto seen = lone.corrector.gate_features();
    all.features.emplace_back(seen.begin(), seen.end());
  }
  return all;
}

inline CorrectorOptions with(GateOptions gate) { return {.metric = {.kind = Metric::exact}, .gate = std::move(gate)}; }

}  // namespace elastane
