// lab/plant/protocol.cpp: adapt on transfer runs, score free runs.
#include "lab/plant/protocol.h"

#include <gtest/gtest.h>

#include "lab/plant/cases.h"
#include "lab/plant/settings.h"
#include "tests/paths.h"

namespace elastane::plant {
namespace {

Model circuit_model() { return Model::load(std::string(ELASTANE_MODELS) + "/circuit.safetensors").value(); }

TEST(Protocol, CorrectionsImproveTheFreeRunOfAChangedPlant) {
  const Model model = circuit_model();
  const Outcome outcome = adapt(model, adaptation(model, 1, settings().circuit), circuit_case({10, 60e-6, 550e-9}, 1));
  EXPECT_LT(outcome.eval_frozen[0], 0.7);
  EXPECT_GT(outcome.eval[0], 0.99);
  EXPECT_EQ(outcome.c.size(), 4u);
}

TEST(Protocol, TheErrorReturnsWithThePlant) {
  const Model model = circuit_model();
  const Record truth = returning_circuit({10, 60e-6, 550e-9}, 1, 2000);
  const ReturnErrors errors =
      change_and_return(model, adaptation(model, 1, settings().circuit), truth, with_noise(truth, kSensorNoise, 1));
  EXPECT_GT(errors.frozen_changed, 10 * errors.frozen);
  EXPECT_LT(errors.changed, 0.1 * errors.frozen_changed);
  EXPECT_LT(errors.after, 2 * errors.before);
}

TEST(Protocol, NoiseHasTheGivenDeviation) {
  const Record silent{
      .inputs = 1, .outputs = 1, .measured = 1, .u = std::vector<float>(5000), .y = std::vector<float>(5000)};
  double sum = 0;
  for (const float y : with_noise(silent, 0.02, 3).y) sum += y * y / 5000;
  EXPECT_NEAR(sum, 4e-4, 4e-5);
}

}  // namespace
}  // namespace elastane::plant
