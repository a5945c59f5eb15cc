// Tests of elastane/core/backbone/s4d.cpp: one complex diagonal recurrence per channel, in both discretisations.
#include "elastane/core/backbone/s4d.h"

#include <complex>

#include "tests/core/backbone/lone_block.h"

namespace elastane {
namespace {

using Complex = std::complex<double>;

TEST(S4d, StepsLikeItsEquations) {
  for (const Discretisation rule : {Discretisation::zoh, Discretisation::bilinear}) {
    const LoneBlock block(S4dConfig{.state = 4, .discretisation = rule});
    constexpr std::size_t n = LoneBlock::kWidth, kPairs = 2;
    std::vector<Complex> s(n * kPairs);
    const Values log_dt = block("log_dt"), log_a = block("log_A_real"), a_imag = block("A_imag"), c = block("C");
    expect_recurrence(block, 30, [&](const Values& u, int) {
      Values o(n);
      for (std::size_t i = 0; i < n; ++i) {
        o[i] = block("D")[i] * u[i];
        for (std::size_t p = i * kPairs; p < (i + 1) * kPairs; ++p) {
          const double dt = std::exp(log_dt[i]);
          const Complex a(-std::exp(log_a[p]), a_imag[p]), z = dt * a;
          const bool hold = rule == Discretisation::zoh;
          const Complex turned = hold ? std::exp(z) : (1.0 + 0.5 * z) / (1.0 - 0.5 * z);
          const Complex driven = hold ? (turned - 1.0) / a : dt / (1.0 - 0.5 * z);
          s[p] = turned * s[p] + driven * u[i];
          o[i] += 2 * (Complex(c[2 * p], c[2 * p + 1]) * s[p]).real();
        }
      }
      return o;
    });
  }
}

TEST(S4d, ObeysTheLawsOfBlocks) {
  expect_block_laws(S4dConfig{.state = 6});
  expect_block_laws(S4dConfig{.state = 6, .discretisation = Discretisation::bilinear});
}

}  // namespace
}  // namespace elastane
