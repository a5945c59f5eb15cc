// lab/peptide/detour_agent.h
#include "lab/peptide/detour_agent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/peptide/draw_episode.h"
#include "lab/peptide/observation.h"
#include "lab/peptide/plan_agent.h"
#include "tests/lab/peptide/conformations.h"
#include "tests/lab/peptide/scripted_agent.h"

namespace elastane::peptide {
namespace {

// a helix: its third neighbour is in contact, and all of it is allowed
Torsions helix() {
  Torsions torsions = {};
  for (std::size_t t = 0; t < torsions.size(); ++t) torsions[t] = t % 2 == 0 ? -0.733 : -1.117;
  return torsions;
}

TEST(DetourAgent, AContactThatIsMetIsLeftAlone) {
  const Energy energy{chain_of("AAAAAAAAAAAA")};
  DetourAgent agent(std::make_unique<ScriptedAgent>([](auto, std::span<float> y) { std::ranges::fill(y, 0.01F); }), {});
  agent.begin(energy);
  std::array<float, kOutputs> y = {};
  for (int step = 0; step < 50; ++step) {
    agent.act({}, helix(), {2, 5}, y);
    for (const float move : y) EXPECT_EQ(move, 0.01F) << step;
  }
}

TEST(DetourAgent, AStuckAgentTurnsOneResidueBetweenThoseThatShouldMeet) {
  const Energy energy{chain_of("AAAAAAAAAAAA")};
  DetourAgent agent(std::make_unique<ScriptedAgent>([](auto, std::span<float> y) { std::ranges::fill(y, 0.0F); }), {});
  agent.begin(energy);
  Torsions at = helix();
  std::array<float, kOutputs> y = {};
  int still = 0;
  float most = 0;
  for (int step = 0; step < 30 && most == 0; ++step) {
    agent.act({}, at, {3, 10}, y);
    for (const float move : y) most = std::max(most, std::fabs(move));
    still += most == 0 ? 1 : 0;
  }
  EXPECT_GE(still, DetourOptions{}.patience) << "it is patient, and searches";
  EXPECT_GT(most, 0.5F) << "and then it turns";
  EXPECT_LE(most, 1.0F);
}

// without detours and with them: chains whose straight plan ends on a ridge
TEST(DetourAgent, MeetsContactsThatDescentAloneDoesNot) {
  int alone = 0, with_detours = 0;
  for (int episode = 0; episode < 24; ++episode) {
    const DrawnEpisode drawn = draw_episode(31, episode);
    const Energy energy{Chain(drawn.episode.sequence)};
    const LevenbergOptions levenberg{.iterations = 4, .damping = 3, .boxed = true};
    PlanAgent plan(nullptr, levenberg);
    DetourAgent detours(std::make_unique<PlanAgent>(nullptr, levenberg), {});
    const auto succeeds = [&](Agent& agent) {
      Environment environment(drawn.episode, energy);
      agent.begin(energy);
      std::array<float, kOutputs> y = {};
      while (!environment.is_over()) {
        agent.act({}, environment.observed(), environment.contact(), y);
        environment.move(y);
      }
      return environment.outcome().success;
    };
    alone += succeeds(plan) ? 1 : 0;
    with_detours += succeeds(detours) ? 1 : 0;
  }
  EXPECT_GE(with_detours, alone);
  EXPECT_GE(with_detours, 21);
}

}  // namespace
}  // namespace elastane::peptide
