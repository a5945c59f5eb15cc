// Tests of elastane/io/import.cpp and placer.cpp: imported models compute what the originals did.
#include "elastane/io/import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/math/reference.h"
#include "elastane/io/model_file.h"
#include "elastane/io/safetensors.h"
#include "tests/io/folder.h"
#include "tests/io/imported_weights.h"
#include "tests/paths.h"

namespace elastane {
namespace {

using reference::silu;
using reference::softplus;

// --- what the originals compute, in plain loops

struct MambaTwin {
  const Weights& weights;
  std::string prefix;
  std::size_t inner, states, taps, rank;
  Vector window = Vector(inner * taps), s = Vector(inner * states);

  Vector step(const Vector& u) {
    const Vector xz = weights.linear(prefix + "in_proj.weight", "", u);
    Vector x(inner);
    for (std::size_t i = 0; i < inner; ++i) {
      std::rotate(&window[i * taps], &window[i * taps] + 1, &window[i * taps] + taps);
      window[(i + 1) * taps - 1] = xz[i];
      for (std::size_t k = 0; k < taps; ++k)
        x[i] += weights[prefix + "conv1d.weight"][i * taps + k] * window[i * taps + k];
      if (weights.tensors.contains(prefix + "conv1d.bias")) x[i] += weights[prefix + "conv1d.bias"][i];
      x[i] = silu(x[i]);
    }
    const Vector dbc = weights.linear(prefix + "x_proj.weight", "", x);
    const Vector dt = weights.linear(prefix + "dt_proj.weight", prefix + "dt_proj.bias",
                                     Vector(dbc.begin(), dbc.begin() + static_cast<std::ptrdiff_t>(rank)));
    Vector y(inner);
    for (std::size_t i = 0; i < inner; ++i) {
      const double delta = softplus(dt[i]);
      y[i] = weights[prefix + "D"][i] * x[i];
      for (std::size_t n = 0; n < states; ++n) {
        double& state = s[i * states + n];
        const double a = -std::exp(static_cast<double>(weights[prefix + "A_log"][i * states + n]));
        state = std::exp(delta * a) * state + delta * dbc[rank + n] * x[i];
        y[i] += dbc[rank + states + n] * state;
      }
      y[i] *= silu(xz[inner + i]);
    }
    return weights.linear(prefix + "out_proj.weight", "", y);
  }
};

constexpr std::size_t kWidth = 6, kInner = 12, kStates = 5, kTaps = 4, kRank = 3, kWords = 11;

void add_block(Weights& w, const std::string& prefix) {
  w.add(prefix + "in_proj.weight", {2 * kInner, kWidth});
  w.add(prefix + "conv1d.weight", {kInner, 1, kTaps});
  w.add(prefix + "conv1d.bias", {kInner});
  w.add(prefix + "x_proj.weight", {kRank + 2 * kStates, kInner});
  w.add(prefix + "dt_proj.weight", {kInner, kRank});
  w.add(prefix + "dt_proj.bias", {kInner});
  w.add(prefix + "A_log", {kInner, kStates});
  w.add(prefix + "D", {kInner});
  w.add(prefix + "out_proj.weight", {kWidth, kInner});
}

MambaTwin twin_of(const Weights& w, const std::string& prefix) {
  return {.weights = w, .prefix = prefix, .inner = kInner, .states = kStates, .taps = kTaps, .rank = kRank};
}

// a language model of `layers` layers
Weights language_model(const std::string& root, const std::string& embedding, int layers, bool tied) {
  Weights w;
  for (int i = 0; i < layers; ++i) {
    add_block(w, root + "layers." + std::to_string(i) + ".mixer.");
    w.add(root + "layers." + std::to_string(i) + ".norm.weight", {kWidth}, 1);
  }
  w.add(root + "norm_f.weight", {kWidth}, 1);
  w.add(root + embedding, {kWords, kWidth}, 1);
  if (!tied) w.add("lm_head.weight", {kWords, kWidth});
  return w;
}

void expect_language(const Weights& w, const std::string& root, const std::string& embedding, int layers,
                     const std::string& head) {
  std::vector<MambaTwin> twins;
  for (int i = 0; i < layers; ++i) twins.push_back(twin_of(w, root + "layers." + std::to_string(i) + ".mixer."));
  const auto twin = [&](const Vector& one_hot) {
    const auto word = static_cast<std::size_t>(std::max_element(one_hot.begin(), one_hot.end()) - one_hot.begin());
    Vector h(kWidth);
    for (std::size_t i = 0; i < kWidth; ++i) h[i] = w[root + embedding][word * kWidth + i];
    for (int i = 0; i < layers; ++i) {
      const Vector o = twins[static_cast<std::size_t>(i)].step(
          rms_norm(h, w[root + "layers." + std::to_string(i) + ".norm.weight"]));
      for (std::size_t k = 0; k < kWidth; ++k) h[k] += o[k];
    }
    return w.linear(head, "", rms_norm(h, w[root + "norm_f.weight"]));
  };
  expect_equal(imported(w), twin, [](Random& random, int) {
    Vector x(kWords);
    x[random.bits() % kWords] = 1;
    return x;
  });
}

// --- Mamba

TEST(ImportMamba, LanguageModelComputesWhatTheOriginalDid) {
  expect_language(language_model("backbone.", "embedding.weight", 3, false), "backbone.", "embedding.weight", 3,
                  "lm_head.weight");
}

TEST(ImportMamba, HeadIsTheEmbeddingIfItIsTied) {
  expect_language(language_model("backbone.", "embeddings.weight", 1, true), "backbone.", "embeddings.weight", 1,
                  "backbone.embeddings.weight");
}

TEST(ImportMamba, PrefixesMayVary) {
  for (const std::string root : {"", "model.backbone."}) {
    expect_language(language_model(root, "embedding.weight", 2, false), root, "embedding.weight", 2, "lm_head.weight");
  }
}

TEST(ImportMamba, LayersAreInTheOrderOfTheirNumbers) {
  // by name, 10 comes before 2
  expect_language(language_model("", "embedding.weight", 12, false), "", "embedding.weight", 12, "lm_head.weight");
}

TEST(ImportMamba, BareBlockIsTheWholeModel) {
  for (const std::string prefix : {"", "mixer.", "ssm."}) {
    Weights w;
    add_block(w, prefix);
    w.tensors.erase(prefix + "conv1d.bias");
    MambaTwin twin = twin_of(w, prefix);
    const Import import = imported(w);
    EXPECT_EQ(import.config.inputs, 6);
    EXPECT_EQ(import.config.blocks[0].norm, Norm::none);
    expect_equal(
        import, [&](const Vector& x) { return twin.step(x); }, normals(kWidth));
  }
}

TEST(ImportMamba, BareBlockTakesAsManyChannelsAsAsked) {
  Weights w;
  add_block(w, "");
  MambaTwin twin = twin_of(w, "");
  const auto narrow = [&](const Vector& x) {
    Vector u = x;
    u.resize(kWidth);
    Vector y = twin.step(u);
    y.resize(1);
    return y;
  };
  expect_equal(imported(w, {.inputs = 2, .outputs = 1}), narrow, normals(2));
  EXPECT_TRUE(contains(refusal(w, {.inputs = 7}), "inputs: expected at most the blocks' 6, asked for 7"));
}

TEST(ImportMamba, EncoderAndHeadArePlacedAroundTheBlocks) {
  Weights w;
  add_block(w, "layers.0.mixer.");
  w.add("layers.0.norm.weight", {kWidth}, 1);
  w.add("layers.0.norm.bias", {kWidth}, 1);
  w.add("encoder.weight", {kWidth, 3});
  w.add("encoder.bias", {kWidth});
  w.add("head.weight", {2, kWidth});
  MambaTwin twin = twin_of(w, "layers.0.mixer.");
  const auto whole = [&](const Vector& x) {
    Vector h = w.linear("encoder.weight", "encoder.bias", x), u(kWidth);
    double mean = 0, variance = 0;
    for (const double v : h) mean += v / kWidth;
    for (const double v : h) variance += (v - mean) * (v - mean) / kWidth;
    for (std::size_t i = 0; i < kWidth; ++i) {
      u[i] = w["layers.0.norm.weight"][i] * (h[i] - mean) / std::sqrt(variance + 1e-5) + w["layers.0.norm.bias"][i];
    }
    const Vector o = twin.step(u);
    for (std::size_t i = 0; i < kWidth; ++i) h[i] += o[i];
    return w.linear("head.weight", "", h);
  };
  expect_equal(imported(w), whole, normals(3));
  EXPECT_TRUE(contains(refusal(w, {.inputs = 4}), "encoder.weight: expected the 4 inputs asked for, found 3"));
}

// --- GRU and LSTM

void add_layers(Weights& w, const std::string& prefix, int layers, int gates, int inputs, int hidden,
                bool biases = true) {
  for (int i = 0; i < layers; ++i) {
    const std::string layer = "_l" + std::to_string(i);
    w.add(prefix + "weight_ih" + layer, {gates * hidden, i == 0 ? inputs : hidden});
    w.add(prefix + "weight_hh" + layer, {gates * hidden, hidden});
    if (!biases) continue;
    w.add(prefix + "bias_ih" + layer, {gates * hidden});
    w.add(prefix + "bias_hh" + layer, {gates * hidden});
  }
}

TEST(ImportRecurrent, LayersOfAnySizeComputeWhatTheOriginalDid) {
  for (const bool lstm : {false, true}) {
    for (const auto& [inputs, hidden] : {std::pair(7, 7), std::pair(3, 8), std::pair(9, 4)}) {
      for (const int layers : {1, 3}) {
        for (const bool head : {false, true}) {
          Weights w;
          add_layers(w, head ? "rnn." : "", layers, lstm ? 4 : 3, inputs, hidden, layers == 3);
          if (head) w.add("fc.weight", {2, hidden}), w.add("fc.bias", {2});
          std::vector<GateTwin> twins;
          for (int i = 0; i < layers; ++i) {
            twins.push_back({.weights = w,
                             .prefix = head ? "rnn." : "",
                             .layer = "_l" + std::to_string(i),
                             .hidden = static_cast<std::size_t>(hidden),
                             .lstm = lstm});
          }
          const auto twin = [&](Vector x) {
            for (GateTwin& layer : twins) x = layer.step(x);
            return head ? w.linear("fc.weight", "fc.bias", x) : x;
          };
          expect_equal(imported(w), twin, normals(static_cast<std::size_t>(inputs)));
        }
      }
    }
  }
}

TEST(ImportRecurrent, ReadOutHasOneOfManyNames) {
  for (const char* name : {"fc", "linear", "head", "out", "decoder", "output_layer", "model.fc", "head.0"}) {
    Weights w;
    add_layers(w, "gru.", 1, 3, 2, 4);
    w.add(std::string(name) + ".weight", {3, 4});
    const Import import = imported(w);
    EXPECT_TRUE(import.unplaced.empty()) << name;
    EXPECT_EQ(import.config.outputs, 3) << name;
  }
}

TEST(ImportRecurrent, EmbeddingIsAnEncoderOfWords) {
  Weights w;
  add_layers(w, "lstm.", 1, 4, 3, 5);
  w.add("embedding.weight", {kWords, 3});
  w.add("decoder.weight", {kWords, 5});
  GateTwin layer{.weights = w, .prefix = "lstm.", .layer = "_l0", .hidden = 5, .lstm = true};
  const auto twin = [&](const Vector& x) {
    Vector e(3);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < kWords; ++k) e[i] += w["embedding.weight"][k * 3 + i] * x[k];
    }
    return w.linear("decoder.weight", "", layer.step(e));
  };
  expect_equal(imported(w), twin, normals(kWords));
}

// --- what is not placed, and what is refused

TEST(Import, TakesHalvedWeights) {
  Weights w;
  add_layers(w, "", 1, 3, 2, 4);
  const auto import = import_model(w.bytes({"weight_ih_l0", "bias_hh_l0"}), "w").value();
  EXPECT_TRUE(import.unplaced.empty());
  const auto bias = std::find_if(import.tensors.begin(), import.tensors.end(),
                                 [](const Tensor& t) { return t.name == "blocks.0.gru.bias_hh_l0"; });
  for (std::size_t i = 0; i < bias->values.size(); ++i) {
    EXPECT_EQ(bias->values[i], from_bfloat16(to_bfloat16(w["bias_hh_l0"][i])));
  }
}

TEST(Import, RefusesWholeNumbers) {
  Weights w;
  add_layers(w, "", 1, 3, 2, 4);
  auto bytes = w.bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t at = text.find("\"F32\"", text.find("bias_ih_l0"));
  std::memcpy(bytes.data() + at, "\"I32\"", 5);
  EXPECT_EQ(import_model(bytes, "w").error(), "[import] w: bias_ih_l0: expected F32, BF16, F16 or F64, found I32");
}

TEST(Import, ListsEveryTensorThatIsMissingOrMisshaped) {
  Weights w = language_model("backbone.", "embedding.weight", 2, false);
  w.tensors.erase("backbone.layers.1.mixer.D");
  w.tensors.erase("backbone.layers.0.norm.weight");
  w.tensors.erase("backbone.norm_f.weight");
  w.add("backbone.layers.0.mixer.out_proj.weight", {kInner, kWidth});
  EXPECT_EQ(refusal(w),
            "[import] w.safetensors: backbone.layers.0.mixer.out_proj.weight: expected (6 x 12), found (12 x 6)\n"
            "[import] w.safetensors: backbone.layers.0.norm.weight: expected a layer's norm, found none\n"
            "[import] w.safetensors: backbone.layers.1.mixer.D: expected (12), found none\n"
            "[import] w.safetensors: norm_f.weight: expected a language model's last norm, found none");
  Weights gap;
  add_layers(gap, "", 3, 3, 2, 4);
  gap.tensors.erase("weight_ih_l1");
  gap.tensors.erase("weight_hh_l1");
  EXPECT_TRUE(contains(refusal(gap), "weight_ih_l1: expected (12 x 4), found none"));
}

TEST(Import, NamesTensorsThatHaveNoPlace) {
  Weights w;
  add_block(w, "mixer.");
  w.add("mixer.in_proj.bias", {2 * kInner});
  w.add("mixer.out_proj.bias", {kWidth}, 0);  // zeros are not missed
  w.add("fc.weight", {3, 99});
  w.add("fc.bias", {3});
  w.add("other", {1});
  const Import import = imported(w);
  std::map<std::string, std::string> why;
  for (const Unplaced& u : import.unplaced) why[u.name] = u.why;
  EXPECT_EQ(why.size(), 4U);
  EXPECT_TRUE(contains(why["mixer.in_proj.bias"], "has no bias there"));
  EXPECT_TRUE(contains(why["fc.weight"], "expected (any x 6) next to the blocks, found (3 x 99)"));
  EXPECT_TRUE(contains(why["fc.bias"], "its weight has no place"));
  EXPECT_TRUE(contains(why["other"], "no part of a model has this name"));
}

TEST(Import, RefusesVariantsByName) {
  Weights both;
  add_layers(both, "rnn.", 1, 3, 2, 4);
  both.add("rnn.weight_ih_l0_reverse", {12, 2});
  EXPECT_TRUE(
      contains(refusal(both), "rnn.weight_ih_l0_reverse: expected layers that run forward, found bidirectional"));
  Weights projected;
  add_layers(projected, "", 1, 4, 2, 4);
  projected.add("weight_hr_l0", {2, 4});
  EXPECT_TRUE(contains(refusal(projected), "weight_hr_l0: expected an LSTM without projections"));
  Weights plain;
  add_layers(plain, "", 1, 1, 2, 4);
  EXPECT_TRUE(contains(refusal(plain), "found (4 x 4); a plain RNN is not known"));
  Weights second;
  add_block(second, "");
  second.tensors.erase("x_proj.weight");
  second.add("dt_bias", {3});
  EXPECT_TRUE(contains(refusal(second), "found one of Mamba-2"));
}

TEST(Import, RefusesWhatItWouldHaveToGuess) {
  Weights two;
  add_layers(two, "a.", 1, 3, 2, 4);
  add_layers(two, "b.", 1, 3, 2, 4);
  EXPECT_TRUE(contains(refusal(two), "expected one recurrent network, found a.weight_hh_l0 as well"));
  Weights heads;
  add_layers(heads, "", 1, 3, 2, 4);
  heads.add("fc.weight", {3, 4}), heads.add("out.weight", {3, 4});
  EXPECT_TRUE(contains(refusal(heads), "out.weight: expected one such tensor next to the blocks, found fc.weight"));
  Weights mixed;
  add_layers(mixed, "rnn.", 1, 3, 6, 6);
  add_block(mixed, "mixer.");
  EXPECT_TRUE(contains(refusal(mixed), "found Mamba (A_log) and GRU or LSTM (weight_hh_l0); say which with --kind"));
  EXPECT_EQ(imported(mixed, {.kind = ImportKind::gru}).unplaced.size(), 9U);
  EXPECT_TRUE(contains(refusal(mixed, {.kind = ImportKind::lstm}), "expected 4 rows of gates for each column"));
  Weights holes;
  add_block(holes, "0."), add_block(holes, "2.");
  EXPECT_TRUE(contains(refusal(holes), "2.: expected block 1 of a list of Mamba blocks"));
  Weights lists;
  add_block(lists, "a.0."), add_block(lists, "b.1.");
  EXPECT_TRUE(contains(refusal(lists), "expected all blocks in one list"));
}

TEST(Import, RefusesOtherFiles) {
  Weights none;
  none.add("conv.weight", {3, 3});
  EXPECT_TRUE(contains(refusal(none),
                       "expected tensors of Mamba (A_log), a delta network (k_conv1d.weight), GRU or LSTM "
                       "(weight_hh_l0), S4D (kernel.log_A_real), a Transformer"));
  EXPECT_TRUE(contains(refusal(none, {.kind = ImportKind::mamba}), "expected tensors of Mamba (A_log), found"));
  EXPECT_TRUE(contains(refusal(Weights()), "found no tensors"));
  const std::string text = "no safetensors at all";
  EXPECT_TRUE(contains(import_model(std::as_bytes(std::span(text)), "w").error(), "is not a safetensors file"));
  const Model ours = Model::load(std::string(ELASTANE_MODELS) + "/lorenz.safetensors").value();
  const std::string file = read_text(std::string(ELASTANE_MODELS) + "/lorenz.safetensors");
  EXPECT_TRUE(contains(import_model(std::as_bytes(std::span(file)), "w").error(), "found a model of ours"));
}

TEST(Import, OfHostileShapesIsRefused) {
  // sizes that no bytes stand behind
  for (const Shape& shape :
       {Shape{0, 6}, Shape{0, 1LL << 40}, Shape{0, 100'000}, Shape{1, 100'000}, Shape{0}, Shape{}, Shape{3, 0, 2}}) {
    for (const char* name : {"in_proj.weight", "A_log", "dt_proj.weight", "conv1d.weight", "x_proj.weight"}) {
      Weights w;
      add_block(w, "");
      w.add(name, shape);
      EXPECT_TRUE(contains(refusal(w), name)) << name << to_string(shape);
    }
    for (const char* name : {"weight_ih_l0", "weight_hh_l0"}) {
      Weights w;
      add_layers(w, "", 1, 3, 2, 4);
      w.add(name, shape);
      EXPECT_TRUE(contains(refusal(w), name)) << name << to_string(shape);
    }
  }
}

}  // namespace
}  // namespace elastane
