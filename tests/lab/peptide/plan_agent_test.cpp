// lab/peptide/plan_agent.h
#include "lab/peptide/plan_agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lab/peptide/draw_episode.h"
#include "lab/peptide/observation.h"
#include "tests/lab/peptide/conformations.h"
#include "tests/lab/peptide/scripted_agent.h"

namespace elastane::peptide {
namespace {

TEST(PlanAgent, APlanNeverRaisesItsObjective) {
  const Energy energy{chain_of("ACDPGHIKLMVY")};
  Random random(4);
  const Torsions torsions = random_start(energy, random);
  const Contact contact{2, 9};
  MoveObjective move(energy);
  move.set_start(torsions, contact);
  std::array<float, kInputs> x;
  EnergyPoint point;
  observe(energy, torsions, contact, point, x);
  std::array<float, kOutputs> y = {};
  PlanAgent plan(nullptr, {.iterations = 4, .damping = 3});
  plan.begin(energy);
  plan.act(x, torsions, contact, y);
  const std::vector<double> moved(y.begin(), y.end()), still(y.size());
  EXPECT_LT(move.value(moved), move.value(still));
  EXPECT_GT(plan.report().accepted, 0);
}

TEST(PlanAgent, AProposalThatIsNotFiniteIsReplaced) {
  const Energy energy{chain_of("ACDPGHIKLMVY")};
  Random random(5);
  const Torsions torsions = random_start(energy, random);
  PlanAgent plan(std::make_unique<ScriptedAgent>([](auto, std::span<float> y) { std::ranges::fill(y, NAN); }),
                 {.iterations = 2, .damping = 3});
  plan.begin(energy);
  std::array<float, kOutputs> y = {};
  plan.act({}, torsions, {2, 9}, y);
  for (int t = 0; t < energy.chain().torsions(); ++t) EXPECT_LE(std::fabs(y[static_cast<std::size_t>(t)]), 1.0F);
}

}  // namespace
}  // namespace elastane::peptide
