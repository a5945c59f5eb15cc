// Tests of elastane/io/import_delta.cpp: imported delta networks compute what the originals did.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "elastane/core/math/kernels.h"
#include "tests/io/imported_weights.h"

namespace elastane {
namespace {

using reference::sigmoid;
using reference::silu;
using reference::softplus;

struct DeltaNetwork {
  std::size_t key_heads = 2, heads = 2, key = 16, value = 32, taps = 4, width = 12, hidden = 20, words = 9;
  bool decay = true, gated = true;
};

Weights delta_network(const DeltaNetwork& n, int layers) {
  Weights w;
  const auto size = [](std::size_t x) { return static_cast<int>(x); };
  const int keys = size(n.key_heads * n.key), values = size(n.heads * n.value), width = size(n.width);
  w.add("model.embeddings.weight", {size(n.words), width});
  for (int i = 0; i < layers; ++i) {
    const std::string at = "model.layers." + std::to_string(i) + ".";
    for (const char* norm : {"attn_norm.weight", "mlp_norm.weight"}) w.add(at + norm, {width}, 1);
    for (const char* stream : {"q", "k"}) {
      w.add(at + "attn." + stream + "_proj.weight", {keys, width});
      w.add(at + "attn." + stream + "_conv1d.weight", {keys, 1, size(n.taps)});
    }
    w.add(at + "attn.v_proj.weight", {values, width});
    w.add(at + "attn.v_conv1d.weight", {values, 1, size(n.taps)});
    w.add(at + "attn.b_proj.weight", {size(n.heads), width});
    if (n.decay) {
      w.add(at + "attn.a_proj.weight", {size(n.heads), width});
      w.add(at + "attn.dt_bias", {size(n.heads)});
      w.add(at + "attn.A_log", {size(n.heads)});
    }
    if (n.gated) w.add(at + "attn.g_proj.weight", {values, width});
    w.add(at + "attn.o_norm.weight", {size(n.value)}, 1);
    w.add(at + "attn.o_proj.weight", {width, values});
    w.add(at + "mlp.gate_proj.weight", {size(n.hidden), width});
    w.add(at + "mlp.up_proj.weight", {size(n.hidden), width});
    w.add(at + "mlp.down_proj.weight", {width, size(n.hidden)});
  }
  w.add("model.norm.weight", {width}, 1);
  w.add("lm_head.weight", {size(n.words), width});
  return w;
}

// what flash-linear-attention computes, in plain loops
struct DeltaTwin {
  const Weights& w;
  DeltaNetwork n;
  int layers;
  std::map<std::string, std::vector<Vector>> past = {};  // inputs of convolutions
  std::map<std::string, Vector> memory = {};             // [key][value] of every layer and head

  Vector convolved(const std::string& at, const Vector& u) {
    const Vector x = w.linear(at + "_proj.weight", "", u);
    std::vector<Vector>& inputs = past[at];
    inputs.insert(inputs.begin(), x);
    Vector y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t k = 0; k < n.taps && k < inputs.size(); ++k) {
        y[i] += w[at + "_conv1d.weight"][(i + 1) * n.taps - 1 - k] * inputs[k][i];
      }
      y[i] = silu(y[i]);
    }
    return y;
  }
  static Vector unit_slice(const Vector& x, std::size_t from, std::size_t size) {
    Vector part(x.begin() + static_cast<std::ptrdiff_t>(from), x.begin() + static_cast<std::ptrdiff_t>(from + size));
    double squares = 1e-6;
    for (const double v : part) squares += v * v;
    for (double& v : part) v /= std::sqrt(squares);
    return part;
  }

  Vector mixed(const std::string& at, const Vector& u) {
    const Vector q = convolved(at + "q", u), k = convolved(at + "k", u), v = convolved(at + "v", u);
    const Vector b = w.linear(at + "b_proj.weight", "", u);
    Vector out(n.heads * n.value), gate(out.size(), 1.0);
    if (n.gated) gate = w.linear(at + "g_proj.weight", "", u);
    for (std::size_t h = 0; h < n.heads; ++h) {
      const std::size_t from = h / (n.heads / n.key_heads) * n.key;
      const Vector key = unit_slice(k, from, n.key), query = unit_slice(q, from, n.key);
      Vector& m = memory[at + std::to_string(h)];
      m.resize(n.key * n.value);
      double alpha = 1;
      if (n.decay) {
        const double x = w.linear(at + "a_proj.weight", at + "dt_bias", u)[h];
        alpha = std::exp(-std::exp(static_cast<double>(w[at + "A_log"][h])) * softplus(x));
      }
      Vector o(n.value);
      for (std::size_t j = 0; j < n.value; ++j) {
        double known = 0;
        for (std::size_t i = 0; i < n.key; ++i) known += key[i] * (m[i * n.value + j] *= alpha);
        for (std::size_t i = 0; i < n.key; ++i) {
          m[i * n.value + j] += sigmoid(b[h]) * key[i] * (v[h * n.value + j] - known);
          o[j] += query[i] / std::sqrt(static_cast<double>(n.key)) * m[i * n.value + j];
        }
      }
      o = rms_norm(o, w[at + "o_norm.weight"]);
      for (std::size_t j = 0; j < n.value; ++j) {
        out[h * n.value + j] = o[j] * (n.gated ? silu(gate[h * n.value + j]) : 1.0);
      }
    }
    return w.linear(at + "o_proj.weight", "", out);
  }

  Vector operator()(const Vector& x) {
    const auto word = static_cast<std::size_t>(std::ranges::max_element(x) - x.begin());
    Vector h(n.width);
    for (std::size_t i = 0; i < n.width; ++i) h[i] = w["model.embeddings.weight"][word * n.width + i];
    for (int layer = 0; layer < layers; ++layer) {
      const std::string at = "model.layers." + std::to_string(layer) + ".";
      const Vector seen = mixed(at + "attn.", rms_norm(h, w[at + "attn_norm.weight"]));
      for (std::size_t i = 0; i < n.width; ++i) h[i] += seen[i];
      const Vector u = rms_norm(h, w[at + "mlp_norm.weight"]);
      const Vector gate = w.linear(at + "mlp.gate_proj.weight", "", u);
      Vector up = w.linear(at + "mlp.up_proj.weight", "", u);
      for (std::size_t i = 0; i < n.hidden; ++i) up[i] *= silu(gate[i]);
      const Vector down = w.linear(at + "mlp.down_proj.weight", "", up);
      for (std::size_t i = 0; i < n.width; ++i) h[i] += down[i];
    }
    return w.linear("lm_head.weight", "", rms_norm(h, w["model.norm.weight"]));
  }
};

auto some_word(std::size_t words) {
  return [words](Random& random, int) {
    Vector x(words);
    x[random.bits() % words] = 1;
    return x;
  };
}

TEST(ImportDelta, ComputesWhatTheOriginalDid) {
  for (const bool decay : {true, false}) {
    for (const bool gated : {true, false}) {
      const DeltaNetwork n{.decay = decay, .gated = gated};
      const Weights w = delta_network(n, 2);
      // what a random query reads is small beside M, and the norm behind it magnifies float32's rounding: up to 1.5e-5,
      // 3.5e-5 with NEON, whose shorter vectors add in another order
      const double tolerance = kernels().value()->isa == Isa::neon ? 5e-5 : 3e-5;
      expect_equal(imported(w), DeltaTwin{w, n, 2}, some_word(n.words), tolerance);
    }
  }
}

TEST(ImportDelta, ValueHeadsThatShareAKeyHeadGetACopyEach) {
  const DeltaNetwork n{.key_heads = 1, .heads = 3};
  const Weights w = delta_network(n, 1);
  expect_equal(imported(w, {.heads = 1}), DeltaTwin{w, n, 1}, some_word(n.words));
  EXPECT_TRUE(contains(refusal(w, {.heads = 2}), "say their number with --heads"));
}

TEST(ImportDelta, SaysWhatIsMissingOrHasNoPlace) {
  Weights w = delta_network({}, 1);
  w.tensors.erase("model.layers.0.attn.b_proj.weight");
  EXPECT_TRUE(contains(refusal(w), "b_proj.weight"));
  Weights bare = delta_network({}, 1);
  bare.tensors.erase("model.layers.0.attn_norm.weight");
  EXPECT_TRUE(contains(refusal(bare), "expected a layer's norm"));
  Weights biased = delta_network({}, 1);
  biased.add("model.layers.0.attn.q_conv1d.bias", {32});
  EXPECT_EQ(imported(biased).unplaced.size(), 1U);
}

}  // namespace
}  // namespace elastane
