// What a corrector does before its first step.
#include <cstdio>
#include <string>

#include "elastane/core/corrector/corrector.h"

namespace elastane {
namespace {

Error expected(const char* field, const char* range, double found) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", found);
  return Error{std::string("[corrector] ") + field + ": expected " + range + ", found " + digits};
}

}  // namespace

Status validate(const CorrectorOptions& o) {
  const MetricOptions& metric = o.metric;
  const TrustOptions& trust = o.trust;
  // negated, so that what is no number fails too
  if (!(metric.damping > 0 && metric.damping < 1e12))
    return expected("metric.damping", "above 0, below 1e12", metric.damping);
  if (metric.rank < 1 || metric.rank > kMaxRank) return expected("metric.rank", "1 to 32", metric.rank);
  if (!(metric.memory < 1)) return expected("metric.memory", "below 1", metric.memory);
  if (!(metric.condition_limit > 1 && metric.condition_limit < 1e12))
    return expected("metric.condition_limit", "above 1, below 1e12", metric.condition_limit);
  if (metric.products < 1 || metric.products > 1000) return expected("metric.products", "1 to 1000", metric.products);
  if (metric.warm_up < 1) return expected("metric.warm_up", "at least 1", metric.warm_up);
  if (!(metric.process_noise >= 0 && metric.process_noise < 1e12))
    return expected("metric.process_noise", "at least 0, below 1e12", metric.process_noise);
  if (!(metric.prior_variance > 0 && metric.prior_variance < 1e12))
    return expected("metric.prior_variance", "above 0, below 1e12", metric.prior_variance);
  if (!(trust.smallest > 0 && trust.smallest <= trust.radius && trust.radius <= trust.largest &&
        trust.largest < 1e12)) {
    return expected("trust.radius", "0 < smallest <= radius <= largest < 1e12", trust.radius);
  }
  if (!(trust.shrink > 0 && trust.shrink <= 1)) return expected("trust.shrink", "above 0, at most 1", trust.shrink);
  if (!(trust.grow >= 1)) return expected("trust.grow", "at least 1", trust.grow);
  if (!(trust.low > 0 && trust.low <= trust.high)) return expected("trust.low", "0 < low <= high", trust.low);
  if (trust.trials < 1 || trust.trials > 16) return expected("trust.trials", "1 to 16", trust.trials);
  if (trust.horizon < 1 || trust.horizon > 64) return expected("trust.horizon", "1 to 64", trust.horizon);
  if (!(trust.discount > 0 && trust.discount <= 1))
    return expected("trust.discount", "above 0, at most 1", trust.discount);
  if (!(trust.step > 0 && trust.step <= 2)) return expected("trust.step", "above 0, at most 2", trust.step);
  if (!(o.retraction.ball_radius > 0)) return expected("retraction.ball_radius", "above 0", o.retraction.ball_radius);
  if (!(o.retraction.drift >= 0 && o.retraction.drift < 1))
    return expected("retraction.drift", "at least 0, below 1", o.retraction.drift);
  if (o.retraction.drift > 0 && o.retraction.kind != Retraction::first_order)
    return expected("retraction.drift", "0 beside a second-order retraction", o.retraction.drift);
  return validate(o.gate);
}

Corrector::Corrector(const CorrectorOptions& options, int latents, int outputs, const Kernels& k,
                     const LearnedMetric& learned, const LearnedGate& gate)
    : options_(options),
      latents_(latents),
      outputs_(outputs),
      geometry_(options.metric, latents, outputs, k, learned),
      gatekeeper_(options.gate, latents, gate) {
  options_.gate = gatekeeper_.options();
  carve();
  memory_ = Buffer(used_ * sizeof(double));
  carve();
}

Corrector::Corrector(const Corrector& other)
    : options_(other.options_),
      latents_(other.latents_),
      outputs_(other.outputs_),
      geometry_(other.geometry_),
      gatekeeper_(other.gatekeeper_),
      anticipated_(other.anticipated_),
      micro_step_(other.micro_step_),
      trial_step_(other.trial_step_),
      memory_(other.memory_) {
  carve();
}

Corrector& Corrector::operator=(const Corrector& other) {
  Corrector copy(other);
  *this = std::move(copy);
  return *this;
}

// every array on its own cache lines; from no memory, it measures
void Corrector::carve() {
  auto* begin = reinterpret_cast<double*>(memory_.data());
  used_ = 0;
  const auto take = [&](int rows, int n) {
    const int stride = double_stride(n);
    double* here = begin == nullptr ? nullptr : begin + used_;
    used_ += static_cast<std::size_t>(rows) * stride;
    return DoubleRows{here, rows, stride};
  };
  for (double** latent : {&z_, &start_, &base_, &g_, &v_, &trial_, &bend_, &pull_}) *latent = take(1, latents_).data;
  for (double** output : {&y_, &s_, &a_, &w_, &jet_, &lag_, &moved_}) *output = take(1, outputs_).data;
  const int ahead = options_.trust.horizon - 1;
  ahead_ = take(ahead, outputs_);
  tilt_ = take(ahead, outputs_);
  tried_ = take(ahead, outputs_);
  if (begin != nullptr) geometry_.carve_work(begin + used_);
  used_ += geometry_.work_doubles();
}

}  // namespace elastane
