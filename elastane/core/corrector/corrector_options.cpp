#include "elastane/core/corrector/corrector_options.h"

#include <cstdio>
#include <string>

// conditions are negated, so that NaN fails too
namespace elastane {
namespace {

Error expected(const char* field, const char* range, double found) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", found);
  return Error{std::string("[corrector] ") + field + ": expected " + range + ", found " + digits};
}

Status validate(const MetricOptions& o) {
  if (!(o.damping > 0 && o.damping < 1e12)) return expected("metric.damping", "above 0, below 1e12", o.damping);
  if (o.rank < 1 || o.rank > kMaxRank) return expected("metric.rank", "1 to 32", o.rank);
  if (!(o.memory < 1)) return expected("metric.memory", "below 1", o.memory);
  if (!(o.condition_limit > 1 && o.condition_limit < 1e12)) {
    return expected("metric.condition_limit", "above 1, below 1e12", o.condition_limit);
  }
  if (o.products < 1 || o.products > 1000) return expected("metric.products", "1 to 1000", o.products);
  if (o.warm_up < 1) return expected("metric.warm_up", "at least 1", o.warm_up);
  if (!(o.process_noise >= 0 && o.process_noise < 1e12)) {
    return expected("metric.process_noise", "at least 0, below 1e12", o.process_noise);
  }
  if (!(o.prior_variance > 0 && o.prior_variance < 1e12)) {
    return expected("metric.prior_variance", "above 0, below 1e12", o.prior_variance);
  }
  return {};
}

Status validate(const TrustOptions& o) {
  if (!(o.smallest > 0 && o.smallest <= o.radius && o.radius <= o.largest && o.largest <= 1e12)) {
    return expected("trust.radius", "0 < smallest <= radius <= largest <= 1e12", o.radius);
  }
  if (!(o.shrink > 0 && o.shrink <= 1)) return expected("trust.shrink", "above 0, at most 1", o.shrink);
  if (!(o.grow >= 1)) return expected("trust.grow", "at least 1", o.grow);
  if (!(o.low > 0 && o.low <= o.high)) return expected("trust.low", "0 < low <= high", o.low);
  if (o.trials < 1 || o.trials > 16) return expected("trust.trials", "1 to 16", o.trials);
  if (o.horizon < 1 || o.horizon > 64) return expected("trust.horizon", "1 to 64", o.horizon);
  if (!(o.discount > 0 && o.discount <= 1)) return expected("trust.discount", "above 0, at most 1", o.discount);
  if (!(o.step > 0 && o.step <= 2)) return expected("trust.step", "above 0, at most 2", o.step);
  return {};
}

Status validate(const RetractionOptions& o) {
  if (!(o.ball_radius > 0)) return expected("retraction.ball_radius", "above 0", o.ball_radius);
  if (!(o.drift >= 0 && o.drift < 1)) return expected("retraction.drift", "at least 0, below 1", o.drift);
  if (o.drift > 0 && o.kind != Retraction::first_order) {
    return expected("retraction.drift", "0 beside a second-order retraction", o.drift);
  }
  return {};
}

}  // namespace

Status validate(const CorrectorOptions& o) {
  ELASTANE_TRY(validate(o.metric));
  ELASTANE_TRY(validate(o.trust));
  ELASTANE_TRY(validate(o.retraction));
  return validate(o.gate);
}

}  // namespace elastane
