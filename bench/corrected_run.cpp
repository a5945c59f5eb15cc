#include "bench/corrected_run.h"

#include <algorithm>

#include "bench/drift.h"
#include "elastane/core/objective/gaussian.h"

namespace elastane::bench {
namespace {

constexpr double kMicros = 150'000;  // per variant of a step

// inputs and target of step t
struct Moment {
  std::array<float, kDriftInputs> x;
  std::array<float, kDriftOutputs> target;
  explicit Moment(int t) {
    drift_inputs(t, x);
    drift_target(t, target);
  }
  Gaussian objective() const { return Gaussian({.values = target, .noise = kDriftNoise, .lasts = true}); }
};

// how many steps fit the time, estimated from a few of them
int affordable_steps(const Model& model, const CorrectorOptions& options) {
  Stream stream(model, {.corrector = options});
  std::vector<double> times;
  for (int t = 0; t < 20; ++t) {
    const Moment now(t);
    times.push_back(micros([&] { stream.step(now.x, now.objective()); }));
  }
  return static_cast<int>(std::clamp(kMicros / quantiles(times).p50, 100.0, 20'000.0));
}

void time_verbs(const Model& model, const CorrectorOptions& options, CorrectedRun& run) {
  Stream stream(model, {.corrector = options});
  std::vector<double> advance, anticipate, correct;
  for (int t = 0; t < run.steps; ++t) {
    const Moment now(t);
    const Gaussian objective = now.objective();
    advance.push_back(micros([&] { stream.advance(now.x); }));
    anticipate.push_back(micros([&] { stream.anticipate(); }));
    correct.push_back(micros([&] { stream.correct(objective); }));
  }
  run.advance = timed(advance);
  run.anticipate = timed(anticipate);
  run.correct = timed(correct);
}

void time_steps(const Model& model, const CorrectorOptions& options, CorrectedRun& run) {
  Stream stream(model, {.corrector = options});
  std::vector<double> whole, macs;
  std::array<std::vector<double>, kStages> stages;
  for (int t = 0; t < run.steps; ++t) {
    const Moment now(t);
    const Gaussian objective = now.objective();
    StepReport report;
    whole.push_back(micros([&] { report = stream.step(now.x, objective); }));
    for (int i = 0; i < kStages; ++i) stages[i].push_back(report.micros[i]);
    run.accepted += report.accepted;
    macs.push_back(static_cast<double>(report.total_macs()));
  }
  run.accepted /= run.steps;
  run.took = stream.metric();
  run.step = timed(whole);
  run.macs = static_cast<std::int64_t>(quantiles(macs).p50);
  for (int i = 0; i < kStages; ++i) run.stages[i] = timed(stages[i]).time.p50;
}

}  // namespace

ModelConfig drift_model(int latents, bool narrow) {
  ModelConfig config{.inputs = kDriftInputs, .outputs = kDriftOutputs, .width = narrow ? 16 : latents};
  config.blocks = {{.kind = SelectiveConfig{.hidden = latents},
                    .norm = Norm::none,
                    .mix = narrow ? Mix::linear : Mix::none,
                    .residual = false}};
  config.norm = Norm::none;
  config.head = {.hidden = {narrow ? 64 : 2 * latents}, .activation = Activation::tanh};
  return config;
}

CorrectorOptions drift_corrector(Metric metric, int rank, int horizon) {
  CorrectorOptions options;
  options.metric.kind = metric;
  options.metric.rank = rank;
  options.trust.horizon = horizon;
  options.gate = {.kind = Gate::always, .depth = 1};
  return options;
}

CorrectedRun run_corrected(const Model& model, const CorrectorOptions& options, int steps) {
  CorrectedRun run;
  run.steps = steps > 0 ? steps : affordable_steps(model, options);
  time_verbs(model, options, run);
  time_steps(model, options, run);
  return run;
}

CorrectedOutputs corrected_outputs(const Model& model, const CorrectorOptions& options, int steps) {
  Stream stream(model, {.corrector = options});
  CorrectedOutputs all;
  for (int t = 0; t < steps; ++t) {
    const Moment now(t);
    const StepReport report = stream.step(now.x, now.objective());
    all.outputs.insert(all.outputs.end(), stream.output().begin(), stream.output().end());
    all.accepted.push_back(report.accepted > 0);
  }
  return all;
}

}  // namespace elastane::bench
