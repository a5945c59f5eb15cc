// Tests of elastane/io/import_transformer.cpp: an imported model like Llama computes what the original did.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/io/imported_weights.h"

namespace elastane {
namespace {

constexpr std::size_t kDim = 12, kHeads = 3, kKeyHeads = 1, kSize = 4, kHidden = 20, kVocabulary = 9;

Weights llama(int layers) {
  Weights w;
  w.add("model.embed_tokens.weight", {kVocabulary, kDim});
  for (int i = 0; i < layers; ++i) {
    const std::string at = "model.layers." + std::to_string(i) + ".";
    for (const char* norm : {"input_layernorm.weight", "post_attention_layernorm.weight"}) w.add(at + norm, {kDim}, 1);
    w.add(at + "self_attn.q_proj.weight", {kDim, kDim});
    w.add(at + "self_attn.k_proj.weight", {kKeyHeads * kSize, kDim});
    w.add(at + "self_attn.v_proj.weight", {kKeyHeads * kSize, kDim});
    w.add(at + "self_attn.o_proj.weight", {kDim, kDim});
    w.add(at + "mlp.gate_proj.weight", {kHidden, kDim});
    w.add(at + "mlp.up_proj.weight", {kHidden, kDim});
    w.add(at + "mlp.down_proj.weight", {kDim, kHidden});
  }
  w.add("model.norm.weight", {kDim}, 1);
  w.add("lm_head.weight", {kVocabulary, kDim});
  return w;
}

// pairs (i, i + size/2) turned by the position
void rotate_heads(Vector& x, std::size_t position) {
  for (std::size_t head = 0; head < x.size(); head += kSize) {
    for (std::size_t i = 0; i < kSize / 2; ++i) {
      const double angle =
          static_cast<double>(position) * std::pow(10000.0, -2.0 * static_cast<double>(i) / static_cast<double>(kSize));
      const double a = x[head + i], b = x[head + i + kSize / 2];
      x[head + i] = a * std::cos(angle) - b * std::sin(angle);
      x[head + i + kSize / 2] = b * std::cos(angle) + a * std::sin(angle);
    }
  }
}

struct LlamaTwin {
  const Weights& w;
  int layers;
  std::vector<std::vector<Vector>> keys = std::vector<std::vector<Vector>>(static_cast<std::size_t>(layers));
  std::vector<std::vector<Vector>> values = keys;

  Vector attend(const std::string& at, std::size_t layer, const Vector& u) {
    Vector q = w.linear(at + "q_proj.weight", "", u), k = w.linear(at + "k_proj.weight", "", u);
    rotate_heads(q, keys[layer].size() + 1);
    rotate_heads(k, keys[layer].size() + 1);
    keys[layer].push_back(k);
    values[layer].push_back(w.linear(at + "v_proj.weight", "", u));
    Vector mixed(kDim);
    for (std::size_t head = 0; head < kHeads; ++head) {
      Vector score;
      for (const Vector& key : keys[layer]) {
        double dot = 0;
        for (std::size_t i = 0; i < kSize; ++i) dot += q[head * kSize + i] * key[i];
        score.push_back(std::exp(dot / std::sqrt(static_cast<double>(kSize))));
      }
      double sum = 0;
      for (const double s : score) sum += s;
      for (std::size_t t = 0; t < score.size(); ++t) {
        for (std::size_t i = 0; i < kSize; ++i) mixed[head * kSize + i] += score[t] / sum * values[layer][t][i];
      }
    }
    return w.linear(at + "o_proj.weight", "", mixed);
  }

  Vector operator()(const Vector& x) {
    const auto word = static_cast<std::size_t>(std::ranges::max_element(x) - x.begin());
    Vector h(kDim);
    for (std::size_t i = 0; i < kDim; ++i) h[i] = w["model.embed_tokens.weight"][word * kDim + i];
    for (std::size_t layer = 0; layer < static_cast<std::size_t>(layers); ++layer) {
      const std::string at = "model.layers." + std::to_string(layer) + ".";
      const Vector seen = attend(at + "self_attn.", layer, rms_norm(h, w[at + "input_layernorm.weight"]));
      for (std::size_t i = 0; i < kDim; ++i) h[i] += seen[i];
      const Vector u = rms_norm(h, w[at + "post_attention_layernorm.weight"]);
      Vector gate = w.linear(at + "mlp.gate_proj.weight", "", u), up = w.linear(at + "mlp.up_proj.weight", "", u);
      for (std::size_t i = 0; i < kHidden; ++i) up[i] *= reference::silu(gate[i]);
      const Vector down = w.linear(at + "mlp.down_proj.weight", "", up);
      for (std::size_t i = 0; i < kDim; ++i) h[i] += down[i];
    }
    return w.linear("lm_head.weight", "", rms_norm(h, w["model.norm.weight"]));
  }
};

TEST(ImportTransformer, ComputesWhatTheOriginalDid) {
  const Weights w = llama(2);
  const Import import = imported(w, {.heads = kHeads, .window = 256});
  expect_equal(import, LlamaTwin{w, 2}, [](Random& random, int) {
    Vector x(kVocabulary);
    x[random.bits() % kVocabulary] = 1;
    return x;
  });
}

TEST(ImportTransformer, SaysWhatItCannotKnowOrHold) {
  EXPECT_TRUE(contains(refusal(llama(1)), "say it with --heads"));
  EXPECT_TRUE(contains(refusal(llama(1), {.heads = 5}), "a divisor of 12"));
  Weights gpt2;
  gpt2.add("h.0.attn.c_attn.weight", {12, 36});
  EXPECT_TRUE(contains(refusal(gpt2, {.heads = 3}), "expected layers like Llama's"));
  Weights biased = llama(1);
  biased.add("model.layers.0.self_attn.q_proj.bias", {kDim});
  EXPECT_EQ(imported(biased, {.heads = kHeads}).unplaced.size(), 1U);
}

}  // namespace
}  // namespace elastane
