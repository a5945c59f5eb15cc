#include "elastane/io/config_json.h"

#include "elastane/core/backbone/custom_block.h"
#include "elastane/io/json_fields.h"

namespace elastane {
namespace {

constexpr std::array kPrecision = {Spelling{Precision::float32, name(Precision::float32).data()},
                                   Spelling{Precision::bfloat16, name(Precision::bfloat16).data()},
                                   Spelling{Precision::int8, name(Precision::int8).data()}};
constexpr std::array kMissing = {Spelling{Missing::hold, "hold"}, Spelling{Missing::zero, "zero"}};
constexpr std::array kNormaliser = {Spelling{NormaliserKind::none, "none"},
                                    Spelling{NormaliserKind::running, "running"}};
constexpr std::array kNorm = {Spelling{Norm::none, "none"}, Spelling{Norm::rms, "rms"}, Spelling{Norm::layer, "layer"}};
constexpr std::array kMix = {Spelling{Mix::none, "none"}, Spelling{Mix::linear, "linear"}, Spelling{Mix::glu, "glu"}};
constexpr std::array kActivation = {Spelling{Activation::none, "none"}, Spelling{Activation::tanh, "tanh"},
                                    Spelling{Activation::silu, "silu"}, Spelling{Activation::gelu, "gelu"}};
constexpr std::array kDiscretisation = {Spelling{Discretisation::zoh, "zoh"},
                                        Spelling{Discretisation::bilinear, "bilinear"}};

constexpr std::array kHeadMode = {Spelling{HeadMode::full, "full"}, Spelling{HeadMode::stream, "stream"},
                                  Spelling{HeadMode::blocks, "blocks"}};

constexpr std::array kEnds = {Spelling{Ends::dense, "dense"}, Spelling{Ends::none, "none"}};
constexpr std::array kForm = {Spelling{RecursionForm::contraction, "contraction"},
                              Spelling{RecursionForm::damped, "damped"}, Spelling{RecursionForm::literal, "literal"}};
constexpr std::array kShape = {Spelling{RecursionShape::flat, "flat"}, Spelling{RecursionShape::grid, "grid"},
                               Spelling{RecursionShape::line, "line"}};
constexpr std::array kLipschitzNorm = {Spelling{LipschitzNorm::two, "two"}, Spelling{LipschitzNorm::sup, "sup"}};
constexpr std::array kStart = {Spelling{RecursionStart::warm, "warm"}, Spelling{RecursionStart::cold, "cold"}};
constexpr std::array kHalt = {Spelling{Halt::certificate, "certificate"}, Spelling{Halt::margin, "margin"},
                              Spelling{Halt::learned, "learned"}, Spelling{Halt::ranking, "ranking"},
                              Spelling{Halt::uniform, "uniform"}};
constexpr std::array kDeltaForm = {Spelling{DeltaForm::plain, "plain"}, Spelling{DeltaForm::published, "published"}};
constexpr std::array kWriteRule = {Spelling{WriteRule::delta, "delta"},
                                   Spelling{WriteRule::least_squares, "least_squares"}};
constexpr std::array kWritePolicy = {
    Spelling{WritePolicy::always, "always"}, Spelling{WritePolicy::surprise, "surprise"},
    Spelling{WritePolicy::budget, "budget"}, Spelling{WritePolicy::seen_twice, "seen_twice"}};

template <class Enum, std::size_t n>
std::string word(const std::array<Spelling<Enum>, n>& spellings, Enum value) {
  for (const auto& s : spellings) {
    if (s.value == value) return std::string(s.word);
  }
  return "";
}

// the fields of each kind of block, once for reading
void read_kind(Fields& f, S4dConfig& c) {
  f.number("state", c.state);
  f.choice("discretisation", kDiscretisation, c.discretisation);
}
void read_kind(Fields& f, MambaConfig& c) {
  f.number("state", c.state);
  f.number("conv", c.conv);
  f.number("expand", c.expand);
  f.number("dt_rank", c.dt_rank);
}
void read_kind(Fields& f, GruConfig& c) { f.number("hidden", c.hidden); }
void read_kind(Fields& f, LstmConfig& c) { f.number("hidden", c.hidden); }
void read_kind(Fields& f, AttentionConfig& c) {
  f.number("heads", c.heads);
  f.number("kv_heads", c.kv_heads);
  f.number("window", c.window);
  f.number("rotary", c.rotary);
  f.number("rotary_base", c.rotary_base);
  f.number("block_size", c.block);  // "block" is the kind
  f.number("sink", c.sink);
  f.number("local", c.local);
  f.choices("modes", kHeadMode, c.modes);
  f.number("bfloat16_cache", c.bfloat16_cache);
}
void read_kind(Fields& f, MlpConfig& c) {
  f.number("hidden", c.hidden);
  f.choice("activation", kActivation, c.activation);
  f.number("gated", c.gated);
}
void read_kind(Fields& f, SelectiveConfig& c) { f.number("hidden", c.hidden); }
void read_kind(Fields& f, RecursionConfig& c) {
  f.number("hidden", c.hidden);
  f.number("inner", c.inner);
  f.choice("form", kForm, c.form);
  f.choice("shape", kShape, c.shape);
  if (c.shape != RecursionShape::flat) c.lipschitz_norm = LipschitzNorm::sup;
  f.choice("lipschitz_norm", kLipschitzNorm, c.lipschitz_norm);
  f.number("lipschitz", c.lipschitz);
  f.number("rows", c.rows);
  f.number("cols", c.cols);
  f.number("depth", c.depth);
  f.number("tolerance", c.tolerance);
  f.choice("start", kStart, c.start);
  f.choice("halt", kHalt, c.halt);
  f.number("classes", c.classes);
  f.number("threshold", c.threshold);
  f.number("quantile", c.quantile);
  f.number("hurst", c.hurst);
  f.number("chord", c.chord);
}
void read_kind(Fields& f, DeltaConfig& c) {
  f.number("heads", c.heads);
  f.number("key", c.key);
  f.number("value", c.value);
  f.number("taps", c.taps);
  f.number("decay", c.decay);
  f.choice("form", kDeltaForm, c.form);
  f.number("gated", c.gated);
  f.choice("rule", kWriteRule, c.rule);
  f.number("noise", c.noise);
  f.number("relax", c.relax);
  f.number("inflate", c.inflate);
  f.choice("write", kWritePolicy, c.write);
  f.number("threshold", c.threshold);
  f.number("share", c.share);
  f.number("burst", c.burst);
  f.number("sightings", c.sightings);
}
void read_kind(Fields&, CustomConfig&) {}  // its maker has read them

// and once for writing
void write_kind(const S4dConfig& c, OrderedJson& j) {
  j["state"] = c.state;
  j["discretisation"] = word(kDiscretisation, c.discretisation);
}
void write_kind(const MambaConfig& c, OrderedJson& j) {
  j["state"] = c.state;
  j["conv"] = c.conv;
  j["expand"] = c.expand;
  if (c.dt_rank > 0) j["dt_rank"] = c.dt_rank;
}
void write_kind(const GruConfig& c, OrderedJson& j) {
  if (c.hidden > 0) j["hidden"] = c.hidden;
}
void write_kind(const LstmConfig& c, OrderedJson& j) {
  if (c.hidden > 0) j["hidden"] = c.hidden;
}
void write_kind(const AttentionConfig& c, OrderedJson& j) {
  j["heads"] = c.heads;
  if (c.kv_heads > 0) j["kv_heads"] = c.kv_heads;
  j["window"] = c.window;
  j["rotary"] = c.rotary;
  j["rotary_base"] = c.rotary_base;
  if (c.block != AttentionConfig().block) j["block_size"] = c.block;
  if (c.sink > 0) j["sink"] = c.sink;
  if (c.local > 0) j["local"] = c.local;
  for (const HeadMode mode : c.modes) j["modes"].push_back(word(kHeadMode, mode));
  if (c.bfloat16_cache) j["bfloat16_cache"] = true;
}
void write_kind(const MlpConfig& c, OrderedJson& j) {
  if (c.hidden > 0) j["hidden"] = c.hidden;
  j["activation"] = word(kActivation, c.activation);
  j["gated"] = c.gated;
}
void write_kind(const SelectiveConfig& c, OrderedJson& j) {
  if (c.hidden > 0) j["hidden"] = c.hidden;
}

void write_kind(const RecursionConfig& c, OrderedJson& j) {
  const RecursionConfig plain;
  if (c.hidden > 0) j["hidden"] = c.hidden;
  if (c.inner > 0) j["inner"] = c.inner;
  j["form"] = word(kForm, c.form);
  j["shape"] = word(kShape, c.shape);
  j["lipschitz_norm"] = word(kLipschitzNorm, c.lipschitz_norm);
  j["lipschitz"] = c.lipschitz;
  if (c.rows != plain.rows) j["rows"] = c.rows;
  if (c.cols != plain.cols) j["cols"] = c.cols;
  j["depth"] = c.depth;
  j["tolerance"] = c.tolerance;
  j["start"] = word(kStart, c.start);
  j["halt"] = word(kHalt, c.halt);
  if (c.classes > 0) j["classes"] = c.classes;
  if (c.threshold != plain.threshold) j["threshold"] = c.threshold;
  if (c.quantile != plain.quantile) j["quantile"] = c.quantile;
  if (c.hurst != plain.hurst) j["hurst"] = c.hurst;
  if (c.chord) j["chord"] = true;
}

// what a rule or a policy does not use is written only where it was set, so that reading gives the same back
void write_kind(const DeltaConfig& c, OrderedJson& j) {
  const DeltaConfig usual;
  const auto number = [&](const char* name, auto value, auto absent) {
    if (value != absent) j[name] = value;
  };
  j["heads"] = c.heads;
  number("key", c.key, 0);
  number("value", c.value, 0);
  j["taps"] = c.taps;
  j["decay"] = c.decay;
  if (c.form != usual.form) j["form"] = word(kDeltaForm, c.form);
  number("gated", c.gated, usual.gated);
  j["rule"] = word(kWriteRule, c.rule);
  number("noise", c.noise, usual.noise);
  number("relax", c.relax, usual.relax);
  number("inflate", c.inflate, usual.inflate);
  j["write"] = word(kWritePolicy, c.write);
  number("threshold", c.threshold, usual.threshold);
  number("share", c.share, usual.share);
  number("burst", c.burst, usual.burst);
  number("sightings", c.sightings, usual.sightings);
}
void write_kind(const CustomConfig& c, OrderedJson& j) {
  for (const CustomSetting& setting : c.kind->settings()) j[setting.name] = setting.value;
}

// a kind that was registered under this name
CustomConfig read_custom(Fields& f, const MakeCustomKind& make) {
  return {make([&](std::string_view name, double absent) {
    double value = absent;
    f.number(std::string(name).c_str(), value);
    return value;
  })};
}

BlockConfig read_block(const Json& json, const std::string& where) {
  BlockConfig block;
  Fields f(json, where);
  const Json* kind = f.find("block");
  const std::string name = kind != nullptr && kind->is_string() ? kind->get<std::string>() : "";
  if (name == "s4d")
    block.kind = S4dConfig{};
  else if (name == "mamba")
    block.kind = MambaConfig{};
  else if (name == "gru")
    block.kind = GruConfig{};
  else if (name == "lstm")
    block.kind = LstmConfig{};
  else if (name == "attention")
    block.kind = AttentionConfig{};
  else if (name == "mlp")
    block.kind = MlpConfig{};
  else if (name == "selective")
    block.kind = SelectiveConfig{};
  else if (name == "recursion")
    block.kind = RecursionConfig{};
  else if (name == "delta")
    block.kind = DeltaConfig{};
  else if (const MakeCustomKind* make = find_custom_kind(name))
    block.kind = read_custom(f, *make);
  else
    f.misfit("block", "s4d, mamba, gru, lstm, attention, mlp, selective, recursion or delta",
             kind == nullptr ? Json() : *kind);
  std::visit([&](auto& config) { read_kind(f, config); }, block.kind);
  f.choice("norm", kNorm, block.norm);
  f.choice("post", kActivation, block.post);
  f.choice("mix", kMix, block.mix);
  f.number("residual", block.residual);
  f.done();
  return block;
}

ModelConfig read_config(const Json& json) {
  ModelConfig c;
  Fields f(json, "");
  int format = 0;
  f.number("format", format);
  if (format != 1)
    throw Misfit("format: expected 1, found " + std::to_string(format) + "; this file needs another version");
  f.number("inputs", c.inputs);
  f.number("outputs", c.outputs);
  f.number("width", c.width);
  f.choice("weights", kPrecision, c.weights);
  f.choice("missing", kMissing, c.missing);
  f.number("mask_input", c.mask_input);
  f.number("learned_start", c.learned_start);
  f.choice("ends", kEnds, c.ends);
  if (const Json* normaliser = f.find("normaliser")) {
    Fields n(*normaliser, "normaliser.");
    n.choice("kind", kNormaliser, c.normaliser.kind);
    n.number("decay", c.normaliser.decay);
    n.number("epsilon", c.normaliser.epsilon);
    n.list("restore", c.normaliser.restore);
    n.done();
  }
  if (const Json* blocks = f.find("blocks")) {
    if (!blocks->is_array()) f.misfit("blocks", "a list of blocks", *blocks);
    for (std::size_t i = 0; i < blocks->size(); ++i) {
      c.blocks.push_back(read_block((*blocks)[i], "blocks." + std::to_string(i) + "."));
    }
  }
  f.choice("norm", kNorm, c.norm);
  if (const Json* head = f.find("head")) {
    Fields h(*head, "head.");
    h.list("hidden", c.head.hidden);
    h.choice("activation", kActivation, c.head.activation);
    h.done();
  }
  if (const Json* metric = f.find("metric")) {
    Fields m(*metric, "metric.");
    c.metric.present = true;
    m.number("rank", c.metric.rank);
    m.done();
  }
  f.list("noise", c.noise);
  f.done();
  return c;
}

}  // namespace

std::string config_to_json(const ModelConfig& c) {
  OrderedJson j = {{"format", 1},
                   {"inputs", c.inputs},
                   {"outputs", c.outputs},
                   {"width", c.width},
                   {"weights", word(kPrecision, c.weights)},
                   {"missing", word(kMissing, c.missing)},
                   {"mask_input", c.mask_input},
                   {"learned_start", c.learned_start}};
  if (c.ends != Ends::dense) j["ends"] = word(kEnds, c.ends);
  j["normaliser"] = {{"kind", word(kNormaliser, c.normaliser.kind)},
                     {"decay", c.normaliser.decay},
                     {"epsilon", c.normaliser.epsilon},
                     {"restore", c.normaliser.restore}};
  j["blocks"] = OrderedJson::array();
  for (const BlockConfig& block : c.blocks) {
    OrderedJson b = {{"block", block_name(block)}};
    std::visit([&](const auto& config) { write_kind(config, b); }, block.kind);
    b["norm"] = word(kNorm, block.norm);
    b["post"] = word(kActivation, block.post);
    b["mix"] = word(kMix, block.mix);
    b["residual"] = block.residual;
    j["blocks"].push_back(b);
  }
  j["norm"] = word(kNorm, c.norm);
  j["head"] = {{"hidden", c.head.hidden}, {"activation", word(kActivation, c.head.activation)}};
  if (c.metric.present) j["metric"] = {{"rank", c.metric.rank}};
  if (!c.noise.empty()) j["noise"] = c.noise;
  return j.dump();
}

Result<ModelConfig> config_from_json(std::string_view text) {
  const auto json = parse_json(text);
  if (!json) return Error{"[config] " + json.error()};
  try {
    ModelConfig config = read_config(*json);
    if (const Status valid = validate(config); !valid) return Error{valid.error()};
    return config;
  } catch (const Misfit& misfit) {
    return Error{std::string("[config] ") + misfit.what()};
  }
}

}  // namespace elastane
