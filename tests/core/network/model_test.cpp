// Tests of elastane/core/network/model.cpp: tensors, fingerprints, precision.
#include "elastane/core/network/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "tests/core/models.h"

namespace elastane {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// --- tensors

TEST(RandomTensors, HangOnTheSeedAlone) {
  const ModelConfig config = hybrid_config();
  const auto first = random_tensors(config, 5), again = random_tensors(config, 5), other = random_tensors(config, 6);
  ASSERT_EQ(first.size(), again.size());
  bool differs = false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].name, again[i].name);
    EXPECT_TRUE(same_bits(first[i].values, again[i].values)) << first[i].name;
    differs |= !same_bits(first[i].values, other[i].values);
  }
  EXPECT_TRUE(differs);
}

TEST(RandomTensors, FollowTheSpecifications) {
  ModelConfig config = hybrid_config();
  config.learned_start = true;
  const auto specs = tensor_specs(config);
  const auto tensors = random_tensors(config, 1);
  ASSERT_EQ(specs.size(), tensors.size());
  std::set<std::string> names;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    EXPECT_EQ(tensors[i].name, specs[i].name);
    EXPECT_EQ(tensors[i].shape, specs[i].shape);
    EXPECT_EQ(static_cast<std::int64_t>(tensors[i].values.size()), element_count(specs[i].shape));
    EXPECT_TRUE(names.insert(specs[i].name).second) << specs[i].name << " appears twice";
    for (const float value : tensors[i].values) EXPECT_TRUE(std::isfinite(value)) << specs[i].name;
  }
  EXPECT_TRUE(check_tensors(specs, tensors, "here"));
}

TEST(RandomTensors, DoNotChangeWhenABlockIsAdded) {
  ModelConfig longer = hybrid_config();
  longer.blocks.push_back({.kind = GruConfig{}});
  const auto before = random_tensors(hybrid_config(), 3), after = random_tensors(longer, 3);
  for (const Tensor& tensor : before) {
    const auto same = std::find_if(after.begin(), after.end(), [&](const Tensor& t) { return t.name == tensor.name; });
    ASSERT_NE(same, after.end());
    EXPECT_TRUE(same_bits(tensor.values, same->values)) << tensor.name;
  }
}

TEST(RandomTensors, SpreadTheTimeConstantsOfASelectiveBlock) {
  const ModelConfig config{.inputs = 1, .outputs = 1, .width = 256, .blocks = {{.kind = SelectiveConfig{}}}};
  for (const Tensor& tensor : random_tensors(config, 1)) {
    if (tensor.name == "blocks.0.selective.log_a") {
      EXPECT_EQ(tensor.values, std::vector<float>(256));
    }
    if (tensor.name != "blocks.0.selective.delta.bias") continue;
    std::vector<double> constants;  // 1/softplus(bias)
    for (const float bias : tensor.values) constants.push_back(1 / std::log1p(std::exp(static_cast<double>(bias))));
    std::sort(constants.begin(), constants.end());
    EXPECT_GE(constants.front(), 3.999);
    EXPECT_LE(constants.back(), 256.1);
    EXPECT_NEAR(std::log2(constants[128]), 5, 0.5);  // half of them below 32
  }
}

TEST(TensorSpecs, AreThoseOfTheModelFormat) {
  // one line for each row of the table in docs/model_format.md: W = 10, E = 6, N = 6, I = 20, R = 1, H = 7
  const auto shapes = [](BlockKind kind) {
    ModelConfig config = one_block(std::move(kind), Norm::layer);
    config.mask_input = true;
    config.learned_start = true;
    std::set<std::string> lines;
    for (const TensorSpec& spec : tensor_specs(config)) lines.insert(spec.name + to_string(spec.shape));
    for (const std::string common :
         {"encoder.weight(10 x 6)", "encoder.bias(10)", "blocks.0.norm.weight(10)", "blocks.0.norm.bias(10)",
          "norm.weight(10)", "head.0.weight(2 x 10)", "head.0.bias(2)"}) {
      EXPECT_EQ(lines.erase(common), 1U) << common;
    }
    return lines;
  };
  using Lines = std::set<std::string>;
  EXPECT_EQ(shapes(S4dConfig{.state = 6}),
            (Lines{"blocks.0.s4d.log_dt(10)", "blocks.0.s4d.log_A_real(10 x 3)", "blocks.0.s4d.A_imag(10 x 3)",
                   "blocks.0.s4d.C(10 x 3 x 2)", "blocks.0.s4d.D(10)", "blocks.0.s4d.h0(10 x 3 x 2)"}));
  EXPECT_EQ(
      shapes(MambaConfig{.state = 6, .conv = 3}),
      (Lines{"blocks.0.mamba.in_proj.weight(40 x 10)", "blocks.0.mamba.conv1d.weight(20 x 1 x 3)",
             "blocks.0.mamba.conv1d.bias(20)", "blocks.0.mamba.x_proj.weight(13 x 20)",
             "blocks.0.mamba.dt_proj.weight(20 x 1)", "blocks.0.mamba.dt_proj.bias(20)", "blocks.0.mamba.A_log(20 x 6)",
             "blocks.0.mamba.D(20)", "blocks.0.mamba.out_proj.weight(10 x 20)", "blocks.0.mamba.h0(20 x 6)"}));
  EXPECT_EQ(shapes(GruConfig{}),
            (Lines{"blocks.0.gru.weight_ih_l0(30 x 10)", "blocks.0.gru.weight_hh_l0(30 x 10)",
                   "blocks.0.gru.bias_ih_l0(30)", "blocks.0.gru.bias_hh_l0(30)", "blocks.0.gru.h0(10)"}));
  EXPECT_EQ(shapes(LstmConfig{}), (Lines{"blocks.0.lstm.weight_ih_l0(40 x 10)", "blocks.0.lstm.weight_hh_l0(40 x 10)",
                                         "blocks.0.lstm.bias_ih_l0(40)", "blocks.0.lstm.bias_hh_l0(40)",
                                         "blocks.0.lstm.h0(10)", "blocks.0.lstm.c0(10)"}));
  EXPECT_EQ(shapes(AttentionConfig{.heads = 5, .kv_heads = 1}),
            (Lines{"blocks.0.attention.q_proj.weight(10 x 10)", "blocks.0.attention.k_proj.weight(2 x 10)",
                   "blocks.0.attention.v_proj.weight(2 x 10)", "blocks.0.attention.o_proj.weight(10 x 10)"}));
  EXPECT_EQ(shapes(MlpConfig{.hidden = 7, .gated = true}),
            (Lines{"blocks.0.mlp.up.weight(7 x 10)", "blocks.0.mlp.up.bias(7)", "blocks.0.mlp.gate.weight(7 x 10)",
                   "blocks.0.mlp.gate.bias(7)", "blocks.0.mlp.down.weight(10 x 7)", "blocks.0.mlp.down.bias(10)"}));
  EXPECT_EQ(shapes(SelectiveConfig{}),
            (Lines{"blocks.0.selective.delta.weight(10 x 10)", "blocks.0.selective.delta.bias(10)",
                   "blocks.0.selective.input.weight(10 x 10)", "blocks.0.selective.input.bias(10)",
                   "blocks.0.selective.log_a(10)", "blocks.0.selective.h0(10)"}));
}

TEST(CheckTensors, ListsEveryMisfitInOneMessage) {
  const ModelConfig config = one_block(GruConfig{});
  std::vector<Tensor> tensors = tensors_of(config);
  std::erase_if(tensors,
                [](const Tensor& t) { return t.name == "encoder.bias" || t.name == "blocks.0.gru.bias_hh_l0"; });
  for (Tensor& tensor : tensors) {
    if (tensor.name == "head.0.weight") tensor.shape = {10, 2};
    if (tensor.name == "blocks.0.gru.weight_ih_l0") {
      tensor.shape = {30, 9};
      tensor.values.resize(270);
    }
    if (tensor.name == "head.0.bias") tensor.values[1] = std::nanf("");
  }
  tensors.push_back({"surprise", {2, 3}, std::vector<float>(6)});
  tensors.push_back({"other.surprise", {}, std::vector<float>(1)});
  tensors.push_back({"surprise", {1}, std::vector<float>(1)});
  const auto model = Model::create(config, tensors, {}, "nav.safetensors");
  ASSERT_FALSE(model);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < model.error().size();) {
    const std::size_t end = std::min(model.error().find('\n', at), model.error().size());
    lines.push_back(model.error().substr(at, end - at));
    at = end + 1;
  }
  EXPECT_EQ(lines.size(), 8U) << model.error();
  for (const std::string expected :
       {"[weights] encoder.bias: expected (10), missing in nav.safetensors",
        "[weights] blocks.0.gru.bias_hh_l0: expected (30), missing in nav.safetensors",
        "[weights] head.0.weight: expected (2 x 10), found (10 x 2) in nav.safetensors; change the configuration or "
        "retrain",
        "[weights] blocks.0.gru.weight_ih_l0: expected (30 x 10), found (30 x 9) in nav.safetensors; change the "
        "configuration or retrain",
        "[weights] head.0.bias: has a value that is not finite in nav.safetensors",
        "[weights] surprise: appears twice in nav.safetensors",
        "[weights] surprise: unexpected (2 x 3) in nav.safetensors; the configuration has no such part",
        "[weights] other.surprise: unexpected () in nav.safetensors; the configuration has no such part"}) {
    EXPECT_NE(std::find(lines.begin(), lines.end(), expected), lines.end()) << expected << "\nnot in\n"
                                                                            << model.error();
  }
}

TEST(CheckTensors, RefusesValuesThatDoNotFillTheirShape) {
  const ModelConfig config = one_block(GruConfig{});
  for (const int change : {-1, 1}) {
    std::vector<Tensor> tensors = tensors_of(config);
    for (Tensor& tensor : tensors) {
      if (tensor.name == "blocks.0.gru.bias_hh_l0") tensor.values.resize(static_cast<std::size_t>(30 + change));
    }
    const auto model = Model::create(config, tensors);
    ASSERT_FALSE(model) << change;
    EXPECT_TRUE(contains(model.error(), "blocks.0.gru.bias_hh_l0")) << model.error();
  }
}

// --- fingerprints

TEST(Fingerprint, IsTheSameForTheSameModelOnEveryInstructionSet) {
  const ModelConfig config = hybrid_config();
  const std::uint64_t expected = model_of(config).fingerprint();
  for (const Isa isa : kEachIsa) {
    if (const auto model = Model::create(config, tensors_of(config), {.isa = isa})) {
      EXPECT_EQ(model->fingerprint(), expected) << name(isa);
    }
  }
}

TEST(Fingerprint, DoesNotHangOnTheOrderOfTensors) {
  const ModelConfig config = hybrid_config();
  auto tensors = tensors_of(config);
  const std::uint64_t expected = Model::create(config, tensors).value().fingerprint();
  std::reverse(tensors.begin(), tensors.end());
  EXPECT_EQ(Model::create(config, tensors).value().fingerprint(), expected);
}

TEST(Fingerprint, ChangesWithAnySingleWeight) {
  for (const BlockKind& kind : all_kinds()) {
    ModelConfig config = one_block(kind, Norm::layer);
    config.learned_start = true;
    config.blocks[0].mix = Mix::glu;
    std::vector<Tensor> tensors = tensors_of(config);
    std::set<std::uint64_t> seen = {Model::create(config, tensors).value().fingerprint()};
    for (Tensor& tensor : tensors) {
      for (float& value : tensor.values) {
        const float before = value;
        value = before + 1e-4F;
        EXPECT_TRUE(seen.insert(Model::create(config, tensors).value().fingerprint()).second) << tensor.name;
        value = before;
      }
    }
  }
}

struct ConfigChange {
  const char* field;
  std::function<void(ModelConfig&)> apply;
};

template <class Kind>
Kind& kind_at(ModelConfig& config, std::size_t i) {
  return std::get<Kind>(config.blocks[i].kind);
}

TEST(Fingerprint, ChangesWithAnyFieldOfTheConfiguration) {
  // in hybrid_config: 0 s4d, 1 mamba, 2 attention, 3 gru, 4 lstm, 5 s4d, 6 attention, 7 mlp, 8 selective
  const std::vector<ConfigChange> changes = {
      {"inputs", [](ModelConfig& c) { c.inputs = 4; }},
      {"outputs",
       [](ModelConfig& c) {
         c.outputs = 3, c.normaliser.restore = {1, -1, -1};
       }},
      {"width", [](ModelConfig& c) { c.width = 24; }},
      {"weights", [](ModelConfig& c) { c.weights = Precision::bfloat16; }},
      {"missing", [](ModelConfig& c) { c.missing = Missing::zero; }},
      {"mask_input", [](ModelConfig& c) { c.mask_input = false; }},
      {"inputs and mask_input", [](ModelConfig& c) { c.inputs = 6, c.mask_input = false; }},
      {"learned_start", [](ModelConfig& c) { c.learned_start = true; }},
      {"normaliser.kind", [](ModelConfig& c) { c.normaliser.kind = NormaliserKind::none, c.normaliser.restore = {}; }},
      {"normaliser.decay", [](ModelConfig& c) { c.normaliser.decay = 0.8; }},
      {"normaliser.decay, a little", [](ModelConfig& c) { c.normaliser.decay = 0.9 + 1e-9; }},
      {"normaliser.epsilon", [](ModelConfig& c) { c.normaliser.epsilon = 1e-7; }},
      {"normaliser.epsilon, a little", [](ModelConfig& c) { c.normaliser.epsilon = 1e-8 * (1 + 1e-9); }},
      {"normaliser.restore",
       [](ModelConfig& c) {
         c.normaliser.restore = {1, 1};
       }},
      {"normaliser.restore, none", [](ModelConfig& c) { c.normaliser.restore = {}; }},
      {"norm", [](ModelConfig& c) { c.norm = Norm::layer; }},
      {"norm, none", [](ModelConfig& c) { c.norm = Norm::none; }},
      {"head.hidden", [](ModelConfig& c) { c.head.hidden = {10}; }},
      {"head.activation", [](ModelConfig& c) { c.head.activation = Activation::silu; }},
      {"blocks", [](ModelConfig& c) { c.blocks.pop_back(); }},
      {"block.norm", [](ModelConfig& c) { c.blocks[0].norm = Norm::none; }},
      {"block.post", [](ModelConfig& c) { c.blocks[0].post = Activation::silu; }},
      {"block.mix", [](ModelConfig& c) { c.blocks[0].mix = Mix::linear; }},
      {"block.residual", [](ModelConfig& c) { c.blocks[0].residual = false; }},
      {"s4d.state", [](ModelConfig& c) { kind_at<S4dConfig>(c, 0).state = 6; }},
      {"s4d.discretisation",
       [](ModelConfig& c) { kind_at<S4dConfig>(c, 0).discretisation = Discretisation::bilinear; }},
      {"mamba.state", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).state = 4; }},
      {"mamba.conv", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).conv = 3; }},
      {"mamba.expand", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).expand = 3; }},
      {"mamba.dt_rank", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).dt_rank = 2; }},
      {"attention.heads", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 6).heads = 3; }},
      {"attention.kv_heads", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 6).kv_heads = 1; }},
      {"attention.window", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).window = 15; }},
      {"attention.rotary", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).rotary = false; }},
      {"attention.rotary_base", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).rotary_base = 9999; }},
      {"attention.rotary_base, a little",
       [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).rotary_base = 10000.001; }},
      {"gru.hidden", [](ModelConfig& c) { kind_at<GruConfig>(c, 3).hidden = 20; }},
      {"lstm.hidden", [](ModelConfig& c) { kind_at<LstmConfig>(c, 4).hidden = 6; }},
      {"mlp.hidden", [](ModelConfig& c) { kind_at<MlpConfig>(c, 7).hidden = 10; }},
      {"mlp.activation", [](ModelConfig& c) { kind_at<MlpConfig>(c, 7).activation = Activation::gelu; }},
      {"mlp.gated", [](ModelConfig& c) { kind_at<MlpConfig>(c, 7).gated = false; }},
      {"selective.hidden", [](ModelConfig& c) { kind_at<SelectiveConfig>(c, 8).hidden = 22; }},
  };
  std::set<std::uint64_t> seen = {model_of(hybrid_config()).fingerprint()};
  for (const ConfigChange& change : changes) {
    ModelConfig config = hybrid_config();
    change.apply(config);
    EXPECT_TRUE(seen.insert(model_of(config).fingerprint()).second) << change.field;
  }
}

TEST(Fingerprint, DoesNotChangeWhenADefaultIsSpelledOut) {
  ModelConfig plain{.inputs = 1, .outputs = 1, .width = 32}, spelled = plain;
  plain.blocks = {{.kind = MambaConfig{}},
                  {.kind = GruConfig{}},
                  {.kind = AttentionConfig{}},
                  {.kind = MlpConfig{}},
                  {.kind = SelectiveConfig{}}};
  spelled.blocks = {{.kind = MambaConfig{.dt_rank = 2}},
                    {.kind = GruConfig{.hidden = 32}},
                    {.kind = AttentionConfig{.kv_heads = 4}},
                    {.kind = MlpConfig{.hidden = 128}},
                    {.kind = SelectiveConfig{.hidden = 32}}};
  EXPECT_EQ(model_of(plain).fingerprint(), model_of(spelled).fingerprint());
}

// --- sizes and precision

TEST(Model, CountsItsParameters) {
  const ModelConfig config = hybrid_config();
  std::int64_t expected = 0;
  for (const Tensor& tensor : tensors_of(config)) expected += static_cast<std::int64_t>(tensor.values.size());
  EXPECT_EQ(model_of(config).parameters(), expected);
}

class Rounded : public testing::TestWithParam<Precision> {};

TEST_P(Rounded, TakesAHalfOrAQuarterOfTheBytesAndStaysWithinTwoPercent) {
  ModelConfig config{.inputs = 4, .outputs = 3, .width = 64};
  config.blocks = {{.kind = MambaConfig{}},
                   {.kind = AttentionConfig{.window = 32}},
                   {.kind = GruConfig{}},
                   {.kind = MlpConfig{.gated = true}}};
  const auto tensors = tensors_of(config);
  const Model whole = Model::create(config, tensors, {.isa = test_isa()}).value();
  const Model half = Model::create(config, tensors, {.isa = test_isa(), .weights = GetParam()}).value();
  EXPECT_EQ(half.config().weights, GetParam());
  const double ratio = static_cast<double>(half.weight_bytes()) / static_cast<double>(whole.weight_bytes());
  const double aim = GetParam() == Precision::bfloat16 ? 0.5 : 0.25;
  EXPECT_GT(ratio, aim - 0.01);
  EXPECT_LT(ratio, aim + 0.06);  // vectors stay in float32

  Stream exact(whole), rounded(half);
  std::vector<double> low(3, HUGE_VAL), high(3, -HUGE_VAL), worst(3, 0.0);
  for (int t = 0; t < 300; ++t) {
    exact.advance(Input{4}(t));
    rounded.advance(Input{4}(t));
    for (std::size_t j = 0; j < 3; ++j) {
      const double y = exact.output()[j];
      low[j] = std::min(low[j], y);
      high[j] = std::max(high[j], y);
      worst[j] = std::max(worst[j], std::fabs(y - rounded.output()[j]));
    }
  }
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_GT(high[j] - low[j], 0.1);
    EXPECT_LT(worst[j], 0.02 * (high[j] - low[j]));
    EXPECT_GT(worst[j], 0.0);
  }
}
INSTANTIATE_TEST_SUITE_P(Model, Rounded, testing::Values(Precision::bfloat16, Precision::int8),
                         [](const auto& of) { return std::string(name(of.param)); });

TEST(Model, InBfloat16IsTheSameWhetherTheConfigurationOrTheOptionSaysSo) {
  ModelConfig config = hybrid_config();
  const auto tensors = tensors_of(config);
  const Model asked = Model::create(config, tensors, {.weights = Precision::bfloat16}).value();
  config.weights = Precision::bfloat16;
  EXPECT_EQ(asked.fingerprint(), Model::create(config, tensors).value().fingerprint());
}

TEST(Model, IsRefusedForAnInstructionSetThatIsNotThere) {
  for (const Isa isa : kEachIsa) {
    const auto model = Model::create(tiny_config(), tensors_of(tiny_config()), {.isa = isa});
    EXPECT_EQ(static_cast<bool>(model), static_cast<bool>(kernels(isa)));
    if (model) {
      EXPECT_EQ(model->isa(), isa);
    } else {
      EXPECT_TRUE(contains(model.error(), name(isa))) << model.error();
    }
  }
}

}  // namespace
}  // namespace elastane
