// Tests of elastane/io/import_s4d.cpp: imported S4D layers compute what the originals did.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "tests/io/imported_weights.h"

namespace elastane {
namespace {

constexpr std::size_t kChannels = 6, kPairs = 4;

void add_layer(Weights& w, const std::string& at) {
  w.add(at + "kernel.log_dt", {kChannels}, 0.3);
  w.add(at + "kernel.log_A_real", {kChannels, kPairs}, 0.3);
  w.add(at + "kernel.A_imag", {kChannels, kPairs}, 2.0);
  w.add(at + "kernel.C", {kChannels, kPairs, 2});
  w.add(at + "D", {kChannels});
  w.add(at + "output_linear.0.weight", {2 * kChannels, kChannels, 1});
  w.add(at + "output_linear.0.bias", {2 * kChannels});
}

// the recurrence whose impulse response is the original's kernel, K_l = 2 Re Σ C (e^{ΔA} − 1)/A e^{lΔA}
struct S4dTwin {
  const Weights& w;
  std::string at;
  std::vector<std::complex<double>> s = std::vector<std::complex<double>>(kChannels * kPairs);

  Vector step(const Vector& u) {
    Vector y(kChannels);
    for (std::size_t i = 0; i < kChannels; ++i) {
      const double dt = std::exp(static_cast<double>(w[at + "kernel.log_dt"][i]));
      y[i] = w[at + "D"][i] * u[i];
      for (std::size_t n = 0; n < kPairs; ++n) {
        const std::size_t j = i * kPairs + n;
        const std::complex<double> a(-std::exp(static_cast<double>(w[at + "kernel.log_A_real"][j])),
                                     w[at + "kernel.A_imag"][j]);
        const std::complex<double> c(w[at + "kernel.C"][2 * j], w[at + "kernel.C"][2 * j + 1]), e = std::exp(dt * a);
        s[j] = e * s[j] + (e - 1.0) / a * u[i];
        y[i] += 2 * (c * s[j]).real();
      }
      y[i] *= 0.5 * (1 + std::erf(y[i] / std::sqrt(2.0)));  // gelu
    }
    const Vector p = w.linear(at + "output_linear.0.weight", at + "output_linear.0.bias", y);
    for (std::size_t i = 0; i < kChannels; ++i) y[i] = p[i] * reference::sigmoid(p[kChannels + i]);
    return y;
  }
};

Vector layer_norm(const Vector& x, const std::vector<float>& w, const std::vector<float>& b) {
  double mean = 0, variance = 0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  for (const double v : x) variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
  Vector y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = w[i] * (x[i] - mean) / std::sqrt(variance + 1e-5) + b[i];
  return y;
}

TEST(ImportS4d, LayersWithNormsBeforeThemComputeWhatTheOriginalDid) {
  Weights w;
  w.add("encoder.weight", {kChannels, 3}), w.add("encoder.bias", {kChannels});
  for (const std::string i : {"0", "1"}) {
    add_layer(w, "s4_layers." + i + ".");
    w.add("norms." + i + ".weight", {kChannels}, 1), w.add("norms." + i + ".bias", {kChannels});
  }
  w.add("decoder.weight", {2, kChannels}), w.add("decoder.bias", {2});
  std::vector<S4dTwin> layers = {{w, "s4_layers.0."}, {w, "s4_layers.1."}};
  expect_equal(
      imported(w),
      [&](const Vector& x) {
        Vector h = w.linear("encoder.weight", "encoder.bias", x);
        for (std::size_t i = 0; i < 2; ++i) {
          const std::string norm = "norms." + std::to_string(i) + ".";
          const Vector o = layers[i].step(layer_norm(h, w[norm + "weight"], w[norm + "bias"]));
          for (std::size_t j = 0; j < kChannels; ++j) h[j] += o[j];
        }
        return w.linear("decoder.weight", "decoder.bias", h);
      },
      normals(3));
}

TEST(ImportS4d, ABareLayerIsTheWholeModel) {
  Weights w;
  add_layer(w, "");
  S4dTwin twin{w, ""};
  expect_equal(
      imported(w), [&](const Vector& x) { return twin.step(x); }, normals(kChannels));
}

}  // namespace
}  // namespace elastane
