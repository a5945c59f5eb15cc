// lab/plant/regimes.cpp: a circuit that returns to earlier regimes.
#include "lab/plant/regimes.h"

#include <gtest/gtest.h>

#include <string>

#include "lab/plant/settings.h"
#include "tests/paths.h"

namespace elastane::plant {
namespace {

TEST(Regimes, ASecondVisitCostsLessWithAMemory) {
  const Model model = Model::load(std::string(ELASTANE_MODELS) + "/circuit.safetensors").value();
  const std::vector<circuit::Parts> regimes = {settings().sweep[1].parts, settings().sweep[3].parts};
  const RegimeErrors e = visit_regimes(model, regimes, {.visit = 600, .rounds = 2, .judged = 300}, 3);
  ASSERT_EQ(e.with_memory.size(), 2u);
  EXPECT_LT(e.with_memory[1], 0.5 * e.with_memory[0]);
  EXPECT_LT(e.with_memory[1], e.without[1]);
}

}  // namespace
}  // namespace elastane::plant
