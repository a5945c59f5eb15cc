// Real-time code only.
// What may allocate is in gate_setup.cpp.
#include "elastane/core/gate/gatekeeper.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "elastane/core/allocation/depth_examples.h"
#include "elastane/core/base/random.h"
#include "elastane/core/base/view.h"

namespace elastane {
namespace {

constexpr double kFloor = 1e-12;      // of logarithms
constexpr double kMostFeature = 1e6;  // larger values mean nothing more
constexpr double kMostDeviations = 8;
constexpr double kRate = 0.05;           // of the running mean: about twenty steps
constexpr double kLeastVariance = 1e-2;  // of log ℓ: a change by a tenth is not a surprise

double log_of(double value) { return std::log(std::fmax(kFloor, std::fmin(value, 1e300))); }  // NaN counts as the floor

double bounded(double value, double most) { return std::isfinite(value) ? std::clamp(value, -most, most) : 0.0; }

}  // namespace

std::int64_t Gatekeeper::macs(bool moved_is_known) const {
  return options_.kind == Gate::learned ? learned_.macs() + (moved_is_known ? 0 : latents_) : 0;
}

std::size_t Gatekeeper::memory_doubles() const {
  return is_asked() ? sizeof(History) / sizeof(double) + static_cast<std::size_t>(double_stride(latents_)) : 0;
}

void Gatekeeper::reset(double* memory) const {
  if (!is_asked()) return;
  std::fill_n(memory, memory_doubles(), 0.0);
  history(memory).threshold = threshold_.start;
}

void Gatekeeper::restart(double* memory) const {
  if (is_asked()) history(memory).has_latent = 0;
}

int Gatekeeper::ask(const GateView& now, double* memory) {
  History& past = history(memory);
  look(now, past, memory + sizeof(History) / sizeof(double));
  return decide(now, past);
}

// the memory may come from a damaged snapshot: its numbers are finite, but arbitrary
void Gatekeeper::look(const GateView& now, const History& past, const double* before) {
  const bool known = now.moved >= 0, follows = past.has_latent != 0;
  double moved = known && follows ? now.moved : 0;
  for (int i = 0; !known && follows && i < latents_; ++i) moved += (now.z[i] - before[i]) * (now.z[i] - before[i]);
  const double log_loss = log_of(now.loss), deviation = std::sqrt(std::fmax(past.variance, 0) + kLeastVariance);
  double* f = work_.data();
  f[0] = log_loss;
  f[1] = now.solved ? log_of(now.kappa) : bounded(past.log_kappa, kMostFeature);
  f[2] = now.solved ? 0.5 * log_of(now.gradient_squares) : bounded(past.log_gradient, kMostFeature);
  f[3] = 0.5 * log_of(moved / std::max(latents_, 1));
  f[4] = past.steps > 0 ? bounded(past.mean, kMostFeature) : log_loss;
  f[5] = past.steps > 0 ? bounded((log_loss - f[4]) / deviation, kMostDeviations) : 0.0;
  f[6] = bounded(past.depth, kMostDepth);
  const int most = options_.kind == Gate::learned ? learned_.features() : kMostScoreFeatures;
  count_ = std::min(kOwnGateFeatures + static_cast<int>(now.added.size()), most);
  for (int i = kOwnGateFeatures; i < count_; ++i) f[i] = bounded(now.added[i - kOwnGateFeatures], kMostFeature);
  // a network that was trained with more features than this latent adds gets zeros for them
  if (options_.kind == Gate::learned) {
    for (; count_ < most; ++count_) f[count_] = 0;
  }
}

int Gatekeeper::decide(const GateView& now, History& past) {
  switch (options_.kind) {
    case Gate::kappa: return now.kappa > options_.threshold ? options_.depth : 0;
    case Gate::random: return draw(past);
    default: break;
  }
  double *a = work_.data() + kMostScoreFeatures, *o = a + kMostScoreHidden;
  learned_.score(work_.data(), a, o);
  if (!options_.follow) return learned_.depth(o, threshold_.start);
  const int depth = learned_.depth(o, past.threshold);
  past.threshold = threshold_.followed(past.threshold, depth > 0);
  return depth;
}

// The same step of the same stream draws the same depth, also after a snapshot. The loss is mixed in, so that runs with
// other observations draw other depths.
int Gatekeeper::draw(const History& past) const {
  const auto step = static_cast<std::uint64_t>(std::clamp(past.steps, 0.0, 1e15));
  const double at = Random(options_.seed, step ^ std::bit_cast<std::uint64_t>(work_[0])).uniform();
  const std::vector<double>& weights = options_.histogram;
  if (weights.empty()) return static_cast<int>(at * (options_.depth + 1));
  double sum = 0, passed = 0;
  for (const double weight : weights) sum += weight;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    passed += weights[k];
    if (at * sum < passed) return static_cast<int>(k);
  }
  return 0;
}

void Gatekeeper::remember(const GateView& now, int depth, std::span<const double> z, double* memory) const {
  History& past = history(memory);
  const double log_loss = log_of(now.loss), steps = std::clamp(past.steps, 0.0, 1e15);
  const double rate = std::fmax(kRate, 1 / (steps + 1)), away = bounded(log_loss - past.mean, 1e3);
  past.mean = steps > 0 ? bounded(past.mean + rate * away, kMostFeature) : log_loss;
  past.variance = steps > 0 ? (1 - rate) * (bounded(past.variance, kMostFeature) + rate * away * away) : 0.0;
  past.steps = steps + 1;
  past.depth = depth;
  if (now.solved) {
    past.log_kappa = log_of(now.kappa);
    past.log_gradient = 0.5 * log_of(now.gradient_squares);
  }
  if (!z.empty()) std::memcpy(memory + sizeof(History) / sizeof(double), z.data(), z.size_bytes());
  past.has_latent = 1;
}

}  // namespace elastane
