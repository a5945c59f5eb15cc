// lab/peptide/box_step.h, detour.h, reckoning.h
#include "lab/peptide/detour_agent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "lab/peptide/draw_episode.h"
#include "lab/peptide/observation.h"
#include "lab/peptide/horizon_agent.h"
#include "lab/peptide/estimating_agent.h"
#include "lab/protein_chain/ramachandran.h"
#include "tests/lab/peptide/conformations.h"

namespace elastane::peptide {
namespace {

constexpr int kSize = 10;

// A = BBᵀ + I, g and y of a problem in a box
struct Problem {
  std::array<double, kSize* kSize> a = {};
  std::array<double, kSize> slope, y;

  explicit Problem(Random& random) {
    std::array<double, kSize * kSize> b;
    for (double& value : b) value = random.normal();
    for (int t = 0; t < kSize; ++t) {
      for (int s = 0; s < kSize; ++s) {
        double sum = t == s ? 1 : 0;
        for (int k = 0; k < kSize; ++k)
          sum += b[static_cast<std::size_t>(t * kSize + k)] * b[static_cast<std::size_t>(s * kSize + k)];
        a[static_cast<std::size_t>(t * kSize + s)] = sum;
      }
      slope[static_cast<std::size_t>(t)] = 4 * random.normal();
      y[static_cast<std::size_t>(t)] = random.uniform(-1, 1);
    }
  }
  ConstDoubleRows matrix() const { return {a.data(), kSize, kSize}; }
  // ½sᵀAs + gᵀs, and its slope
  double value(std::span<const double> s) const {
    double sum = 0;
    for (std::size_t t = 0; t < kSize; ++t) sum += s[t] * (slope[t] + 0.5 * (slope_at(s, t) - slope[t]));
    return sum;
  }
  double slope_at(std::span<const double> s, std::size_t t) const {
    double sum = slope[t];
    for (std::size_t k = 0; k < kSize; ++k) sum += a[t * kSize + k] * s[k];
    return sum;
  }
};

TEST(BoxStep, StaysInTheBoxAndNearlyAlwaysLeadsDownhill) {
  Random random(1);
  BoxStep box(kSize);
  int at_rest = 0, downhill = 0;
  for (int n = 0; n < 100; ++n) {
    const Problem problem(random);
    std::array<double, kSize> step;
    ASSERT_TRUE(box.solve(problem.matrix(), problem.slope, problem.y, step));
    for (std::size_t t = 0; t < kSize; ++t) {
      const double there = problem.y[t] + step[t];
      EXPECT_LE(std::fabs(there), 1 + 1e-12);
      at_rest += std::fabs(there) < 1 - 1e-9 && std::fabs(problem.slope_at(step, t)) < 1e-9 ? 1 : 0;
    }
    downhill += problem.value(step) < 0 ? 1 : 0;
  }
  EXPECT_GE(downhill, 90);
  EXPECT_GT(at_rest, 100) << "what is free has no slope left";
}

TEST(BoxStep, IsNewtonsWhereTheBoxIsFarAndExactWhereTorsionsAreApart) {
  Random random(2);
  Problem problem(random);
  BoxStep box(kSize);
  std::array<double, kSize> step;
  for (std::size_t t = 0; t < kSize; ++t) problem.slope[t] *= 1e-3, problem.y[t] *= 0.5;
  ASSERT_TRUE(box.solve(problem.matrix(), problem.slope, problem.y, step));
  for (std::size_t t = 0; t < kSize; ++t) EXPECT_NEAR(problem.slope_at(step, t), 0, 1e-12);

  problem.a = {};
  for (std::size_t t = 0; t < kSize; ++t) problem.a[t * kSize + t] = 2, problem.slope[t] = random.normal() * 5;
  ASSERT_TRUE(box.solve(problem.matrix(), problem.slope, problem.y, step));
  for (std::size_t t = 0; t < kSize; ++t) {
    EXPECT_NEAR(problem.y[t] + step[t], std::clamp(problem.y[t] - problem.slope[t] / 2, -1.0, 1.0), 1e-12);
  }
}

TEST(BoxStep, AMatrixThatIsNotPositiveIsRefused) {
  Random random(3);
  Problem problem(random);
  problem.a = {};
  std::array<double, kSize> step;
  EXPECT_FALSE(BoxStep(kSize).solve(problem.matrix(), problem.slope, problem.y, step));
}

TEST(Basins, AreAllowedAndFarFromEachOther) {
  for (int c = 0; c < kClasses; ++c) {
    const std::span<const Pair> all = basins(static_cast<Class>(c));
    EXPECT_GE(all.size(), 2U);
    for (const Pair& pair : all) {
      EXPECT_TRUE(is_allowed(static_cast<Class>(c), Angle::of(pair.phi), Angle::of(pair.psi))) << c;
    }
  }
}

// does what a test says, and lets it see what it was told
class ToldAgent final : public Agent {
 public:
  using Tell = std::function<void(std::span<const double> observed, std::span<float> y)>;
  explicit ToldAgent(Tell tell) : tell_(std::move(tell)) {}
  void begin(const Energy&) override {}
  void act(std::span<const float>, std::span<const double> observed, const Contact&, std::span<float> y) override {
    tell_(observed, y);
  }
  AgentReport report() const override { return {}; }

 private:
  Tell tell_;
};

TEST(Reckoning, SeesBetterThanItsEyesWhileTheChainMoves) {
  const Energy energy{chain_of("ACDPGHIKLMVY")};
  Random random(4), noise(5), moves(6);
  Torsions torsions = random_start(energy, random), told = {};
  EstimatingAgent driver(std::make_unique<ToldAgent>([&](std::span<const double> observed, std::span<float> y) {
    std::copy_n(observed.begin(), told.size(), told.begin());
    for (float& move : y) move = static_cast<float>(moves.normal());  // some too long: the world shortens them
  }));
  driver.begin(energy);
  double error = 0;
  std::array<float, kOutputs> y = {};
  for (int step = 0; step < 200; ++step) {
    Torsions observed = torsions;
    for (double& angle : observed) angle = wrapped(angle + kNoise * noise.normal());
    driver.act({}, observed, {}, y);
    for (std::size_t t = 0; step >= 100 && t < told.size(); ++t) error += std::pow(wrapped(told[t] - torsions[t]), 2);
    torsions = moved(torsions, y, energy.chain().torsions(), MoveOptions{}.limit);
  }
  EXPECT_LT(std::sqrt(error / (100 * kMaxTorsions)), kNoise / 4);
}

// a helix: its third neighbour is in contact, and all of it is allowed
Torsions helix() {
  Torsions torsions = {};
  for (std::size_t t = 0; t < torsions.size(); ++t) torsions[t] = t % 2 == 0 ? -0.733 : -1.117;
  return torsions;
}

TEST(Detour, WhoIsThereIsLeftAlone) {
  const Energy energy{chain_of("AAAAAAAAAAAA")};
  DetourAgent driver(std::make_unique<ToldAgent>([](auto, std::span<float> y) { std::ranges::fill(y, 0.01F); }), {});
  driver.begin(energy);
  std::array<float, kOutputs> y = {};
  for (int step = 0; step < 50; ++step) {
    driver.act({}, helix(), {2, 5}, y);
    for (const float move : y) EXPECT_EQ(move, 0.01F) << step;
  }
}

TEST(Detour, WhoGetsNoFurtherTurnsOneResidueBetweenThoseThatShouldMeet) {
  const Energy energy{chain_of("AAAAAAAAAAAA")};
  DetourAgent driver(std::make_unique<ToldAgent>([](auto, std::span<float> y) { std::ranges::fill(y, 0.0F); }), {});
  driver.begin(energy);
  Torsions at = helix();
  std::array<float, kOutputs> y = {};
  int still = 0;
  float most = 0;
  for (int step = 0; step < 30 && most == 0; ++step) {
    driver.act({}, at, {3, 10}, y);
    for (const float move : y) most = std::max(most, std::fabs(move));
    still += most == 0 ? 1 : 0;
  }
  EXPECT_GE(still, DetourOptions{}.patience) << "it is patient, and looks";
  EXPECT_GT(most, 0.5F) << "and then it turns";
  EXPECT_LE(most, 1.0F);
}

// the same without looking for detours, and with it: a chain whose straight way ends on a ridge
TEST(Detour, MeetsContactsThatDescentAloneDoesNot) {
  int alone = 0, with_detours = 0;
  for (int episode = 0; episode < 24; ++episode) {
    const DrawnEpisode drawn = draw_episode(31, episode);
    const Energy energy{Chain(drawn.episode.sequence)};
    const LevenbergOptions descent{.iterations = 4, .damping = 3, .boxed = true};
    PlanAgent plan(nullptr, descent);
    DetourAgent detours(std::make_unique<PlanAgent>(nullptr, descent), {});
    const auto succeeds = [&](Agent& driver) {
      Environment trial(drawn.episode, energy);
      driver.begin(energy);
      std::array<float, kOutputs> y = {};
      while (!trial.is_over()) {
        driver.act({}, trial.observed(), trial.contact(), y);
        trial.move(y);
      }
      return trial.outcome().success;
    };
    alone += succeeds(plan) ? 1 : 0;
    with_detours += succeeds(detours) ? 1 : 0;
  }
  EXPECT_GE(with_detours, alone);
  EXPECT_GE(with_detours, 21);
}

}  // namespace
}  // namespace elastane::peptide
