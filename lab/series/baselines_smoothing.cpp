// Exponential smoothing in error-correction form: level, damped trend, additive season (Hyndman et al. 2008).
//
//   e = x − (l + φb + s),   l ← l + φb + αe,   b ← φb + αβe,   s ← s + γe
#include <cmath>

#include "lab/series/baselines.h"

namespace elastane::series {
namespace {

class Smoothing final : public Univariate {
 public:
  explicit Smoothing(const SmoothingOptions& options)
      : options_(options), season_(static_cast<std::size_t>(options.period > 0 ? options.period : 1)) {}

  std::unique_ptr<Univariate> clone() const override { return std::make_unique<Smoothing>(*this); }
  void forget_rows() override { *this = Smoothing(options_); }
  void follow(double x) override;
  void forecast(std::span<double> y) override;

 private:
  SmoothingOptions options_;
  bool begun_ = false;
  double level_ = 0, trend_ = 0;
  std::vector<double> season_;  // by row mod period; without a season its gain is 0
  std::size_t at_ = 0;
};

void Smoothing::follow(double x) {
  if (!std::isnan(x) && !begun_) {
    begun_ = true;
    level_ = x;
  } else if (begun_) {
    const double trend = options_.damping * trend_, expected = level_ + trend + season_[at_];
    const double error = std::isnan(x) ? 0.0 : x - expected;  // a missing value teaches nothing
    level_ += trend + options_.level * error;
    trend_ = trend + options_.level * options_.trend * error;
    season_[at_] += options_.season * error;
  }
  at_ = (at_ + 1) % season_.size();
}

void Smoothing::forecast(std::span<double> y) {
  double sum = level_, trend = trend_;
  for (std::size_t h = 0; h < y.size(); ++h) {
    trend *= options_.damping;
    sum += trend;
    y[h] = sum + season_[(at_ + h) % season_.size()];
  }
}

}  // namespace

std::unique_ptr<Univariate> smoothing(const SmoothingOptions& options) { return std::make_unique<Smoothing>(options); }

std::vector<std::unique_ptr<Univariate>> smoothing_candidates(int season) {
  std::vector<std::unique_ptr<Univariate>> all;
  for (const double level : {0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1.0}) {
    all.push_back(smoothing({.level = level}));
    for (const double damping : {0.8, 0.9, 0.98}) {
      for (const double trend : {0.05, 0.2, 0.5})
        all.push_back(smoothing({.level = level, .trend = trend, .damping = damping}));
    }
    for (const double gain : {0.02, 0.05, 0.1, 0.2, 0.4}) {
      if (season > 1) all.push_back(smoothing({.level = level, .season = gain, .period = season}));
    }
  }
  return all;
}

}  // namespace elastane::series
