#include "elastane/forecast/forecast_method.h"

#include "elastane/core/base/clock.h"

namespace elastane {
namespace {

class ForecasterMethod final : public ForecastMethod {
 public:
  ForecasterMethod(const SharedForecastModel& model, const ForecasterOptions& options)
      : forecaster_(model, options), units_(series_units(*model)) {}

  std::unique_ptr<ForecastMethod> clone() const override { return std::make_unique<ForecasterMethod>(*this); }
  void start_series(std::size_t series, std::uint64_t tick) override {
    forecaster_.set_units(units_[series].mean, units_[series].deviation);
    forecaster_.forget_rows(tick);
  }
  void observe(std::uint64_t tick, std::span<const double> row) override {
    const ForecastReport report = forecaster_.observe_at(tick, row);
    counts_.depth += report.depth;
    counts_.alarms = static_cast<double>(forecaster_.alarms());
  }
  std::span<const double> forecast() const override { return forecaster_.forecast(); }
  std::span<const double> lower() const override { return forecaster_.lower(); }
  std::span<const double> upper() const override { return forecaster_.upper(); }
  MethodCounts counts() const override { return counts_; }

 private:
  Forecaster forecaster_;
  std::vector<SeriesUnits> units_;
  MethodCounts counts_;
};

}  // namespace

std::unique_ptr<ForecastMethod> forecaster_method(const SharedForecastModel& model, ForecasterOptions options) {
  options.warm = true;
  return std::make_unique<ForecasterMethod>(model, options);
}

void run_method(ForecastMethod& method, const Series& series, const RowRange& range, const RunRecord& record) {
  for (std::size_t r = range.begin; r < range.end; ++r) {
    const std::uint64_t tick = series.ticks[r];
    const bool judged = r >= range.judged;
    if (judged && record.score != nullptr) record.score->judge_row(tick, series.row(r));
    const double begun = now_micros();
    method.observe(tick, series.row(r));
    const double took = now_micros() - begun;
    if (!judged) continue;
    if (record.micros != nullptr) record.micros->push_back(took);
    if (r >= range.origins) continue;
    if (record.score != nullptr) record.score->add_forecast(tick, method.forecast(), method.lower(), method.upper());
    if (record.issued) record.issued(tick, method.forecast());
  }
}

RowRange whole_forecasts(std::size_t begin, std::size_t judged, std::size_t end, int horizon) {
  const auto ahead = static_cast<std::size_t>(horizon);
  return {begin, judged, end, end - judged > ahead ? end - ahead : end};
}

std::vector<SeriesUnits> series_units(const ForecastModel& model) {
  return model.units.empty() ? std::vector<SeriesUnits>{{"", model.mean, model.deviation}} : model.units;
}

}  // namespace elastane
