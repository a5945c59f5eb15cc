// Tests of elastane/io/config_json.cpp: configurations there and back, and what is refused by name.
#include "elastane/io/config_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "elastane/core/base/random.h"
#include "tests/core/models.h"

namespace elastane {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// the message that refuses the text; "" if it is taken
std::string refusal(const std::string& text) {
  const auto config = config_from_json(text);
  if (config) return "";
  EXPECT_TRUE(config.error().starts_with("[config] ")) << config.error();
  return config.error();
}

// --- there and back

template <class T>
T pick(Random& random, std::initializer_list<T> choices) {
  return choices.begin()[random.below(static_cast<int>(choices.size()))];
}

Activation some_activation(Random& random) {
  return pick(random, {Activation::tanh, Activation::silu, Activation::gelu});
}

BlockKind random_kind(Random& random) {
  switch (random.below(9)) {
    case 0:
      return S4dConfig{.state = 2 + 2 * random.below(512),
                       .discretisation = pick(random, {Discretisation::zoh, Discretisation::bilinear})};
    case 1:
      return MambaConfig{.state = 1 + random.below(64),
                         .conv = 1 + random.below(8),
                         .expand = 1 + random.below(4),
                         .dt_rank = random.below(5)};
    case 2: return GruConfig{.hidden = random.below(100)};
    case 3: return LstmConfig{.hidden = random.below(100)};
    case 4:
      return AttentionConfig{.heads = pick(random, {1, 2, 4}),
                             .kv_heads = pick(random, {0, 1}),
                             .window = 1 + random.below(1000),
                             .rotary = random.below(2) == 0,
                             .rotary_base = 1 + std::exp(random.uniform(0, 20)),
                             .block = pick(random, {16, 32, 64})};
    case 5:
      return MlpConfig{
          .hidden = random.below(100), .activation = some_activation(random), .gated = random.below(2) == 0};
    case 6:
      return DeltaConfig{.heads = 1,
                         .key = random.below(40),
                         .value = random.below(40),
                         .taps = 1 + random.below(6),
                         .decay = false,
                         .form = pick(random, {DeltaForm::plain, DeltaForm::published}),
                         .gated = random.below(2) == 0,
                         .rule = pick(random, {WriteRule::delta, WriteRule::least_squares}),
                         .noise = random.uniform(0.01, 1),
                         .relax = random.uniform(),
                         .inflate = random.uniform(0, 9),
                         .write = pick(random, {WritePolicy::always, WritePolicy::surprise, WritePolicy::budget,
                                                WritePolicy::seen_twice}),
                         .threshold = random.uniform(),
                         .share = random.uniform(),
                         .burst = random.below(129),
                         .sightings = random.below(200)};
    case 7:
      return RecursionConfig{.hidden = random.below(100),
                             .inner = random.below(50),
                             .form = pick(random, {RecursionForm::contraction, RecursionForm::damped}),
                             .lipschitz = random.uniform(0.01, 0.99),
                             .depth = 1 + random.below(100),
                             .tolerance = random.uniform(1e-6, 1),
                             .start = pick(random, {RecursionStart::warm, RecursionStart::cold}),
                             .halt = pick(random, {Halt::certificate, Halt::ranking, Halt::uniform}),
                             .quantile = random.uniform()};
    default: return SelectiveConfig{.hidden = random.below(100)};
  }
}

ModelConfig random_config(Random& random) {
  ModelConfig c;
  c.inputs = 1 + random.below(1000);
  c.outputs = 1 + random.below(10);
  c.width = 8 * (1 + random.below(100));
  c.weights = pick(random, {Precision::float32, Precision::bfloat16, Precision::int8});
  c.missing = pick(random, {Missing::hold, Missing::zero});
  c.mask_input = random.below(2) == 0;
  c.learned_start = random.below(2) == 0;
  c.normaliser.kind = pick(random, {NormaliserKind::none, NormaliserKind::running});
  c.normaliser.decay = random.uniform(1e-6, 1);
  c.normaliser.epsilon = std::exp(random.uniform(-700, -1));
  if (c.normaliser.kind == NormaliserKind::running && random.below(2) == 0) {
    for (int j = 0; j < c.outputs; ++j) c.normaliser.restore.push_back(random.below(c.inputs + 1) - 1);
  }
  for (int n = 1 + random.below(5); n > 0; --n) {
    BlockConfig block{.kind = random_kind(random)};
    block.norm = pick(random, {Norm::none, Norm::rms, Norm::layer});
    block.post = pick(random, {Activation::none, Activation::tanh, Activation::silu, Activation::gelu});
    block.mix = pick(random, {Mix::linear, Mix::glu});
    block.residual = random.below(2) == 0;
    c.blocks.push_back(block);
    const bool recursion = std::holds_alternative<RecursionConfig>(block.kind);
    if (recursion && c.weights == Precision::int8) c.weights = Precision::bfloat16;  // the two do not go together
  }
  c.norm = pick(random, {Norm::none, Norm::rms, Norm::layer});
  for (int n = random.below(4); n > 0; --n) c.head.hidden.push_back(1 + random.below(500));
  c.head.activation = some_activation(random);
  for (int j = 0, measured = random.below(2); j < measured * c.outputs; ++j) {
    c.noise.push_back(std::exp(random.uniform(-20, 20)));
  }
  return c;
}

TEST(ConfigJson, OfRandomConfigurationsComesBackTheSame) {
  Random random(11);
  for (int i = 0; i < 2000; ++i) {
    const ModelConfig config = random_config(random);
    const std::string text = config_to_json(config);
    const auto back = config_from_json(text);
    ASSERT_TRUE(back) << back.error() << "\n" << text;
    ASSERT_EQ(*back, config) << text;
    ASSERT_EQ(config_to_json(*back), text);
  }
}

TEST(ConfigJson, NoiseThatMakesNoSenseIsRefused) {
  const auto with = [](const std::string& noise) {
    return refusal(R"({"format":1,"outputs":2,"blocks":[{"block":"gru"}],"noise":)" + noise + "}");
  };
  EXPECT_EQ(with("[]"), "");
  EXPECT_EQ(with("[0.5,2]"), "");
  for (const char* bad : {"[1]", "[1,2,3]", "[1,0]", "[1,-2]", "[1,1e300]", "[1,1e-50]", "[1,\"a\"]", "3", "{}"}) {
    EXPECT_TRUE(contains(with(bad), "noise: expected")) << bad;
  }
}

TEST(ConfigJson, HasTheDefaultsOfTheModelFormat) {
  const ModelConfig c = config_from_json(R"({"format":1,"inputs":2,"outputs":3,"width":64,"blocks":[
      {"block":"s4d"},{"block":"mamba"},{"block":"gru"},{"block":"lstm"},{"block":"attention"},{"block":"mlp"},
      {"block":"selective"}]})")
                            .value();
  EXPECT_EQ(c.inputs, 2);
  EXPECT_EQ(c.outputs, 3);
  EXPECT_EQ(c.width, 64);
  EXPECT_EQ(c.weights, Precision::float32);
  EXPECT_EQ(c.missing, Missing::hold);
  EXPECT_FALSE(c.mask_input || c.learned_start);
  EXPECT_EQ(c.normaliser,
            (NormaliserConfig{.kind = NormaliserKind::none, .decay = 0.99, .epsilon = 1e-8, .restore = {}}));
  EXPECT_EQ(c.norm, Norm::rms);
  EXPECT_EQ(c.head, (HeadConfig{.hidden = {}, .activation = Activation::tanh}));
  ASSERT_EQ(c.blocks.size(), 7U);
  for (const BlockConfig& block : c.blocks) {
    EXPECT_EQ(block.norm, Norm::rms);
    EXPECT_EQ(block.post, Activation::none);
    EXPECT_EQ(block.mix, Mix::none);
    EXPECT_TRUE(block.residual);
  }
  EXPECT_EQ(c.blocks[0].kind, BlockKind(S4dConfig{.state = 16, .discretisation = Discretisation::zoh}));
  EXPECT_EQ(c.blocks[1].kind, BlockKind(MambaConfig{.state = 16, .conv = 4, .expand = 2, .dt_rank = 0}));
  EXPECT_EQ(c.blocks[2].kind, BlockKind(GruConfig{}));
  EXPECT_EQ(c.blocks[3].kind, BlockKind(LstmConfig{}));
  EXPECT_EQ(c.blocks[4].kind,
            BlockKind(AttentionConfig{.heads = 4, .kv_heads = 0, .window = 128, .rotary = true, .rotary_base = 10000}));
  EXPECT_EQ(c.blocks[5].kind, BlockKind(MlpConfig{.hidden = 0, .activation = Activation::gelu, .gated = false}));
  EXPECT_EQ(c.blocks[6].kind, BlockKind(SelectiveConfig{}));
}

// --- every key, spelled and misspelled

// a valid text in which `field`, a path such as blocks.4.heads, has been given `value`
std::string with(const std::string& field, const std::string& value) {
  std::ostringstream text;
  // writes the field if it belongs to the part that begins with `prefix`
  const auto extra = [&](const std::string& prefix) {
    if (!field.starts_with(prefix) || contains(field.substr(prefix.size()), ".")) return;
    text << ",\"" << field.substr(prefix.size()) << "\":" << value;
  };
  text << R"({"format":1,"inputs":2,"outputs":2,"width":64)";
  extra("");
  text << R"(,"normaliser":{"kind":"running")";
  extra("normaliser.");
  text << R"(},"head":{"hidden":[3])";
  extra("head.");
  text << R"(},"blocks":[)";
  for (int i = 0; const std::string kind : {"s4d", "mamba", "gru", "lstm", "attention", "mlp", "selective"}) {
    text << (i == 0 ? "" : ",") << "{\"block\":\"" << kind << '"';
    extra("blocks." + std::to_string(i++) + ".");
    text << '}';
  }
  text << "]}";
  return text.str();
}

TEST(ConfigJson, KnowsEveryWordOfEveryEnumeration) {
  const std::map<std::string, std::vector<std::string>> words = {
      {"weights", {"float32", "bfloat16", "int8"}},
      {"missing", {"hold", "zero"}},
      {"norm", {"none", "rms", "layer"}},
      {"head.activation", {"tanh", "silu", "gelu"}},
      {"blocks.0.norm", {"none", "rms", "layer"}},
      {"blocks.1.post", {"none", "tanh", "silu", "gelu"}},
      {"blocks.2.mix", {"none", "linear", "glu"}},
      {"blocks.0.discretisation", {"zoh", "bilinear"}},
      {"blocks.5.activation", {"gelu", "silu", "tanh"}},
  };
  for (const auto& [field, choices] : words) {
    std::vector<ModelConfig> seen;
    for (const std::string& choice : choices) {
      const auto config = config_from_json(with(field, "\"" + choice + "\""));
      ASSERT_TRUE(config) << field << " " << choice << ": " << config.error();
      for (const ModelConfig& other : seen) EXPECT_NE(*config, other) << field << " " << choice;
      seen.push_back(*config);
      EXPECT_TRUE(contains(config_to_json(*config), "\"" + choice + "\"")) << field;
    }
    for (const char* wrong : {"\"sigmoid\"", "\"\"", "1", "null", "true", "[]", "{}", "\"RMS\""}) {
      const std::string why = refusal(with(field, wrong));
      EXPECT_TRUE(contains(why, "[config] " + field + ": expected one of ")) << why;
      for (const std::string& choice : choices) EXPECT_TRUE(contains(why, choice)) << why;
    }
  }
  EXPECT_EQ(config_from_json(with("normaliser.decay", "0.5")).value().normaliser.kind, NormaliserKind::running);
  EXPECT_TRUE(contains(refusal(R"({"format":1,"normaliser":{"kind":"best"},"blocks":[{"block":"gru"}]})"),
                       "normaliser.kind: expected one of none, running, found \"best\""));
}

TEST(ConfigJson, MeansByEveryWordWhatItSays) {
  const auto read = [](const std::string& field, const std::string& word) {
    return config_from_json(with(field, "\"" + word + "\"")).value();
  };
  EXPECT_EQ(read("weights", "bfloat16").weights, Precision::bfloat16);
  EXPECT_EQ(read("missing", "zero").missing, Missing::zero);
  EXPECT_EQ(read("norm", "none").norm, Norm::none);
  EXPECT_EQ(read("norm", "rms").norm, Norm::rms);
  EXPECT_EQ(read("norm", "layer").norm, Norm::layer);
  EXPECT_EQ(read("blocks.0.norm", "layer").blocks[0].norm, Norm::layer);
  EXPECT_EQ(read("blocks.1.post", "none").blocks[1].post, Activation::none);
  EXPECT_EQ(read("blocks.1.post", "tanh").blocks[1].post, Activation::tanh);
  EXPECT_EQ(read("blocks.1.post", "silu").blocks[1].post, Activation::silu);
  EXPECT_EQ(read("blocks.1.post", "gelu").blocks[1].post, Activation::gelu);
  EXPECT_EQ(read("blocks.2.mix", "linear").blocks[2].mix, Mix::linear);
  EXPECT_EQ(read("blocks.2.mix", "glu").blocks[2].mix, Mix::glu);
  EXPECT_EQ(read("head.activation", "silu").head.activation, Activation::silu);
  EXPECT_EQ(std::get<MlpConfig>(read("blocks.5.activation", "tanh").blocks[5].kind).activation, Activation::tanh);
  EXPECT_EQ(std::get<S4dConfig>(read("blocks.0.discretisation", "bilinear").blocks[0].kind).discretisation,
            Discretisation::bilinear);
}

TEST(ConfigJson, NamesAKeyThatItDoesNotKnow) {
  for (const char* field :
       {"heigth", "Width", "normaliser.mean", "head.size", "blocks.0.conv", "blocks.1.heads", "blocks.2.state",
        "blocks.3.gated", "blocks.4.hidden", "blocks.5.rotary", "blocks.6.state", "blocks.0.", "norm2"}) {
    EXPECT_EQ(refusal(with(field, "1")), std::string("[config] ") + field + ": unknown key; see docs/model_format.md");
  }
}

TEST(ConfigJson, NamesAFieldOfTheWrongType) {
  const std::vector<std::string> whole = {"blocks.0.state",    "blocks.1.state",  "blocks.1.conv",   "blocks.1.expand",
                                          "blocks.1.dt_rank",  "blocks.2.hidden", "blocks.3.hidden", "blocks.4.heads",
                                          "blocks.4.kv_heads", "blocks.4.window", "blocks.5.hidden", "blocks.6.hidden"};
  for (const std::string& field : whole) {
    for (const char* wrong : {"1.5", "2.0", "\"2\"", "null", "true", "[2]", "{}", "1e3", "99999999999", "-99999999999",
                              "9223372036854775808", "18446744073709551615", "18446744073709551614", "1e300"}) {
      const std::string why = refusal(with(field, wrong));
      EXPECT_TRUE(contains(why, "[config] " + field + ": expected a whole number"))
          << field << " " << wrong << ": " << why;
    }
  }
  for (const std::string field :
       {"mask_input", "learned_start", "blocks.0.residual", "blocks.4.rotary", "blocks.5.gated"}) {
    for (const char* wrong : {"0", "1", "\"true\"", "null", "[]"}) {
      EXPECT_TRUE(contains(refusal(with(field, wrong)), "[config] " + field + ": expected true or false, found "))
          << field;
    }
  }
  for (const std::string field : {"normaliser.decay", "normaliser.epsilon", "blocks.4.rotary_base"}) {
    for (const char* wrong : {"\"1\"", "null", "true", "[]"}) {
      EXPECT_TRUE(contains(refusal(with(field, wrong)), "[config] " + field + ": expected a number, found ")) << field;
    }
  }
  for (const char* wrong :
       {"1", "null", "{}", "[1.5,0]", "[\"a\",0]", "[null,0]", "[99999999999,0]", "[18446744073709551615,0]"}) {
    const std::string why = refusal(with("normaliser.restore", wrong));
    EXPECT_TRUE(contains(why, "[config] normaliser.restore: expected a list of whole numbers, found "))
        << wrong << ": " << why;
  }
}

TEST(ConfigJson, NamesPartsThatAreNotObjectsOrLists) {
  for (const char* wrong : {"1", "null", "[]", "\"a\""}) {
    EXPECT_TRUE(contains(refusal(std::string(R"({"format":1,"normaliser":)") + wrong + "}"), "normaliser")) << wrong;
    EXPECT_TRUE(contains(refusal(std::string(R"({"format":1,"head":)") + wrong + "}"), "head")) << wrong;
    EXPECT_TRUE(contains(refusal(std::string(R"({"format":1,"blocks":[)") + wrong + "]}"), "blocks.0")) << wrong;
    EXPECT_NE(refusal(wrong), "") << wrong;
  }
  for (const char* wrong : {"1", "null", "{}", "\"a\""}) {
    EXPECT_TRUE(
        contains(refusal(std::string(R"({"format":1,"blocks":)") + wrong + "}"), "blocks: expected a list of blocks"))
        << wrong;
  }
}

TEST(ConfigJson, NamesABlockThatItDoesNotKnow) {
  for (const char* wrong :
       {"{}", R"({"block":"rnn"})", R"({"block":1})", R"({"block":null})", R"({"block":["gru"]})"}) {
    const std::string why = refusal(std::string(R"({"format":1,"blocks":[{"block":"gru"},)") + wrong + "]}");
    EXPECT_TRUE(contains(why,
                         "[config] blocks.1.block: expected s4d, mamba, gru, lstm, attention, mlp, selective, "
                         "recursion or delta, found "))
        << why;
  }
}

TEST(ConfigJson, NeedsItsFormat) {
  EXPECT_TRUE(contains(refusal(R"({"blocks":[{"block":"gru"}]})"), "format: expected 1"));
  EXPECT_TRUE(contains(refusal(R"({"format":2,"blocks":[{"block":"gru"}]})"), "format: expected 1, found 2"));
  EXPECT_TRUE(contains(refusal(R"({"format":"1"})"), "format: expected a whole number"));
}

TEST(ConfigJson, IsValidated) {
  EXPECT_TRUE(contains(refusal(with("blocks.0.state", "3")), "blocks.0.s4d.state: expected an even number, found 3"));
  EXPECT_TRUE(contains(refusal(R"({"format":1})"), "blocks"));
}

TEST(ConfigJson, ThatIsNotJsonIsRefused) {
  for (const char* text : {"", " ", "{", "{]", "nonsense", "{\"format\":1", "{\"format\":1}}", "\xff", "{\"a\":NaN}"}) {
    EXPECT_NE(refusal(text), "") << text;
  }
}

TEST(ConfigJson, WithAKeyThatAppearsTwiceIsRefused) {
  EXPECT_NE(refusal(R"({"format":1,"width":8,"width":16,"blocks":[{"block":"gru"}]})"), "");
  EXPECT_NE(refusal(R"({"format":1,"blocks":[{"block":"gru","norm":"rms","norm":"none"}]})"), "");
}

TEST(ConfigJson, NestedAHundredThousandTimesIsRefusedWithoutACrash) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_NE(refusal(deep), "");
  for (const char* field : {"width", "norm", "mask_input", "normaliser.decay", "normaliser.restore", "blocks.0.state",
                            "blocks.0.norm", "head.activation", "surprise"}) {
    EXPECT_NE(refusal(with(field, deep)), "") << field;
  }
  EXPECT_NE(refusal(R"({"format":1,"blocks":)" + deep + "}"), "");
  EXPECT_NE(refusal(R"({"format":1,"normaliser":)" + deep + "}"), "");
}

TEST(ConfigJson, WithADeepBlockNameIsRefusedWithoutACrash) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_NE(refusal(R"({"format":1,"blocks":[{"block":)" + deep + "}]}"), "");
}

TEST(ConfigJson, ShowsOnlySoMuchOfALongValue) {
  const std::string why = refusal(with("norm", "\"" + std::string(10'000, 'x') + "\""));
  EXPECT_LT(why.size(), 200U);
}

}  // namespace
}  // namespace elastane
