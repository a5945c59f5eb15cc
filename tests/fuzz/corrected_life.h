// The life of a corrected stream, out of bytes: a model, options, objectives good and hostile, and verbs in any order.
// Whatever the bytes are, the laws that are checked after every verb must hold.
#pragma once

#include <bit>
#include <cfloat>

#include "elastane/core/base/checksum.h"
#include "elastane/core/network/network.h"
#include "elastane/core/objective/categorical.h"
#include "elastane/core/objective/weighted_sum.h"
#include "elastane/core/stream/snapshot.h"
#include "tests/core/corrected.h"
#include "tests/core/gates.h"

namespace elastane {

// bytes as a source of choices; zeros when they have run out
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool done() const { return at_ >= bytes_.size(); }
  std::uint8_t byte() { return done() ? 0 : bytes_[at_++]; }
  int below(int n) { return byte() % n; }
  bool yes() { return byte() % 2 == 1; }
  template <class T>
  T raw() {
    T value;
    std::array<std::uint8_t, sizeof(T)> bytes;
    for (std::uint8_t& b : bytes) b = byte();
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  // 10^low to 10^high
  double size(double low, double high) { return std::pow(10.0, low + (high - low) * byte() / 255.0); }
  // mostly of a size one meets; else on the edge, or any bits at all
  float number() {
    static constexpr float kEdges[] = {NAN,     HUGE_VALF, -HUGE_VALF, 0.0F,    -0.0F,    FLT_MIN,
                                       1e-45F,  FLT_MAX,   -FLT_MAX,   1e18F,   -1.1e18F, 1e9F,
                                       -1e-20F, 1e6F,      1.00001e6F, -1e-40F, 1e37F,    -1.0F};
    const int kind = below(8);
    if (kind < 5) return static_cast<float>(static_cast<std::int8_t>(byte())) / 32.0F;
    return kind == 5 ? kEdges[below(static_cast<int>(std::size(kEdges)))] : raw<float>();
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

// bytes of a random life
inline std::vector<std::uint8_t> life_bytes(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(60 + random.below(700)));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.bits() >> 20);
  return bytes;
}

// answers anything, but the same to the same question
class Hostile final : public Objective {
 public:
  Hostile(std::uint64_t seed, int manner, const Objective* later) : seed_(seed), manner_(manner), later_(later) {}

  double value(std::span<const double> y) const override { return number(hash(y, 1), 0); }
  void gradient(std::span<const double> y, std::span<double> gradient) const override {
    for (std::size_t i = 0; i < y.size(); ++i) gradient[i] = number(hash(y, 2 + i), 1);
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    for (int r = 0; r < u.count; ++r) {
      const std::uint64_t question = hash({u[r], y.size()}, 100);
      for (std::size_t i = 0; i < y.size(); ++i) {
        wu[r][i] = (manner_ & 16) != 0 ? number(hash(y, 100 + i), 2) * u[r][i] : number(hash(y, question + i), 2);
      }
    }
  }
  bool diagonal(std::span<const double> y, std::span<double> w) const override {
    for (std::size_t i = 0; i < y.size(); ++i) w[i] = number(hash(y, 100 + i), 3);
    return (manner_ & 32) != 0;
  }
  const Objective& at(int h) const override { return h == 0 || later_ == nullptr ? *this : *later_; }
  bool empty() const override { return (manner_ & 192) == 192; }

 private:
  std::uint64_t hash(std::span<const double> y, std::uint64_t question) const {
    std::uint64_t sum = Random(seed_, question).bits();
    for (const double value : y) sum = Random(sum, std::bit_cast<std::uint64_t>(value)).bits();
    return sum;
  }
  // sane in the parts that its manner spares
  double number(std::uint64_t bits, int part) const {
    const double sane = static_cast<double>(bits >> 11) * 0x1.0p-53;
    if ((manner_ >> part & 1) == 0) return part == 1 ? 2 * sane - 1 : sane;
    switch (bits % 12) {
      case 0: return std::numeric_limits<double>::quiet_NaN();
      case 1: return HUGE_VAL;
      case 2: return -HUGE_VAL;
      case 3: return std::bit_cast<double>(bits);
      case 4: return 1e300 * sane;
      case 5: return -1e30 * sane;
      case 6: return 0.0;
      default: return 2 * sane - 1;
    }
  }

  std::uint64_t seed_;
  int manner_;
  const Objective* later_;
};

// every kind of block that can be corrected, as small as they come; made once
inline const Model& living_model(int which) {
  static const std::vector<Model> models = [] {
    std::vector<Model> made;
    for (BlockKind kind : all_kinds()) {
      if (auto* attention = std::get_if<AttentionConfig>(&kind)) *attention = {.heads = 3, .kv_heads = 1, .window = 4};
      for (const Norm norm : {Norm::rms, Norm::none}) {
        ModelConfig config{.inputs = 2, .outputs = 3, .width = 6};
        config.norm = norm;
        config.blocks = {{.kind = kind, .norm = norm}};
        if (!is_recurrent(kind)) config.blocks.push_back({.kind = GruConfig{}, .norm = norm});
        if (norm == Norm::none) {
          config.head.hidden = {4};
          config.outputs = 2;
        }
        config.metric = {.present = true, .rank = 2};
        made.push_back(CorrectedModel{"", config}.model());
      }
    }
    ModelConfig hybrid = narrow_hybrid();
    hybrid.metric = {.present = true, .rank = 0};
    made.push_back(CorrectedModel{"", hybrid}.model());
    return made;
  }();
  return models[static_cast<std::size_t>(which) % models.size()];
}

class CorrectedLife {
 public:
  explicit CorrectedLife(std::span<const std::uint8_t> bytes)
      : choices_(bytes), model_(living_model(choices_.byte())), options_(choose_options()), stream_(model_, options_) {}

  // the first law that was broken, or nothing
  std::string run() {
    for (int verb = 0; verb < 100 && !choices_.done() && problem_.empty(); ++verb) {
      const int taken = choices_.below(14);
      take_verb(taken);
      check_state("after verb " + std::to_string(taken));
    }
    // whatever it was, the stream continues
    for (int t = 0; t < 3 && problem_.empty(); ++t) {
      live(stream_, t);
      check_state("afterwards");
    }
    return problem_;
  }

 private:
  StreamOptions choose_options() {
    StreamOptions options{.history = choices_.below(7)};
    options.guard.kind =
        GuardKind::off;  // who is heard may change where nothing was accepted; stream_guard_test has its laws
    options.noise = {static_cast<float>(choices_.size(-6, 6))};
    CorrectorOptions& corrector = options.corrector.emplace();
    MetricOptions& metric = corrector.metric;
    const int kind = choices_.below(static_cast<int>(kStreamMetrics.size()) + 1);
    metric.kind = kind == 0 ? Metric::learned : kStreamMetrics[static_cast<std::size_t>(kind - 1)];
    metric.damping = choices_.size(-9, 6);
    metric.relative = choices_.yes();
    metric.rank = 1 + choices_.below(8);
    metric.memory = choices_.yes() ? -1 : choices_.below(100) / 100.0;
    metric.condition_limit = 1 + choices_.size(-3, 9);
    metric.products = 1 + choices_.below(5);
    metric.warm_up = 1 + choices_.below(5);
    metric.process_noise = choices_.yes() ? 0 : choices_.size(-9, 3);
    metric.prior_variance = choices_.size(-6, 6);
    TrustOptions& trust = corrector.trust;
    trust.smallest = choices_.size(-9, 0);
    trust.radius = trust.smallest * choices_.size(0, 6);
    trust.largest = trust.radius * choices_.size(0, 4);
    trust.trials = 1 + choices_.below(4);
    trust.horizon = 1 + choices_.below(3);
    trust.low = 0.01 + choices_.below(70) / 100.0;
    corrector.retraction.kind = static_cast<Retraction>(choices_.below(3));
    corrector.retraction.domain = static_cast<Domain>(choices_.below(6) < 4 ? 0 : 1 + choices_.below(2));
    corrector.retraction.ball_radius = choices_.size(-3, 3);
    // not never: nothing would happen
    corrector.gate = {static_cast<Gate>(1 + choices_.below(kGates - 1)), choices_.below(4), choices_.size(-6, 1)};
    if (decides_once(corrector.gate.kind)) choose_gate(options);
    const int lasting = metric.kind == Metric::learned ? choices_.below(2) : choices_.below(8);
    options.latent.top_block_only = lasting == 1;
    if (lasting > 5) {
      const int layout = choices_.byte();
      PersistentOptions& persistent = options.latent.persistent;
      persistent.coordinates = {(layout & 1) != 0, (layout & 2) != 0, layout >> 6,
                                (layout & 4) != 0, (layout & 8) != 0, (layout & 16) != 0};
      persistent.variance = choices_.size(-4, 2);
      persistent.latent_variance = choices_.size(-6, 1);
      persistent.accumulate = (layout & 32) != 0;
    }
    validate(options, model_).value();
    return options;
  }

  void choose_gate(StreamOptions& options) {
    GateOptions& gate = options.corrector->gate;
    gate.sees = static_cast<GateInput>(choices_.below(kGateInputs));
    gate.threshold = choices_.size(-6, 1);
    gate.seed = static_cast<std::uint64_t>(choices_.byte());
    if (gate.kind != Gate::learned) return;
    options.gate = random_gate(gate.seed, {.depths = 1 + gate.depth,
                                           .readout = static_cast<GateReadout>(choices_.below(kGateReadouts)),
                                           .sees = gate.sees});
    options.gate.quantiles = {-1, 0, 1};
    gate.follow = choices_.yes();
    if (gate.follow) gate.share = choices_.below(101) / 100.0;
  }

  void take_verb(int verb) {
    switch (verb) {
      case 0:
      case 1: return advance();
      case 2: return stream_.anticipate();
      case 3:
      case 4:
      case 5: return correct(false);
      case 6: return correct(true);
      case 7:
      case 8: return observe();
      case 9: return require(static_cast<bool>(stream_.rewind(choices_.below(stream_.rewindable() + 1))), "rewind");
      case 10: return restore();
      case 11: return fork();
      case 12: return tamper();
      default: return advance_chunk();
    }
  }

  std::vector<float> numbers(int n) {
    std::vector<float> values(static_cast<std::size_t>(n));
    for (float& value : values) value = choices_.number();
    return values;
  }

  void advance() {
    const std::vector<float> x = numbers(model_.inputs());
    std::vector<std::uint8_t> present(x.size());
    const int mask = choices_.byte();
    for (std::size_t i = 0; i < present.size(); ++i) present[i] = (mask >> i & 1) == 0 ? 1 : 0;
    stream_.advance(x, present, (mask & 128) != 0 ? choices_.number() : 1.0F);
  }

  void advance_chunk() {
    stream_.advance_chunk(numbers(choices_.below(20) * model_.inputs()));
    if (choices_.below(8) == 0) stream_.reset();
  }

  Budget budget() {
    const int kind = choices_.below(4);
    if (kind == 0) return Budget::macs(choices_.size(0, 2) * 0.02 * stream_.micro_step_macs());
    if (kind == 1) return Budget::micros(choices_.yes() ? choices_.number() : choices_.size(-1, 3));
    return {};
  }

  void correct(bool step) {
    const std::vector<float> x = numbers(step ? model_.inputs() : 0), label = numbers(model_.outputs());
    const int kind = choices_.below(8), manner = choices_.byte();
    const Target target{.values = label, .noise = choices_.yes() ? 1.0 : choices_.number()};
    const Gaussian gaussian(target);
    const Huber huber(target, choices_.yes() ? 1.0 : choices_.number());
    const Categorical categorical({.label = manner % 4, .classes = model_.outputs()}), soft({.probabilities = label});
    const Hostile later(manner, choices_.byte(), nullptr);
    const Hostile hostile(choices_.byte(), manner, choices_.yes() ? &later : nullptr);
    const WeightedSum sum({{1.0, &gaussian}, {0.1 * manner, &categorical}});
    const WeightedSum spoilt({{1.0, &huber}, {choices_.yes() ? 1.0 : choices_.number(), &hostile}});
    const Objective* const objectives[] = {&gaussian, &huber, &categorical, &soft, &sum, &spoilt, &hostile, &hostile};
    const Objective& objective = *objectives[kind];
    const Budget limit = budget();
    const bool alone = !step;  // then what is refused must change nothing
    const std::vector<std::byte> before = copy(network_part(stream_));
    const std::vector<float> output = copy(stream_.output());
    const StepReport report = step ? stream_.step(x, objective, limit) : stream_.correct(objective, limit);
    check_report(report, limit);
    if (!alone || report.accepted > 0) return;
    require(same_bytes(before, network_part(stream_)) && same_bits(output, stream_.output()),
            "a refused correction changed the state");
  }

  void observe() {
    const std::vector<float> label = numbers(choices_.below(4) == 0 ? 1 : model_.outputs());
    const std::uint64_t now = stream_.position();
    const auto late = static_cast<std::uint64_t>(choices_.below(10));
    const Budget limit = budget();
    const Stream before = stream_;
    const StepReport report = stream_.observe(label, now + 1 - std::min(late, now + 1), limit);
    check_report(report, limit);
    require(stream_.position() == now && stream_.rewindable() == before.rewindable(), "a label changed the position");
    if (was_refused(report.stop)) require(same_stream(stream_, before), "a refused label changed the stream");
  }

  void restore() {
    const std::vector<std::byte> bytes = snapshot_of(stream_);
    Stream other(model_, options_);
    if (choices_.yes()) live(other, 1);
    require(static_cast<bool>(other.restore(bytes)), "a stream's own snapshot is refused");
    require(same_stream(stream_, other) && snapshot_of(other) == bytes, "a restored stream is another one");
    if (choices_.yes()) stream_ = std::move(other);
  }

  // a snapshot with a right checksum may hold anything: what is not sound is refused, and the stream continues with the rest
  void tamper() {
    std::vector<std::byte> bytes = snapshot_of(stream_);
    const StateLayout& layout = model_.network().layout;
    const std::size_t doubles = (stream_.state().size() - layout.size) / sizeof(double);
    const std::size_t floats = (layout.size - layout.last) / sizeof(float);
    for (int n = 1 + choices_.below(3); n > 0; --n) {
      const std::size_t index = choices_.raw<std::uint16_t>();
      std::byte* state = bytes.data() + sizeof(SnapshotHeader);
      if (choices_.yes()) {
        const double value = choices_.yes() ? choices_.raw<double>() : choices_.number();
        std::memcpy(state + layout.size + index % doubles * sizeof(double), &value, sizeof(value));
      } else {
        const float value = choices_.number();
        std::memcpy(state + layout.last + index % floats * sizeof(float), &value, sizeof(value));
      }
    }
    const std::uint32_t crc = crc32(std::span(bytes).first(bytes.size() - sizeof(crc)));
    std::memcpy(bytes.data() + bytes.size() - sizeof(crc), &crc, sizeof(crc));
    const Stream before = stream_;
    if (!stream_.restore(bytes)) require(same_stream(stream_, before), "a refused snapshot changed the stream");
  }

  void fork() {
    const Stream copied = stream_;
    require(same_stream(copied, stream_), "a copy is another stream");
    Stream twin = copied;
    for (Stream* stream : {&stream_, &twin}) live(*stream, 5);
    require(same_stream(stream_, twin), "a copy goes another way");
    if (choices_.yes()) stream_ = copied;
  }

  static bool was_refused(Stop stop) {
    return stop == Stop::too_late || stop == Stop::not_replayable || stop == Stop::no_such_step;
  }

  void check_report(const StepReport& report, const Budget& limit) {
    if (was_refused(report.stop)) return require(report.accepted == 0 && report.depth == 0, "refused, yet it moved");
    const TrustOptions& trust = options_.corrector->trust;
    require(report.radius >= trust.smallest && report.radius <= trust.largest, "the radius left its bounds");
    require(report.accepted <= report.depth && report.depth <= options_.corrector->gate.depth, "the depth");
    const std::pair<const char*, double> numbers[] = {{"kappa", report.kappa},     {"predicted", report.predicted},
                                                      {"alpha", report.alpha},     {"length", report.length},
                                                      {"damping", report.damping}, {"condition", report.condition},
                                                      {"elapsed", report.elapsed}, {"overrun", report.overrun}};
    for (const auto& [name, value] : numbers) {
      require(std::isfinite(value), std::string("the report is not finite in ") + name);
    }
    if (limit.clock == Budget::Clock::counted && report.depth > 0) {
      const std::int64_t advance = report.macs[static_cast<int>(Stage::advance)];
      require(static_cast<double>(report.total_macs() - advance) <= limit.limit, "more was done than was allowed");
    }
    if (report.accepted == 0) return;
    require(report.horizon_after < report.horizon_before, "an accepted correction is no better over the horizon");
    const bool printed = stream_.metric() == Metric::literal && trust.horizon > 1;  // there the loss may rise
    require(printed || report.loss_after <= report.loss_before, "an accepted correction is no better");
    require(std::isfinite(report.loss_before) && std::isfinite(report.loss_after), "an accepted loss is not finite");
    for (const float y : stream_.output()) require(std::isfinite(y), "an accepted output is not finite");
  }

  void check_state(const std::string& when) {
    require(is_sound(model_.network(), stream_.state()), "the state is not sound " + when);
  }

  void require(bool holds, const std::string& law) {
    if (!holds && problem_.empty()) problem_ = law + ", " + std::string(name(options_.corrector->metric.kind));
  }

  std::string problem_;
  Choices choices_;
  const Model& model_;
  StreamOptions options_;
  Stream stream_;
};

}  // namespace elastane
