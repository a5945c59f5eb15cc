#include "lab/series/contenders.h"

#include <algorithm>

namespace elastane::series {
namespace {

class ForecasterMethod final : public Method {
 public:
  ForecasterMethod(const SharedForecastModel& model, const ForecasterOptions& options)
      : forecaster_(model, options), units_(units_of(*model)) {}

  std::unique_ptr<Method> clone() const override { return std::make_unique<ForecasterMethod>(*this); }
  void begin(std::size_t series, std::uint64_t tick) override {
    forecaster_.set_units(units_[series].mean, units_[series].deviation);
    forecaster_.forget_rows(tick);
  }
  void observe(std::uint64_t tick, std::span<const double> row) override {
    const ForecastReport report = forecaster_.observe_at(tick, row);
    habits_.depth += report.depth;
    habits_.alarms = forecaster_.alarm().raised;
  }
  std::span<const double> forecast() const override { return forecaster_.forecast(); }
  std::span<const double> lower() const override { return forecaster_.lower(); }
  std::span<const double> upper() const override { return forecaster_.upper(); }
  Habits habits() const override { return habits_; }

 private:
  Forecaster forecaster_;
  std::vector<SeriesUnits> units_;
  Habits habits_;
};

}  // namespace

std::unique_ptr<Method> forecaster_method(const SharedForecastModel& model, ForecasterOptions options) {
  options.warm = true;
  return std::make_unique<ForecasterMethod>(model, options);
}

std::unique_ptr<Method> frozen_hedged(const SharedForecastModel& model) {
  // read-outs that are the frozen one and never learn: then only the mixture moves
  auto still = std::make_shared<ForecastModel>(*model);
  const ForecastSizes sizes(still->config);
  ForecastState state(sizes);
  state.carve(still->start.data());
  for (int l = 0; l < sizes.learners; ++l) {
    std::ranges::copy(still->frozen, state.weights + static_cast<std::size_t>(l) * still->frozen.size());
  }
  return forecaster_method(still, {.gate = {.kind = Gate::never}});
}

}  // namespace elastane::series
