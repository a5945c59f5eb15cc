// A stream, a copy of its state, and a NeuralStack bound to that: what tests of derivatives work on.
#pragma once

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "elastane/core/latent/neural_stack.h"
#include "tests/core/models.h"

namespace elastane {

using Vector = std::vector<double>;

struct StackCase {
  std::string name;
  ModelConfig config;
  StackOptions options = {};
};
inline std::ostream& operator<<(std::ostream& out, const StackCase& of) { return out << of.name; }

inline std::string name_of(const BlockKind& kind) {
  const auto* s4d = std::get_if<S4dConfig>(&kind);
  const bool bilinear = s4d != nullptr && s4d->discretisation == Discretisation::bilinear;
  return std::string(block_name({.kind = kind})) + (bilinear ? "_bilinear" : "");
}

// two of the kind with something between them, so that latents below move what lies above
inline ModelConfig sandwich(const BlockKind& kind, Norm norm = Norm::rms) {
  ModelConfig config = one_block(kind, norm);
  config.blocks.push_back({.kind = GruConfig{}, .norm = norm});
  config.blocks.push_back({.kind = kind, .norm = norm});
  return config;
}

inline std::vector<StackCase> stack_cases() {
  std::vector<StackCase> cases;
  for (const BlockKind& kind : all_kinds()) {
    cases.push_back({name_of(kind), one_block(kind)});
    cases.push_back({name_of(kind) + "_twice", sandwich(kind)});
  }
  for (const Norm norm : {Norm::none, Norm::layer}) {
    const std::string suffix = norm == Norm::none ? "_plain" : "_layer_norm";
    cases.push_back({"mamba" + suffix, sandwich(MambaConfig{.state = 5, .conv = 3}, norm)});
    cases.back().config.norm = norm;
  }
  for (const Activation post : {Activation::tanh, Activation::silu, Activation::gelu}) {
    for (const Mix mix : {Mix::none, Mix::linear, Mix::glu}) {
      ModelConfig config = sandwich(S4dConfig{.state = 4});
      config.blocks[1] = {.kind = MlpConfig{.hidden = 9, .activation = post, .gated = mix != Mix::none}};
      config.blocks[0].post = config.blocks[2].post = post;
      config.blocks[0].mix = config.blocks[2].mix = mix;
      config.blocks[2].residual = mix != Mix::linear;
      config.head = {.hidden = std::vector<int>(static_cast<std::size_t>(mix), 7), .activation = post};
      const int label = 3 * static_cast<int>(post) + static_cast<int>(mix);
      cases.push_back({"post_mix_head_" + std::to_string(label), config});
    }
  }
  cases.push_back({"hybrid", hybrid_config()});
  cases.push_back({"hybrid_top", hybrid_config(), {.top_block_only = true}});
  cases.push_back({"mamba_without_convolution", sandwich(MambaConfig{.state = 2, .conv = 1})});
  cases.push_back({"hybrid_bfloat16", hybrid_config()});
  cases.back().config.weights = Precision::bfloat16;

  const PersistentLayout outputs{.output_gain = true, .output_bias = true, .readout_rank = 1};
  const PersistentLayout all{.output_gain = true,
                             .output_bias = true,
                             .readout_rank = 9,
                             .input_gain = true,
                             .input_bias = true,
                             .time_scale = true};
  cases.push_back({"output_coordinates", sandwich(GruConfig{}), {.persistent = outputs}});
  for (const BlockKind& kind : all_kinds()) {
    cases.push_back({name_of(kind) + "_persistent", sandwich(kind), {.persistent = all}});
    cases.back().config.head.hidden = {6};
  }
  cases.push_back({"hybrid_persistent", hybrid_config(), {.persistent = all}});
  cases.push_back({"hybrid_top_persistent", hybrid_config(), {.top_block_only = true, .persistent = all}});
  return cases;
}

// a whole input, without gaps
inline std::vector<float> whole_input(int channels, int t) {
  Random random(7, static_cast<std::uint64_t>(t) * 64);
  std::vector<float> x(static_cast<std::size_t>(channels));
  for (float& value : x) value = static_cast<float>(random.normal());
  return x;
}

// x̂ as the last step saw it
inline std::vector<float> normalised_input(const Stream& stream) {
  const ModelConfig& config = stream.model().config();
  Buffer bytes(stream.state().size());
  std::memcpy(bytes.data(), stream.state().data(), bytes.size());
  const StateView state(bytes.data(), stream.model().network().layout);
  std::vector<float> x(state.last(), state.last() + config.inputs);
  if (config.normaliser.kind == NormaliserKind::running) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const ChannelStatistics& s = state.statistics()[i];
      x[i] = static_cast<float>((x[i] - s.level) / scale(config.normaliser.epsilon, s));
    }
  }
  if (config.mask_input) x.resize(x.size() * 2, 1.0F);
  return x;
}

inline Vector random_vector(Random& random, int n, double size = 1) {
  Vector v(static_cast<std::size_t>(n));
  for (double& value : v) value = size * random.normal();
  return v;
}

inline double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline double length(std::span<const double> a) { return std::sqrt(inner(a, a)); }
inline double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}
inline Vector moved(std::span<const double> z, double step, std::span<const double> q) {
  Vector to(z.begin(), z.end());
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += step * q[i];
  return to;
}

constexpr int kSteps = 20;       // that a stream has taken: windows of 16 have turned
constexpr float kStepDt = 0.7F;  // of the last of them

inline Stream stream_after(const Model& model, int steps = kSteps, float dt = kStepDt) {
  Stream stream(model);
  for (int t = 0; t < steps; ++t) stream.advance(whole_input(model.inputs(), t), t + 1 == steps ? dt : 1.0F);
  return stream;
}

// a NeuralStack on its own copy of a stream's state
template <class T>
struct BoundStack {
  BoundStack(const Stream& stream, const StackOptions& options, double dt = kStepDt, Vector c = {})
      : stack(stream.model(), options),
        state(stream.state().size()),
        x(normalised_input(stream)),
        persistent(std::move(c)) {
    persistent.resize(static_cast<std::size_t>(stack.description().persistent));
    std::memcpy(state.data(), stream.state().data(), state.size());
    input = {.dt = dt, .normalised = x, .persistent = persistent.data()};
    stack.bind(state.data(), input);
  }

  Vector latents() const {
    Vector z(static_cast<std::size_t>(stack.latents()));
    stack.latents_from_state(z);
    return z;
  }
  Vector output(std::span<const double> z) {
    Vector y(static_cast<std::size_t>(stack.outputs()));
    stack.output(z, y);
    return y;
  }
  Vector linearise(std::span<const double> z) {
    Vector y(static_cast<std::size_t>(stack.outputs()));
    stack.linearise(z, y);
    return y;
  }
  Vector jvp(const Vector& q) {
    Vector jq(static_cast<std::size_t>(stack.outputs()));
    stack.jvp({q.data(), 1, 0}, {jq.data(), 1, 0});
    return jq;
  }
  Vector vjp(const Vector& w) {
    Vector jtw(static_cast<std::size_t>(stack.latents()));
    stack.vjp({w.data(), 1, 0}, {jtw.data(), 1, 0});
    return jtw;
  }
  Vector second(const Vector& q) {
    Vector d2(static_cast<std::size_t>(stack.outputs()));
    stack.second(q, d2);
    return d2;
  }
  // rows of outputs ahead, one after the other
  Vector roll(std::span<const double> z, int ahead) {
    Vector y(static_cast<std::size_t>(ahead * stack.outputs()));
    stack.roll(z, {y.data(), ahead, stack.outputs()});
    return y;
  }

  NeuralStack<T> stack;
  Buffer state;
  std::vector<float> x;
  Vector persistent;
  StepInput input;
};

}  // namespace elastane
