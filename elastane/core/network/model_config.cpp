#include "elastane/core/network/model_config.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "elastane/core/backbone/custom_block.h"
#include "elastane/core/math/kernels.h"

namespace elastane {
namespace {

constexpr std::array<std::string_view, 9> kBuiltIn = {"s4d", "mamba",     "gru",       "lstm", "attention",
                                                      "mlp", "selective", "recursion", "delta"};

bool is_built_in(std::string_view name) { return std::ranges::find(kBuiltIn, name) != kBuiltIn.end(); }

constexpr int kMostChannels = 1 << 16;  // of any one size; keeps every product of two sizes inside an int
constexpr double kMostState = 1 << 24;  // floats of one stream's state: 64 MiB

Error out_of_range(const std::string& field, const std::string& expected, double found) {
  std::string number = std::to_string(found);
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return Error{"[config] " + field + ": expected " + expected + ", found " + number};
}

Status check_size(const std::string& field, int value, int least, int most = kMostChannels) {
  if (value >= least && value <= most) return {};
  return out_of_range(field, std::to_string(least) + " to " + std::to_string(most), value);
}

// limits of each kind, and the floats of state that it takes
struct BlockCheck {
  const std::string where;
  const int width;
  double state = 0;

  Status operator()(const S4dConfig& c) {
    state = static_cast<double>(padded(width)) * c.state;
    if (c.state % 2 != 0) return out_of_range(where + "state", "an even number", c.state);
    return check_size(where + "state", c.state, 2, 1024);
  }
  Status operator()(const MambaConfig& c) {
    state = static_cast<double>(padded(width)) * c.expand * (c.state + c.conv);
    if (Status s = check_size(where + "state", c.state, 1, 1024); !s) return s;
    if (Status s = check_size(where + "conv", c.conv, 1, 64); !s) return s;
    if (Status s = check_size(where + "expand", c.expand, 1, 16); !s) return s;
    return check_size(where + "dt_rank", c.dt_rank, 0, 4096);
  }
  Status operator()(const GruConfig& c) { return check_size(where + "hidden", c.hidden, 0); }
  Status operator()(const LstmConfig& c) { return check_size(where + "hidden", c.hidden, 0); }
  Status operator()(const AttentionConfig& c) {
    if (Status s = check_size(where + "heads", c.heads, 1, 1024); !s) return s;
    if (Status s = check_size(where + "kv_heads", c.kv_heads, 0, c.heads); !s) return s;
    if (Status s = check_size(where + "window", c.window, 1, 1 << 18); !s) return s;
    if (width % c.heads != 0)
      return out_of_range(where + "heads", "a divisor of width " + std::to_string(width), c.heads);
    if (c.kv_heads > 0 && c.heads % c.kv_heads != 0) {
      return out_of_range(where + "kv_heads", "a divisor of heads " + std::to_string(c.heads), c.kv_heads);
    }
    if (c.rotary && width / c.heads % 2 != 0) {
      return out_of_range(where + "heads", "an even head size for rotary positions, width/heads", width / c.heads);
    }
    if (c.rotary && !(c.rotary_base > 1 && c.rotary_base < 1e12)) {
      return out_of_range(where + "rotary_base", "between 1 and 1e12", c.rotary_base);
    }
    const int size = width / c.heads, kept = c.kv_heads > 0 ? c.kv_heads : c.heads;
    const AttentionShape step{.size = size, .bfloat16 = c.bfloat16_cache};
    state = static_cast<double>(kept) * (step.key_rows() + step.value_words()) *
            (padded(c.window) + 2.0 * kMostBlock + c.sink);
    return check_modes(c);
  }
  Status check_modes(const AttentionConfig& c) const {
    if (c.block != 16 && c.block != 32 && c.block != 64) {
      return out_of_range(where + "block", "16, 32 or 64", c.block);
    }
    const std::string multiple = "a multiple of block " + std::to_string(c.block);
    const bool sparse = c.local != 0 || c.sink != 0;
    if (c.sink < 0 || c.sink % c.block != 0) return out_of_range(where + "sink", multiple, c.sink);
    if (c.local < 0 || c.local % c.block != 0) return out_of_range(where + "local", multiple, c.local);
    if (sparse && c.window % c.block != 0) return out_of_range(where + "window", multiple, c.window);
    if (c.local > c.window || c.sink > c.window) {
      return out_of_range(where + (c.sink > c.window ? "sink" : "local"),
                          "at most the window " + std::to_string(c.window), c.sink > c.window ? c.sink : c.local);
    }
    const int heads = c.kv_heads > 0 ? c.kv_heads : c.heads;
    if (!c.modes.empty() && c.modes.size() != static_cast<std::size_t>(heads)) {
      return out_of_range(where + "modes", "one entry for each of " + std::to_string(heads) + " key heads, or none",
                          static_cast<double>(c.modes.size()));
    }
    if (c.local == 0 && std::ranges::any_of(c.modes, [](HeadMode mode) { return mode != HeadMode::full; })) {
      return out_of_range(where + "local", "above 0 where heads are not full", c.local);
    }
    return {};
  }
  Status operator()(const MlpConfig& c) {
    if (c.activation == Activation::none) return Error{"[config] " + where + "activation: expected tanh, silu or gelu"};
    return check_size(where + "hidden", c.hidden, 0);
  }
  Status operator()(const SelectiveConfig& c) {
    if (Status s = check_size(where + "hidden", c.hidden, 0); !s) return s;
    state = padded(c.hidden > 0 ? c.hidden : width);
    return {};
  }
  Status operator()(const RecursionConfig& c) {
    state = padded(c.hidden > 0 ? c.hidden : width);
    if (Status s = check_size(where + "hidden", c.hidden, 0, 4096); !s) return s;
    if (Status s = check_size(where + "inner", c.inner, 0, 4096); !s) return s;
    if (Status s = check_size(where + "depth", c.depth, 1, 1 << 16); !s) return s;
    if (Status s = check_size(where + "classes", c.classes, 0, 1024); !s) return s;
    const bool literal = c.form == RecursionForm::literal, flat = c.shape == RecursionShape::flat;
    if (!literal && !(c.lipschitz > 0 && c.lipschitz < 1)) {
      return out_of_range(where + "lipschitz", "above 0 and below 1, so that depth converges", c.lipschitz);
    }
    if (!(c.tolerance > 0 && c.tolerance < 1e6)) return out_of_range(where + "tolerance", "above 0", c.tolerance);
    if (!(c.quantile >= 0 && c.quantile <= 1)) return out_of_range(where + "quantile", "0 to 1", c.quantile);
    if (!(c.hurst > 0 && c.hurst <= 1)) return out_of_range(where + "hurst", "above 0, at most 1", c.hurst);
    if (!std::isfinite(c.threshold)) return out_of_range(where + "threshold", "a finite number", c.threshold);
    if (c.lipschitz_norm != (flat ? LipschitzNorm::two : LipschitzNorm::sup)) {
      return Error{"[config] " + where + "lipschitz_norm: expected " +
                   (flat ? "two for a flat" : "sup for cells in a") + " recursion, found " + (flat ? "sup" : "two")};
    }
    return flat ? check_rule(c) : check_cells(c);
  }
  Status check_rule(const RecursionConfig& c) const {
    const bool literal = c.form == RecursionForm::literal;
    if (literal && c.halt == Halt::certificate) {
      return Error{"[config] " + where +
                   "halt: a literal recursion has no certificate; use margin, learned, ranking or uniform"};
    }
    if ((c.halt == Halt::margin || c.halt == Halt::learned) && c.classes < 2) {
      return out_of_range(where + "classes", "at least 2 for margin and learned halting", c.classes);
    }
    if (c.chord && c.form != RecursionForm::contraction) {
      return Error{"[config] " + where + "chord: expected false; only the form contraction has one"};
    }
    return {};
  }
  Status check_cells(const RecursionConfig& c) {
    constexpr int kMostSide = 1024, kMostCells = 1 << 18;
    if (Status s = check_size(where + "rows", c.rows, 1, c.shape == RecursionShape::line ? 1 : kMostSide); !s) return s;
    if (Status s = check_size(where + "cols", c.cols, 1, kMostCells); !s) return s;
    if (Status s = check_size(where + "rows x cols", c.rows * std::min(c.cols, kMostCells), 1, kMostCells); !s)
      return s;
    const int cells = c.rows * c.cols;
    state = static_cast<double>(c.hidden > 0 ? c.hidden : 8) * padded(cells);
    if (width % cells != 0) {
      return out_of_range("width", "a multiple of the " + std::to_string(cells) + " cells of " + where, width);
    }
    if (c.form == RecursionForm::literal) {
      return Error{"[config] " + where + "form: expected contraction or damped for cells, found literal"};
    }
    if (c.halt == Halt::learned || c.halt == Halt::ranking) {
      return Error{"[config] " + where + "halt: expected certificate, margin or uniform for cells"};
    }
    if (c.classes > 0 || c.chord)
      return Error{"[config] " + where + "classes and chord: only a flat recursion has them"};
    return {};
  }
  Status operator()(const DeltaConfig& c) {
    if (Status s = check_size(where + "heads", c.heads, 1, 1024); !s) return s;
    if (Status s = check_size(where + "key", c.key, 0, 4096); !s) return s;
    if (Status s = check_size(where + "value", c.value, 0, 4096); !s) return s;
    if (Status s = check_size(where + "taps", c.taps, 1, 64); !s) return s;
    const int key = c.key > 0 ? c.key : width / c.heads, value = c.value > 0 ? c.value : width / c.heads;
    if (c.heads > 1 && key % kLane != 0) return out_of_range(where + "key", "a multiple of 16 with several heads", key);
    if (c.heads > 1 && value % kLane != 0) {
      return out_of_range(where + "value", "a multiple of 16 with several heads", value);
    }
    if (key < 1 || value < 1) return out_of_range(where + "heads", "at most width " + std::to_string(width), c.heads);
    const double matrix = static_cast<double>(c.heads) * key * (padded(value) + key);
    state = matrix + static_cast<double>(c.heads) * c.taps * (2.0 * padded(key) + padded(value)) + 4.0 * c.sightings;
    return check_writes(c);
  }
  Status check_writes(const DeltaConfig& c) const {
    const auto within = [&](const char* name, double value, double least, double most) -> Status {
      if (value >= least && value <= most) return {};
      return out_of_range(where + name, std::to_string(least) + " to " + std::to_string(most), value);
    };
    if (c.rule == WriteRule::least_squares && c.decay) {
      return Error{"[config] " + where + "decay: expected false with rule \"least_squares\"; use relax"};
    }
    if (Status s = within("noise", c.noise, 1e-6, 1e6); !s) return s;
    if (Status s = within("relax", c.relax, 0, 1); !s) return s;
    if (Status s = within("inflate", c.inflate, 0, 1e6); !s) return s;
    if (Status s = within("threshold", c.threshold, 0, 1e6); !s) return s;
    if (Status s = within("share", c.share, 0, 1); !s) return s;
    if (Status s = check_size(where + "burst", c.burst, 0, 128); !s) return s;
    return check_size(where + "sightings", c.sightings, 0, 4096);
  }
  Status operator()(const CustomConfig& c) {
    if (c.kind == nullptr) return Error{"[config] " + where + " expected a custom kind, found none"};
    if (is_built_in(c.kind->name()))
      return Error{"[config] " + where + " is the name of a built-in kind; rename yours"};
    if (Status s = c.kind->validate(width); !s) return s;
    Binder binder(Precision::float32);
    const StateClasses classes = bind(c, width, false, binder).state();
    state = static_cast<double>(classes.dense) + classes.ring + 1.0 * classes.slow.rows * classes.slow.row;
    return {};
  }
};

int out_size(const BlockConfig& block, int width) {
  int hidden = 0;
  if (const auto* custom = std::get_if<CustomConfig>(&block.kind)) {
    Binder binder(Precision::float32);
    return bind(*custom, width, false, binder).out_size();
  }
  if (const auto* gru = std::get_if<GruConfig>(&block.kind)) hidden = gru->hidden;
  if (const auto* lstm = std::get_if<LstmConfig>(&block.kind)) hidden = lstm->hidden;
  if (const auto* selective = std::get_if<SelectiveConfig>(&block.kind)) hidden = selective->hidden;
  if (const auto* r = std::get_if<RecursionConfig>(&block.kind)) {
    hidden = r->shape == RecursionShape::flat ? r->hidden : 0;
  }
  return hidden > 0 ? hidden : width;
}

Status check_normaliser(const ModelConfig& c) {
  const NormaliserConfig& n = c.normaliser;
  if (!(n.decay > 0 && n.decay < 1)) return out_of_range("normaliser.decay", "between 0 and 1", n.decay);
  if (!(n.epsilon > 0 && n.epsilon < 1)) return out_of_range("normaliser.epsilon", "between 0 and 1", n.epsilon);
  if (n.restore.empty()) return {};
  if (n.kind == NormaliserKind::none) return Error{"[config] normaliser.restore: needs kind \"running\""};
  if (n.restore.size() != static_cast<std::size_t>(c.outputs)) {
    return out_of_range("normaliser.restore", "one entry for each of " + std::to_string(c.outputs) + " outputs",
                        static_cast<double>(n.restore.size()));
  }
  for (const int channel : n.restore) {
    if (Status s = check_size("normaliser.restore", channel, -1, c.inputs - 1); !s) return s;
  }
  return {};
}

Status check_noise(const ModelConfig& c) {
  if (!c.noise.empty() && c.noise.size() != static_cast<std::size_t>(c.outputs)) {
    return out_of_range("noise", "one entry for each of " + std::to_string(c.outputs) + " outputs, or none",
                        static_cast<double>(c.noise.size()));
  }
  for (const double sigma : c.noise) {
    if (!(sigma > 1e-30 && sigma < 1e12)) return out_of_range("noise", "above 1e-30, below 1e12", sigma);
  }
  return {};
}

}  // namespace

std::string_view block_name(const BlockConfig& block) {
  const auto* custom = std::get_if<CustomConfig>(&block.kind);
  if (custom == nullptr) return kBuiltIn[block.kind.index()];
  return custom->kind == nullptr ? "custom" : custom->kind->name();
}

Status validate(const ModelConfig& c) {
  if (Status s = check_size("inputs", c.inputs, 1); !s) return s;
  if (Status s = check_size("outputs", c.outputs, 1); !s) return s;
  if (Status s = check_size("width", c.width, 1, c.ends == Ends::none ? 1 << 19 : 1 << 14); !s) return s;
  if (Status s = check_size("number of blocks", static_cast<int>(c.blocks.size()), 1, 1024); !s) return s;
  if (Status s = check_size("number of head.hidden", static_cast<int>(c.head.hidden.size()), 0, 64); !s) return s;
  for (const int hidden : c.head.hidden) {
    if (Status s = check_size("head.hidden", hidden, 1); !s) return s;
  }
  if (c.ends == Ends::none && (c.inputs != c.width || c.outputs != c.width || c.mask_input || !c.head.hidden.empty())) {
    return out_of_range(
        "width", "that of inputs and outputs, without mask_input and head.hidden, where a model has no ends", c.width);
  }
  if (c.head.activation == Activation::none) return Error{"[config] head.activation: expected tanh, silu or gelu"};
  if (Status s = check_normaliser(c); !s) return s;
  if (Status s = check_noise(c); !s) return s;
  if (c.metric.present) {
    if (Status s = check_size("metric.rank", c.metric.rank, 0, 32); !s) return s;
  }

  double state = 0;
  for (std::size_t i = 0; i < c.blocks.size(); ++i) {
    const BlockConfig& block = c.blocks[i];
    const std::string where = "blocks." + std::to_string(i) + "." + std::string(block_name(block)) + ".";
    BlockCheck check{where, c.width};
    if (Status s = std::visit(check, block.kind); !s) return s;
    state += check.state;
    if (c.weights == Precision::int8 && std::holds_alternative<RecursionConfig>(block.kind)) {
      return Error{
          "[config] weights: expected float32 or bfloat16 for a recursion, found int8; its certificate does not "
          "hold for rounded inputs"};
    }
    const int out = out_size(block, c.width);
    if (block.mix == Mix::none && out != c.width) {
      return out_of_range(where + "hidden", "the width " + std::to_string(c.width) + ", or mix linear or glu", out);
    }
  }
  if (state > kMostState) return out_of_range("state of one stream", "at most 2^24 floats", state);
  return {};
}

}  // namespace elastane
