#include "lab/frost/certificates.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "elastane/core/base/random.h"
#include "elastane/core/network/network.h"
#include "elastane/core/stream/stream.h"

namespace elastane::frost {
namespace {

constexpr int kMostIterations = 16;      // of a case
constexpr int kDeep = 240;               // of what stands for infinite depth
constexpr int kTrialSteps = 40;          // of one set of weights
constexpr double kConstant = 0.8;        // that weights contract by
constexpr double kTrialRounding = 4e-6;  // relative, of what stands for h*, and of where a step starts

RecursionConfig config_of(const std::string& form) {
  RecursionConfig c{.lipschitz = kConstant, .depth = kMostIterations, .halt = Halt::uniform};
  if (form == "flat") {
    c.classes = 3;
  } else if (form == "damped") {
    c.form = RecursionForm::damped;
  } else if (form == "chord") {
    c.chord = true;
  } else if (form == "grid") {
    c.shape = RecursionShape::grid, c.rows = 2, c.cols = 3;
  } else if (form == "line") {
    c.shape = RecursionShape::line, c.cols = 4;
  } else {
    throw std::runtime_error("[frost] unknown form \"" + form + "\", expected one of flat, damped, chord, grid, line");
  }
  if (c.shape != RecursionShape::flat) c.lipschitz_norm = LipschitzNorm::sup, c.hidden = 2;
  return c;
}

ModelConfig model_config(const RecursionConfig& block) {
  const int cells = block.shape == RecursionShape::flat ? 3 : block.rows * block.cols, width = 2 * cells;
  ModelConfig config{.inputs = width, .outputs = width, .width = width, .ends = Ends::none, .norm = Norm::none};
  config.blocks = {{.kind = block, .norm = Norm::none, .residual = false}};
  return config;
}

const Recursion& block_of(const Model& model) { return std::get<Recursion>(model.network().layers[0].block); }

// random weights that use all of the constant
std::vector<Tensor> draw_tensors(const ModelConfig& config, Random& random) {
  std::vector<Tensor> tensors = random_tensors(config, random.bits());
  for (Tensor& t : tensors) {
    const bool spread = t.name.ends_with("bias") || t.name.ends_with("offset") || t.name.ends_with("logits") ||
                        t.name.ends_with("signs") || t.name.ends_with("lambda");
    for (float& value : t.values) value = spread ? static_cast<float>(random.uniform(-1, 1)) : value;
  }
  if (std::get<RecursionConfig>(config.blocks[0].kind).shape != RecursionShape::flat) return tensors;
  const double found = block_of(Model::create(config, tensors).value()).measured;
  const double factor = std::sqrt(kConstant / found) * (1 - 1e-6);
  for (Tensor& t : tensors) {
    if (!t.name.ends_with("up.weight") && !t.name.ends_with("down.weight")) continue;
    for (float& value : t.values) value = static_cast<float>(value * factor);
  }
  return tensors;
}

// h, as it lies in the state; its padding is 0
std::span<const float> state_of(const Stream& stream) {
  const StateLayout& layout = stream.model().network().layout;
  return {reinterpret_cast<const float*>(stream.state().data() + layout.dense),
          (layout.ring - layout.dense) / sizeof(float)};
}

struct Distance {
  bool sup;
  double operator()(std::span<const float> a, std::span<const float> b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double apart = std::fabs(static_cast<double>(a[i]) - b[i]);
      sum = sup ? std::max(sum, apart) : sum + apart * apart;
    }
    return sup ? sum : std::sqrt(sum);
  }
};

// one set of weights under inputs that move
class Trial {
 public:
  Trial(const std::string& form, Random& random, Certificates& found)
      : random_(random),
        found_(found),
        block_(config_of(form)),
        config_(model_config(block_)),
        tensors_(draw_tensors(config_, random)) {
    const Model model = Model::create(config_, tensors_).value();
    lipschitz_ = block_of(model).lipschitz;
    distance_.sup = block_.shape != RecursionShape::flat;
    const auto iteration = static_cast<double>(block_of(model).iteration_macs());
    for (int k = 1; k <= kMostIterations; ++k) {
      streams_.emplace_back(model, StreamOptions{.recursion = Budget::macs(k * iteration)});
    }
    RecursionConfig deep = block_;
    deep.depth = kDeep;
    deep_.emplace(with(deep));
    if (block_.classes == 0) return;
    deep.halt = Halt::margin;
    classes_.emplace(with(deep));
  }

  void run() {
    std::vector<float> x(static_cast<std::size_t>(config_.inputs));
    for (float& value : x) value = static_cast<float>(random_.normal());
    errors_.assign(streams_.size(), 0);
    for (int t = 0; t < kTrialSteps; ++t) {
      const double pace = random_.below(4) == 0 ? 1.0 : 0.1;
      for (float& value : x) value += static_cast<float>(pace * random_.normal());
      step(x, t == 0);
    }
  }

 private:
  Model with(const RecursionConfig& block) const {
    ModelConfig config = config_;
    config.blocks[0].kind = block;
    return Model::create(config, tensors_).value();
  }

  void step(const std::vector<float>& x, bool first) {
    const std::vector<float> before(state_of(*deep_).begin(), state_of(*deep_).end());
    deep_->advance(x);
    const std::span<const float> fixed = state_of(*deep_);
    const std::vector<float> zero(fixed.size());
    const double moved = distance_(fixed, before),
                 slack = kTrialRounding * distance_(fixed, zero) / (1 - lipschitz_) + 1e-12;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      const std::vector<float> from(state_of(streams_[i]).begin(), state_of(streams_[i]).end());
      const BlockReport report = streams_[i].advance(x).blocks[0];
      const double error = distance_(state_of(streams_[i]), fixed);
      ++found_.cases;
      found_.posterior += error > report.bound + slack ? 1 : 0;
      found_.tightness += error / (report.bound + slack);
      // where h shrinks to h* = 0 by L an iteration the laws are equalities, with the rounding of where the step starts
      const double rounding = slack + kTrialRounding * distance_(from, zero);
      if (i == 0) {  // one iteration: the state is Φ of what it was
        const double residual = distance_(from, state_of(streams_[i]));
        found_.residual += distance_(from, fixed) > residual / (1 - lipschitz_) + rounding ? 1 : 0;
      }
      const double k = static_cast<double>(i + 1);
      // a longer step is not an iteration of Φ, so it is certified and not tracked
      if (!first && !block_.chord)
        found_.tracking += error > std::pow(lipschitz_, k) * (errors_[i] + moved) + rounding ? 1 : 0;
      errors_[i] = error;
    }
    if (classes_) try_class(x, fixed);
  }

  void try_class(const std::vector<float>& x, std::span<const float> fixed) {
    const BlockReport report = classes_->advance(x).blocks[0];
    ++found_.cases;
    if (report.certified == 0) return;
    found_.classes += class_of(state_of(*classes_)) != class_of(fixed) ? 1 : 0;
  }

  int class_of(std::span<const float> h) const {
    const Recursion& block = block_of(classes_->model());
    double most = -1e300;
    int best = 0;
    for (int c = 0; c < block_.classes; ++c) {
      double logit = block.class_bias[c];
      for (int i = 0; i < block.hidden; ++i)
        logit += static_cast<double>(element(block.classes, c, i)) * h[static_cast<std::size_t>(i)];
      if (logit > most) most = logit, best = c;
    }
    return best;
  }

  Random& random_;
  Certificates& found_;
  RecursionConfig block_;
  ModelConfig config_;
  std::vector<Tensor> tensors_;
  double lipschitz_ = 0;
  Distance distance_{false};
  std::vector<Stream> streams_;  // with 1, 2, … iterations per step
  std::optional<Stream> deep_, classes_;
  std::vector<double> errors_;  // e_{t−1} of each
};

}  // namespace

Certificates try_certificates(const std::string& form, std::int64_t cases, std::uint64_t seed) {
  Certificates found;
  Random random(seed, 11ULL << 48U);
  while (found.cases < cases) Trial(form, random, found).run();
  found.tightness /= static_cast<double>(std::max<std::int64_t>(1, found.cases));
  return found;
}

benchmark::DepthRow to_row(const std::string& form, const Certificates& found, std::uint64_t seed) {
  return {.part = "certificates",
          .task = "random",
          .method = form,
          .size = form == "grid"   ? 12
                  : form == "line" ? 8
                                   : 6,
          .seed = seed,
          .accuracy = found.tightness,
          .violations = static_cast<double>(found.violations()),
          .cases = static_cast<double>(found.cases)};
}

}  // namespace elastane::frost
