// lab/plant/guarded_run.h: a plant changes and returns, and the guarded stream follows the one that is right.
#include "lab/plant/guarded_run.h"

#include <gtest/gtest.h>

#include "elastane/io/model_file.h"
#include "lab/plant/settings.h"
#include "tests/paths.h"

namespace elastane::plant {
namespace {

TEST(GuardedRun, EveryCourseReturnsToTheNominalPlant) {
  for (int course = 0; course < kCourses; ++course) {
    for (const char* plant : {"circuit", "reactor"}) {
      const GuardedCase given{.plant = plant, .course = static_cast<Course>(course), .seed = 3, .steps = 12'000};
      const Record record = simulate(given);
      EXPECT_EQ(record.steps(), 12'000);
      EXPECT_EQ(record.outputs, 2);
    }
  }
}

TEST(GuardedRun, StaysNearFrozenAtRestAndNearCorrectedWhileChanged) {
  const Model model = Model::load(std::string(ELASTANE_MODELS) + "/circuit.safetensors").value();
  StreamOptions options = adaptation(model, 1, settings().circuit);
  options.corrector->gate = gate();
  const GuardedOutcome made = run_guarded(model, options, {.seed = 11, .steps = 6000});
  // One short run: the guarantee is of the measured output and allows a constant, and the error is of both outputs. The
  // corrected stream alone is further off
  EXPECT_LT(made.rest.guarded, 1.2 * made.rest.frozen);
  EXPECT_LT(made.returned.guarded, 1.2 * made.returned.frozen);
  EXPECT_LT(made.changed.guarded, 1.3 * made.changed.better());
  EXPECT_LT(made.changed.better(), 0.2 * made.changed.frozen);
  EXPECT_LE(made.delay, 60);
  EXPECT_GE(made.switches, 2);
}

}  // namespace
}  // namespace elastane::plant
