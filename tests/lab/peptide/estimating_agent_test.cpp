// lab/peptide/estimating_agent.h
#include "lab/peptide/estimating_agent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/peptide/draw_episode.h"
#include "lab/peptide/observation.h"
#include "tests/lab/peptide/conformations.h"
#include "tests/lab/peptide/scripted_agent.h"

namespace elastane::peptide {
namespace {

TEST(EstimatingAgent, TheEstimateIsBetterThanOneObservationWhileTheChainMoves) {
  const Energy energy{chain_of("ACDPGHIKLMVY")};
  Random random(4), noise(5), moves(6);
  Torsions torsions = random_start(energy, random), given = {};
  EstimatingAgent agent(std::make_unique<ScriptedAgent>([&](std::span<const double> observed, std::span<float> y) {
    std::copy_n(observed.begin(), given.size(), given.begin());
    for (float& move : y) move = static_cast<float>(moves.normal());  // some too long: the environment shortens them
  }));
  agent.begin(energy);
  double error = 0;
  std::array<float, kOutputs> y = {};
  for (int step = 0; step < 200; ++step) {
    Torsions observed = torsions;
    for (double& angle : observed) angle = wrapped(angle + kNoise * noise.normal());
    agent.act({}, observed, {}, y);
    for (std::size_t t = 0; step >= 100 && t < given.size(); ++t) error += std::pow(wrapped(given[t] - torsions[t]), 2);
    torsions = moved(torsions, y, energy.chain().torsions(), MoveOptions{}.limit);
  }
  EXPECT_LT(std::sqrt(error / (100 * kMaxTorsions)), kNoise / 4);
}

}  // namespace
}  // namespace elastane::peptide
