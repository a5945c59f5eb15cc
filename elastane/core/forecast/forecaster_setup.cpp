// The part of a forecaster that allocates or may fail: construction, reset, restore.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "elastane/core/base/checksum.h"
#include "elastane/core/forecast/forecaster_engine.h"

namespace elastane {
namespace {

constexpr std::size_t kMostState = std::size_t{1} << 27;  // doubles: 1 GB per stream
constexpr int kLeastHeld = 24, kMostHeld = 512;           // values that the guard of a target holds
constexpr double kFirstShare = 0.4;                       // weight of the last value before the first label

constexpr std::array<std::string_view, kLearnings> kLearningNames = {"kalman", "latent_covariance", "exact",
                                                                     "euclidean"};

CorrectorOptions corrector_options(const ForecasterOptions& options) {
  CorrectorOptions corrector;
  corrector.metric.kind = Metric::native;
  corrector.gate = options.gate;
  return corrector;
}

GainRule gain_rule(const ForecastConfig& config, Learning learning, double forgetting, double prior, int features) {
  GainRule rule{.kind = learning, .forgetting = forgetting, .prior = prior};
  if (learning == Learning::latent_covariance) rule.factor = config.inflation;
  if (learning == Learning::exact) rule.factor = config.damping;
  if (learning == Learning::euclidean) rule.factor = config.gradient_rate / features;
  return rule;
}

template <class T>
std::uint64_t mix(std::uint64_t seed, const std::vector<T>& values) {
  return hash64(std::as_bytes(std::span(values)), seed);
}

// Checks that these numbers are a state. A state that rows have written always is one; a file may hold anything.
Status check_state(const ForecastSizes& sizes, std::span<const double> state) {
  ForecastState view(sizes);
  if (state.size() != view.doubles()) {
    return Error{"expected " + std::to_string(view.doubles()) + " numbers, found " + std::to_string(state.size())};
  }
  for (const double value : state) {
    if (!std::isfinite(value)) return Error{"expected finite numbers"};
  }
  std::vector<double> copy(state.begin(), state.end());
  view.carve(copy.data());
  const ForecastHeader& h = *view.header;
  const auto is_count = [](double x, double most) { return x >= 0 && x <= most && std::floor(x) == x; };
  if (!is_count(h.tick, 9e15) || !is_count(h.rows, 9e15) || !is_count(h.origins, sizes.horizon)) {
    return Error{"expected a tick, rows and origins, found other numbers"};
  }
  const std::size_t scales = static_cast<std::size_t>(sizes.targets) * sizes.steps * sizes.horizon;
  for (std::size_t i = 0; i < scales; ++i) {
    if (!(view.scale[i] >= 0)) return Error{"expected sizes of errors that are not negative"};
  }
  for (int i = 0; i < sizes.targets; ++i) {
    const TargetGuard& g = view.guard[i];
    const bool has_maps = g.map.slope > 0 && g.stable.slope > 0 && g.before.slope > 0;
    if (!has_maps || !is_count(g.held, sizes.window - 1) || !(g.log_limit < 700))
      return Error{"expected maps of targets that increase, and held values"};
    const TargetAlarm& a = view.watched[i];
    if (!(a.size >= 0 && a.variance >= 0 && a.seen >= 0) || (a.seen > 0 && !(a.size > 0 && a.variance > 0)))
      return Error{"expected sizes of errors that are not negative"};
  }
  if (!is_count(view.alarm->kind, static_cast<double>(DriftKind::dynamics))) return Error{"expected a kind of drift"};
  return {};
}

Status check(const SharedForecastModel& model, const ForecasterOptions& options) {
  if (model == nullptr) return Error{"[forecast] expected a model, found none; load or fit one"};
  ELASTANE_TRY(validate(model->config));
  ELASTANE_TRY(validate(options));
  ELASTANE_TRY(validate(*model));
  ELASTANE_TRY(kernels(options.isa));
  return {};
}

const ForecastModel& checked(const SharedForecastModel& model, const ForecasterOptions& options) {
  check(model, options).value();
  return *model;
}

}  // namespace

ForecastSizes::ForecastSizes(const ForecastConfig& config)
    : shape(config),
      targets(config.targets),
      channels(config.channels),
      horizon(config.horizon),
      members(kStandingMembers + static_cast<int>(config.forgetting.size()) + (shape.clockless > 0 ? 1 : 0)),
      learners(members - kStandingMembers),
      has_clockless(shape.clockless > 0),
      steps(double_stride(horizon)),
      window(config.periods.empty() ? kLeastHeld
                                    : std::clamp(static_cast<int>(config.periods.front()), kLeastHeld, kMostHeld)) {}

std::string_view name(Learning learning) { return kLearningNames[static_cast<std::size_t>(learning)]; }

std::string_view name(DriftKind kind) {
  constexpr std::string_view kNames[] = {"none", "level", "scale", "season", "dynamics"};
  return kNames[static_cast<std::size_t>(kind)];
}

Result<Learning> parse_learning(std::string_view text) {
  const auto at = std::ranges::find(kLearningNames, text);
  if (at != kLearningNames.end()) return static_cast<Learning>(at - kLearningNames.begin());
  return Error{"[forecast] learning: expected kalman, latent_covariance, exact or euclidean, found \"" +
               std::string(text) + "\""};
}

Status validate(const ForecasterOptions& o) {
  if (static_cast<int>(o.learning) >= kLearnings) return Error{"[forecast] learning: expected one of its names"};
  if (decides_once(o.gate.kind)) {
    return Error{"[forecast] gate: expected never, always or gain, found " + std::string(name(o.gate.kind)) +
                 "; labels of a forecaster come in batches, which have no step before"};
  }
  if (!(o.interval.coverage > 0 && o.interval.coverage < 1)) {
    return Error{"[forecast] coverage: expected between 0 and 1, found " + std::to_string(o.interval.coverage)};
  }
  if (!(o.alarm.rate > 0 && o.alarm.rate < 0.5)) {
    return Error{"[forecast] alarm rate: expected between 0 and 0.5 per row, found " + std::to_string(o.alarm.rate)};
  }
  return validate(corrector_options(o));
}

Status validate(const ForecastModel& model) {
  const ForecastSizes s(model.config);
  const auto wrong = [](const char* what, std::size_t expected, std::size_t found) {
    return Error{"[forecast] " + std::string(what) + ": expected " + std::to_string(expected) + " numbers, found " +
                 std::to_string(found)};
  };
  const std::size_t n = s.targets, h = s.horizon, c = s.channels, stride = s.shape.stride;
  if (model.mean.size() != c) return wrong("mean", c, model.mean.size());
  if (model.deviation.size() != c) return wrong("deviation", c, model.deviation.size());
  if (model.names.size() != c) return wrong("names", c, model.names.size());
  if (model.feature_scale.size() != n * stride) return wrong("feature_scale", n * stride, model.feature_scale.size());
  if (model.feature_limit.size() != n * stride) return wrong("feature_limit", n * stride, model.feature_limit.size());
  if (model.neighbour.size() != n * s.shape.neighbours)
    return wrong("neighbour", n * s.shape.neighbours, model.neighbour.size());
  if (model.frozen.size() != n * h * stride) return wrong("frozen", n * h * stride, model.frozen.size());
  if (model.noise.size() != n * h) return wrong("noise", n * h, model.noise.size());
  const std::size_t state = ForecastState(s).doubles();
  if (state > kMostState) {
    return Error{"[forecast] a stream of " + std::to_string(n) + " targets, " + std::to_string(h) +
                 " rows ahead, would take " + std::to_string(state >> 17) +
                 " MB; forecast fewer rows ahead, or fewer targets"};
  }
  if (!model.start.empty()) {
    if (Status sound = check_state(s, model.start); !sound) return Error{"[forecast] start: " + sound.error()};
  }
  for (std::size_t i = 0; i < c; ++i) {
    if (!std::isfinite(model.mean[i]) || !(model.deviation[i] > 0) || !std::isfinite(model.deviation[i]))
      return Error{"[forecast] channel " + model.names[i] + ": expected a finite mean and a deviation above 0"};
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (int f = 0; f < s.shape.features; ++f) {
      const double scale = model.feature_scale[i * stride + static_cast<std::size_t>(f)];
      if (!(scale > 0) || !std::isfinite(scale)) return Error{"[forecast] feature_scale: expected numbers above 0"};
      const double limit = model.feature_limit[i * stride + static_cast<std::size_t>(f)];
      if (!(limit > 0) || !std::isfinite(limit)) return Error{"[forecast] feature_limit: expected numbers above 0"};
    }
  }
  for (const std::int32_t channel : model.neighbour) {
    if (channel < 0 || channel >= s.channels)
      return Error{"[forecast] neighbour: expected a channel below " + std::to_string(c) + ", found " +
                   std::to_string(channel)};
  }
  for (const double w : model.frozen) {
    if (!std::isfinite(w)) return Error{"[forecast] frozen: expected finite weights"};
  }
  for (const float sigma : model.noise) {
    if (!(sigma > 0) || !std::isfinite(sigma)) return Error{"[forecast] noise: expected deviations above 0"};
  }
  return {};
}

std::uint64_t weights_hash(const ForecastModel& model) {
  std::uint64_t hash = mix(1, model.frozen);
  hash = mix(hash, model.feature_scale);
  hash = mix(hash, model.feature_limit);
  hash = mix(hash, model.neighbour);
  hash = mix(hash, model.noise);
  hash = mix(hash, model.mean);
  return mix(mix(hash, model.deviation), model.start);
}

ForecasterEngine::ForecasterEngine(SharedForecastModel model, const ForecasterOptions& options)
    : model_(std::move(model)),
      options_(options),
      sizes_(checked(model_, options).config),
      kernels_(kernels(options.isa).value()),
      own_kernels_(&forecast_kernels(kernels_->isa)),
      bank_(model_->config),
      guard_(options.guard ? model_->config.guard : GuardOptions{.outside = 0}, sizes_.window),
      state_(sizes_),
      corrector_(corrector_options(options), sizes_.horizon, sizes_.horizon, *kernels_),
      x_(static_cast<std::size_t>(sizes_.channels)),
      errors_(static_cast<std::size_t>(sizes_.members * sizes_.steps)),
      gain_(static_cast<std::size_t>(sizes_.steps)),
      probe_(static_cast<std::size_t>(std::max(sizes_.shape.stride, double_stride(sizes_.shape.clockless)))),
      before_(static_cast<std::size_t>(sizes_.horizon)),
      reach_(before_.size()),
      a_(static_cast<std::size_t>(sizes_.steps)),
      y_(a_.size()),
      label_(before_.size()),
      forecast_(before_.size() * static_cast<std::size_t>(sizes_.targets)),
      lower_(forecast_.size()),
      upper_(forecast_.size()) {
  const ForecastConfig& config = model_->config;
  for (const double forgetting : config.forgetting) {
    rules_.push_back(gain_rule(config, options.learning, forgetting, config.prior, sizes_.shape.features));
  }
  if (sizes_.has_clockless) {
    rules_.push_back(gain_rule(config, options.learning, config.clockless.forgetting, config.clockless.prior,
                               sizes_.shape.clockless));
  }
  first_shares_.assign(static_cast<std::size_t>(sizes_.members), (1 - kFirstShare) / (sizes_.members - 1));
  first_shares_.front() = kFirstShare;
  mean_ = model_->mean;
  deviation_ = model_->deviation;
  const auto how = static_cast<std::uint64_t>(options.learning) + (options.guard ? 0U : 256U);
  fingerprint_ = hash64(std::as_bytes(std::span(&how, 1)), weights_hash(*model_));
  trust_.resize(corrector_.memory_doubles());
  reset();
}

void ForecasterEngine::set_units(std::span<const double> mean, std::span<const double> deviation) {
  mean_.assign(mean.begin(), mean.end());
  deviation_.assign(deviation.begin(), deviation.end());
  for (int i = 0; i < sizes_.targets; ++i) InputGuard::forget_map(state_.guard[i]);
}

void ForecasterEngine::reset() {
  std::ranges::fill(forecast_, 0.0);
  std::ranges::fill(lower_, 0.0);
  std::ranges::fill(upper_, 0.0);
  if (!model_->start.empty()) {
    std::ranges::copy(model_->start, memory());
    if (!options_.warm) forget_rows(0);
  } else {
    std::memset(state_.block(), 0, state_.bytes());
    for (int l = 0; l < sizes_.learners; ++l) {
      for (int i = 0; i < sizes_.targets; ++i) {
        reset_covariance(rules_[static_cast<std::size_t>(l)].prior, sizes_.readout(l).features, covariance(l, i));
      }
    }
    std::fill_n(state_.guard, sizes_.targets, TargetGuard());
    std::fill_n(state_.watched, sizes_.targets, TargetAlarm());
    const int judged = sizes_.targets * sizes_.horizon;
    std::fill_n(state_.intervals, judged, Interval());
    for (int i = 0; i < sizes_.targets; ++i) {
      for (int e = 0; e < sizes_.members; ++e)
        std::fill_n(shares(i) + e * sizes_.steps, sizes_.steps, first_shares_[static_cast<std::size_t>(e)]);
    }
  }
  if (state_.header->origins > 0) publish();
  *state_.alarm = {};
  state_.header->covered = state_.header->judged = 0;
  corrector_.reset(trust_.data());
}

Status ForecasterEngine::restore(std::span<const double> state) {
  if (Status sound = check_state(sizes_, state); !sound) return Error{"[snapshot] " + sound.error()};
  std::ranges::copy(state, memory());
  if (state_.header->origins > 0) publish();
  return {};
}

Forecaster::Forecaster(SharedForecastModel model, const ForecasterOptions& options)
    : engine_(Owned<ForecasterEngine>::make(std::move(model), options)) {}

Result<Forecaster> Forecaster::create(SharedForecastModel model, const ForecasterOptions& options) {
  ELASTANE_TRY(check(model, options));
  return Forecaster(std::move(model), options);
}

void Forecaster::reset() { engine_->reset(); }
Status Forecaster::restore(std::span<const double> state) { return engine_->restore(state); }
void Forecaster::set_units(std::span<const double> mean, std::span<const double> deviation) {
  engine_->set_units(mean, deviation);
}

}  // namespace elastane
