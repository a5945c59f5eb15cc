// lab/plant/circuit.h: laws of the circuit, of its integration, and of what drives it.
#include "lab/plant/circuit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::circuit {
namespace {

// ½Cv² + ∫L(i)i di, by Simpson's rule
double energy(const Parts& parts, const State& s) {
  constexpr int kPieces = 2000;
  const double h = std::fabs(s.current) / kPieces;
  double coil = 0;
  for (int k = 0; k <= kPieces; ++k) {
    const double weight = k == 0 || k == kPieces ? 1 : k % 2 == 1 ? 4 : 2;
    coil += weight * h / 3 * inductance(parts, k * h) * k * h;
  }
  return 0.5 * parts.capacitance * s.voltage * s.voltage + coil;
}

TEST(Circuit, WithoutASourceOnlyLosesEnergy) {
  Random random(1);
  for (int i = 0; i < 5; ++i) {
    const Parts parts = random_parts(random);
    State s{random.uniform(-90, 90), random.uniform(-8, 8)};
    for (int t = 0; t < 100; ++t) {
      const State next = advance(s, parts, 0, 0, 8);
      EXPECT_LE(energy(parts, next), energy(parts, s) * (1 + 1e-6));
      s = next;
    }
  }
}

TEST(Circuit, WithoutResistanceKeepsItsEnergy) {
  const Parts parts{.resistance = 0};
  State s{60, 2};
  const double before = energy(parts, s);
  for (int t = 0; t < 100; ++t) s = advance(s, parts, 0, 0, 16);
  EXPECT_NEAR(energy(parts, s), before, 1e-4 * before);
}

TEST(Circuit, ComesToRestAtTheVoltageOfItsSource) {
  const Parts parts{.resistance = 10};
  State s;
  for (int t = 0; t < 400; ++t) s = advance(s, parts, 40, 40);
  EXPECT_NEAR(s.voltage, 40, 1e-6);
  EXPECT_NEAR(s.current, 0, 1e-6);
}

TEST(Circuit, IsIntegratedToFourthOrder) {
  // the coil saturates by a smooth law, except at no current
  const State start{30, 3};
  const auto end = [&](int substeps) { return advance(start, {}, 50, 60, substeps); };
  const State exact = end(256);
  const auto error = [&](int n) {
    return std::hypot(end(n).voltage - exact.voltage, 10 * (end(n).current - exact.current));
  };
  EXPECT_NEAR(std::log2(error(2) / error(4)), 4, 0.7);
  EXPECT_NEAR(std::log2(error(4) / error(8)), 4, 0.4);
  EXPECT_LT(error(2), 1e-4);
}

TEST(Circuit, OfOneSeedIsAlwaysTheSame) {
  const Options options{.steps = 300, .changes = {{100, {.resistance = 5}}}};
  const plant::Record a = simulate(3, options), b = simulate(3, options), c = simulate(4, options);
  EXPECT_EQ(a.u, b.u);
  EXPECT_EQ(a.y, b.y);
  EXPECT_NE(a.u, c.u);
}

TEST(Circuit, ChangesWhenToldAndNotBefore) {
  const Options nominal{.steps = 300}, changed{.steps = 300, .changes = {{100, {.capacitance = 500e-9}}}};
  const plant::Record a = simulate(3, nominal), b = simulate(3, changed);
  EXPECT_EQ(a.u, b.u);
  for (int t = 0; t < 100; ++t) EXPECT_EQ(a.output(t)[0], b.output(t)[0]);
  EXPECT_NE(a.output(100)[0], b.output(100)[0]);
}

TEST(Circuit, HasASourceOfTheDeviationAndBandwidthThatWereAskedFor) {
  const std::vector<float> u = source(5, {.steps = 200'000, .deviation = 40, .bandwidth = 90e3});
  double square = 0, lagged = 0;
  for (std::size_t t = 10; t < u.size(); ++t) square += u[t] * u[t], lagged += u[t] * u[t - 10];
  EXPECT_NEAR(std::sqrt(square / static_cast<double>(u.size() - 10)), 40 / kSourceUnit, 0.01);
  EXPECT_NEAR(lagged / square, 1.9 * std::exp(-0.9), 0.02);  // (1 + ωτ)e^(−ωτ)
}

TEST(Circuit, HasPartsThatParametersGiveBack) {
  for (const double value : parameters_of({})) EXPECT_EQ(value, 0);
  const Parts parts{10, 75e-6, 1050e-9}, again = parts_of(parameters_of(parts));
  EXPECT_NEAR(again.resistance, 10, 1e-12);
  EXPECT_NEAR(again.inductance, 75e-6, 1e-16);
  EXPECT_NEAR(again.capacitance, 1050e-9, 1e-18);
  for (const Parts& end : {Parts{2, 40e-6, 200e-9}, Parts{12, 85e-6, 1200e-9}}) {
    for (const double value : parameters_of(end)) EXPECT_LT(std::fabs(value), 1);
  }
}

}  // namespace
}  // namespace elastane::circuit
