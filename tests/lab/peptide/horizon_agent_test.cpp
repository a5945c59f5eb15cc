// lab/peptide/horizon_agent.h
#include "lab/peptide/horizon_agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lab/peptide/draw_episode.h"
#include "lab/peptide/observation.h"
#include "tests/lab/peptide/conformations.h"
#include "tests/lab/peptide/scripted_agent.h"

namespace elastane::peptide {
namespace {

TEST(HorizonAgent, ImprovesAProposalThatStandsStill) {
  const Energy energy{chain_of("ACDPGHIKLMVY")};
  Random random(4);
  const Torsions torsions = random_start(energy, random);
  for (const bool boxed : {false, true}) {
    HorizonAgent agent(std::make_unique<ScriptedAgent>([](auto, std::span<float> y) { std::ranges::fill(y, 0.0F); }),
                       {.iterations = 4, .damping = 3, .boxed = boxed});
    agent.begin(energy);
    std::array<float, kOutputs> y = {};
    std::array<float, kInputs> x = {};
    agent.act(x, torsions, {2, 9}, y);
    EXPECT_GT(agent.report().accepted, 0);
    EXPECT_LT(agent.report().loss_after, agent.report().loss_before);
    for (const float move : y) EXPECT_LE(std::fabs(move), 1.0F + 1e-6F);
  }
}

}  // namespace
}  // namespace elastane::peptide
