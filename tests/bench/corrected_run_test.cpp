// bench/corrected_run.cpp: the model and the corrector of `bench correct`, and what a run counts.
#include "bench/corrected_run.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/drift.h"

namespace elastane::bench {
namespace {

Model model_of(int latents, bool narrow = false) {
  const ModelConfig config = drift_model(latents, narrow);
  return Model::create(config, random_tensors(config, 1)).value();
}

TEST(DriftModel, HasTheInputsAndOutputsOfTheDrift) {
  for (const bool narrow : {false, true}) {
    const Model model = model_of(64, narrow);
    EXPECT_EQ(model.inputs(), kDriftInputs);
    EXPECT_EQ(model.outputs(), kDriftOutputs);
  }
}

TEST(CorrectedRun, CountsItsStepsAndTheirCost) {
  const Model model = model_of(64);
  const CorrectedRun run = run_corrected(model, drift_corrector(Metric::sketch, 8, 1), 200);
  EXPECT_EQ(run.steps, 200);
  EXPECT_GT(run.macs, model.macs());
  EXPECT_EQ(run.took, Metric::sketch);
  EXPECT_GE(run.accepted, 0);
  EXPECT_LE(run.accepted, 1);
}

TEST(CorrectedOutputs, AreRepeatable) {
  const Model model = model_of(64);
  const CorrectedOutputs a = corrected_outputs(model, drift_corrector(Metric::exact, 8, 3), 50);
  const CorrectedOutputs b = corrected_outputs(model, drift_corrector(Metric::exact, 8, 3), 50);
  EXPECT_EQ(a.outputs.size(), 50U * kDriftOutputs);
  EXPECT_EQ(a.outputs, b.outputs);
  EXPECT_EQ(a.accepted, b.accepted);
}

}  // namespace
}  // namespace elastane::bench
