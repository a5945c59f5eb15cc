// Baselines without learning, baselines that treat each target alone, and baselines as forecasting methods.
#include "lab/series/baselines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elastane/core/base/view.h"

namespace elastane::series {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

class Persistence final : public Univariate {
 public:
  std::unique_ptr<Univariate> clone() const override { return std::make_unique<Persistence>(*this); }
  void forget_rows() override { last_ = 0; }
  void follow(double x) override { last_ = std::isnan(x) ? last_ : x; }
  void forecast(std::span<double> y) override { std::ranges::fill(y, last_); }

 private:
  double last_ = 0;
};

class SeasonalNaive final : public Univariate {
 public:
  explicit SeasonalNaive(int season) : season_(as_size(season)), ring_(season_, kMissing) {}

  std::unique_ptr<Univariate> clone() const override { return std::make_unique<SeasonalNaive>(*this); }
  void forget_rows() override { *this = SeasonalNaive(static_cast<int>(season_)); }
  void follow(double x) override {
    // a missing value is that of one season before
    if (!std::isnan(x)) ring_[at_] = last_ = x;
    at_ = (at_ + 1) % season_;
  }
  void forecast(std::span<double> y) override {
    for (std::size_t h = 0; h < y.size(); ++h) {
      const double then = ring_[(at_ + h) % season_];
      y[h] = std::isnan(then) ? last_ : then;
    }
  }

 private:
  std::size_t season_, at_ = 0;
  std::vector<double> ring_;  // by row mod season
  double last_ = 0;
};

class EachTarget final : public Baseline {
 public:
  EachTarget(std::vector<std::unique_ptr<Univariate>> targets, int horizon)
      : targets_(std::move(targets)), horizon_(as_size(horizon)) {}

  std::unique_ptr<Baseline> clone() const override {
    std::vector<std::unique_ptr<Univariate>> copies;
    for (const auto& target : targets_) copies.push_back(target->clone());
    return std::make_unique<EachTarget>(std::move(copies), static_cast<int>(horizon_));
  }
  void forget_rows() override {
    for (auto& target : targets_) target->forget_rows();
  }
  void follow(std::span<const double> x) override {
    for (std::size_t i = 0; i < targets_.size(); ++i) targets_[i]->follow(x[i]);
  }
  void forecast(std::span<double> y) override {
    for (std::size_t i = 0; i < targets_.size(); ++i) targets_[i]->forecast(y.subspan(i * horizon_, horizon_));
  }

 private:
  std::vector<std::unique_ptr<Univariate>> targets_;
  std::size_t horizon_;
};

class InUnits final : public ForecastMethod {
 public:
  InUnits(std::unique_ptr<Baseline> baseline, int targets, int horizon, std::vector<SeriesUnits> units,
          const IntervalOptions& interval)
      : baseline_(std::move(baseline)),
        targets_(as_size(targets)),
        horizon_(as_size(horizon)),
        units_(std::move(units)),
        options_(interval),
        x_(targets_),
        ring_(horizon_ * targets_ * horizon_),
        scale_(ring_.size()),
        intervals_(targets_ * horizon_),
        forecast_(targets_ * horizon_),
        lower_(forecast_.size()),
        upper_(forecast_.size()) {}

  std::unique_ptr<ForecastMethod> clone() const override {
    auto copy = std::make_unique<InUnits>(baseline_->clone(), static_cast<int>(targets_), static_cast<int>(horizon_),
                                          units_, options_);
    copy->series_ = series_;
    copy->next_ = next_;
    copy->origins_ = origins_;
    copy->ring_ = ring_;
    copy->scale_ = scale_;
    copy->intervals_ = intervals_;
    return copy;
  }
  void start_series(std::size_t series, std::uint64_t tick) override {
    series_ = series;
    next_ = tick;
    origins_ = 0;
    baseline_->forget_rows();
  }
  void observe(std::uint64_t tick, std::span<const double> row) override {
    if (tick > next_ + kLongGap) start_series(series_, tick);
    while (next_ < tick) step({});
    step(row);
    publish();
  }
  std::span<const double> forecast() const override { return forecast_; }
  std::span<const double> lower() const override { return lower_; }
  std::span<const double> upper() const override { return upper_; }

 private:
  std::size_t slot(std::uint64_t tick) const { return tick % horizon_ * targets_ * horizon_; }

  // one tick, with a row or without one
  void step(std::span<const double> row) {
    const SeriesUnits& units = units_[series_];
    for (std::size_t i = 0; i < targets_; ++i) {
      const double x = row.empty() ? kMissing : (row[i] - units.mean[i]) / units.deviation[i];
      x_[i] = std::isfinite(x) ? x : kMissing;
      if (!std::isnan(x_[i])) judge(i, x_[i]);
    }
    baseline_->follow(x_);
    const std::size_t at = slot(next_), n = targets_ * horizon_;
    baseline_->forecast({ring_.data() + at, n});
    for (std::size_t j = 0; j < n; ++j) scale_[at + j] = intervals_[j].scale();
    next_ += 1;
    origins_ = std::min(origins_ + 1, horizon_);
  }
  void judge(std::size_t i, double label) {
    for (std::size_t h = 1; h <= origins_; ++h) {
      const std::size_t which = i * horizon_ + h - 1, at = slot(next_ - h) + which;
      intervals_[which].follow(options_, label - ring_[at], scale_[at]);
    }
  }
  // [target][step] to [step][target], in the units of the data
  void publish() {
    const SeriesUnits& units = units_[series_];
    const std::size_t at = slot(next_ - 1);
    for (std::size_t i = 0; i < targets_; ++i) {
      for (std::size_t h = 0; h < horizon_; ++h) {
        const std::size_t which = i * horizon_ + h, to = h * targets_ + i;
        const double y = ring_[at + which], scale = scale_[at + which];
        const auto own = [&](double z) { return units.mean[i] + units.deviation[i] * z; };
        forecast_[to] = own(y);
        lower_[to] = own(y + intervals_[which].below * scale);
        upper_[to] = own(y + intervals_[which].above * scale);
      }
    }
  }

  std::unique_ptr<Baseline> baseline_;
  std::size_t targets_, horizon_, series_ = 0, origins_ = 0;
  std::vector<SeriesUnits> units_;
  IntervalOptions options_;
  std::uint64_t next_ = 0;  // tick

  //                                    meaning                   shape
  std::vector<double> x_;            // the row                   [targets]
  std::vector<double> ring_;         // forecasts, by tick mod H  [H][targets][H]
  std::vector<double> scale_;        // of its intervals          [H][targets][H]
  std::vector<Interval> intervals_;  //                           [targets][H]
  std::vector<double> forecast_, lower_, upper_;
};

}  // namespace

std::unique_ptr<Univariate> persistence() { return std::make_unique<Persistence>(); }
std::unique_ptr<Univariate> seasonal_naive(int season) { return std::make_unique<SeasonalNaive>(season); }

std::unique_ptr<Baseline> each_target(std::vector<std::unique_ptr<Univariate>> targets, int horizon) {
  return std::make_unique<EachTarget>(std::move(targets), horizon);
}

std::unique_ptr<ForecastMethod> in_units(std::unique_ptr<Baseline> baseline, int targets, int horizon,
                                         std::vector<SeriesUnits> units, const IntervalOptions& interval) {
  return std::make_unique<InUnits>(std::move(baseline), targets, horizon, std::move(units), interval);
}

void observe_past(ForecastMethod& method, const Dataset& data, const DataSplit& split) {
  for (std::size_t k = 0; k < data.series.size(); ++k) {
    const Series& s = data.series[k];
    const SplitEnds ends = split_ends(split, s.rows());
    if (ends.held_out == 0) continue;
    method.start_series(k, s.ticks.front());
    run_method(method, s, {0, ends.held_out, ends.held_out, ends.held_out});
  }
}

}  // namespace elastane::series
