// Streams that correct themselves: models and options to try, what a step is given, and objectives of every temper.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "elastane/core/network/network.h"
#include "elastane/core/objective/gaussian.h"
#include "elastane/core/objective/huber.h"
#include "tests/core/stacks.h"

namespace elastane {

// that a stream of any network can have; one with a metric in its file can also have that
inline constexpr std::array kStreamMetrics = {Metric::euclidean, Metric::fixed,  Metric::latent_covariance,
                                              Metric::literal,   Metric::sketch, Metric::conjugate_gradient,
                                              Metric::exact,     Metric::kalman};

struct CorrectedModel {
  std::string name;
  ModelConfig config;
  LatentOptions latent = {};

  Model model() const {
    std::vector<Tensor> tensors = tensors_of(config);
    Random random(3);
    for (Tensor& tensor : tensors) {
      for (float& value : tensor.values) {
        if (tensor.name.starts_with("metric.")) value = static_cast<float>(random.normal());
      }
    }
    return Model::create(config, tensors, {.isa = test_isa()}).value();
  }
  std::vector<Metric> metrics() const {
    std::vector<Metric> all(kStreamMetrics.begin(), kStreamMetrics.end());
    if (config.metric.present) all.push_back(Metric::learned);
    return all;
  }
};
inline std::ostream& operator<<(std::ostream& out, const CorrectedModel& of) { return out << of.name; }

inline bool is_recurrent(const BlockKind& kind) {
  return !std::holds_alternative<AttentionConfig>(kind) && !std::holds_alternative<MlpConfig>(kind) &&
         !std::holds_alternative<RecursionConfig>(kind);
}

// every kind of block in one stack, narrow enough for a dense covariance of all its latents
inline ModelConfig narrow_hybrid() {
  ModelConfig config = hybrid_config();
  config.width = 6;
  for (BlockConfig& block : config.blocks) {
    if (auto* gru = std::get_if<GruConfig>(&block.kind)) gru->hidden = 7;
    if (auto* selective = std::get_if<SelectiveConfig>(&block.kind)) selective->hidden = 9;
  }
  return config;
}

// every block that has a state, those that have none above and below one, stacks, and coordinates that last
inline std::vector<CorrectedModel> corrected_models() {
  std::vector<CorrectedModel> models;
  for (const BlockKind& kind : all_kinds()) {
    models.push_back({name_of(kind), is_recurrent(kind) ? one_block(kind) : sandwich(kind)});
  }
  models.push_back({"hybrid", narrow_hybrid()});
  models.push_back({"hybrid_top", narrow_hybrid(), {.top_block_only = true}});
  for (CorrectedModel& model : models) model.config.metric = {.present = true, .rank = 2};
  LatentOptions lasting;
  lasting.persistent.coordinates = {.output_bias = true, .input_gain = true};
  models.push_back({"gru_persistent", one_block(GruConfig{}), lasting});
  return models;
}

inline StreamOptions with_metric(Metric metric, const LatentOptions& latent = {}, int history = 0) {
  StreamOptions options{.history = history, .latent = latent, .noise = {0.3F}};
  options.corrector = CorrectorOptions{.metric = {.kind = metric, .rank = 4}};
  options.guard.kind = GuardKind::off;  // what the corrector does shows in the output
  return options;
}

// what step t is given: gaps in channels, irregular time, and a label for its output with a gap here and there
struct Given {
  std::vector<float> x, label;
  std::vector<std::uint8_t> present;
  float dt;

  Given(const Model& model, int t, std::uint64_t seed = 0) : x(Input{model.inputs(), seed}(t)) {
    Random random(seed + 7, static_cast<std::uint64_t>(t) * 128);
    for (std::size_t i = 0; i < x.size(); ++i) present.push_back(random.below(6) == 0 ? 0 : 1);
    label.resize(static_cast<std::size_t>(model.outputs()));
    for (float& value : label) value = static_cast<float>(random.normal());
    if (t % 5 == 2) label[static_cast<std::size_t>(random.below(model.outputs()))] = std::nanf("");
    dt = static_cast<float>(random.uniform(0.3, 2));
  }

  Gaussian gaussian(float noise = 0.3F) const { return Gaussian({.values = label, .noise = noise, .lasts = true}); }
};

// one step of a stream's life, the same whenever it is taken: now and then anticipated, corrected in different ways
inline StepReport live(Stream& stream, int t, const Budget& budget = {}, std::uint64_t seed = 0) {
  const Given given(stream.model(), t, seed);
  if (t % 4 == 3) return stream.step(given.x, given.gaussian(), budget);
  stream.advance(given.x, given.present, given.dt);
  if (t % 3 == 1) stream.anticipate();
  if (t % 4 == 2) return stream.correct(Huber({.values = given.label, .noise = 0.2}, 1.0), budget);
  return t % 7 == 6 ? StepReport{} : stream.correct(given.gaussian(), budget);
}

// of the state, what the network reads: all but the corrector's memory
inline std::span<const std::byte> network_part(const Stream& stream) {
  return stream.state().first(stream.model().state_bytes());
}
inline bool same_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}
// state, memory and output
inline bool same_stream(const Stream& a, const Stream& b) {
  return same_state(a, b) && same_bits(a.output(), b.output());
}

inline bool is_sound(const Stream& stream) {
  if (!is_sound(stream.model().network(), stream.state())) return false;
  return std::all_of(stream.output().begin(), stream.output().end(), [](float y) { return std::isfinite(y); });
}

// a Gaussian with something wrong in one of its answers
class Spoilt final : public Objective {
 public:
  enum class Part : std::uint8_t { value, trial, gradient, gauss_newton };

  Spoilt(const Gaussian& inner, Part part, double with) : inner_(inner), part_(part), with_(with) {}

  double value(std::span<const double> y) const override {
    const bool spoilt = part_ == Part::value || (part_ == Part::trial && is_trial(y));
    return spoilt ? with_ : inner_.value(y);
  }
  void gradient(std::span<const double> y, std::span<double> gradient) const override {
    points_.emplace_back(y.begin(), y.end());
    inner_.gradient(y, gradient);
    if (part_ == Part::gradient) gradient[0] = with_;
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    inner_.gauss_newton(y, u, wu);
    for (int r = 0; r < u.count && part_ == Part::gauss_newton; ++r) {
      for (std::size_t i = 0; i < y.size(); ++i) wu[r][i] = std::isfinite(with_) ? with_ * wu[r][i] : with_;
    }
  }

  const Objective& at(int) const override { return *this; }

 private:
  // somewhere else than where gradients were asked for
  bool is_trial(std::span<const double> y) const {
    const auto here = [&](const Vector& point) { return std::equal(y.begin(), y.end(), point.begin(), point.end()); };
    return !points_.empty() && std::none_of(points_.begin(), points_.end(), here);
  }

  const Gaussian& inner_;
  Part part_;
  double with_;
  mutable std::vector<Vector> points_;
};

inline Vector as_doubles(std::span<const float> values) { return {values.begin(), values.end()}; }

}  // namespace elastane
