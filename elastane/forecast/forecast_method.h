// Methods of forecasting and their leak-free evaluation: a method observes rows one at a time and forecasts after each.
//
// A method holds no data set. When it forecasts t + 1 … t + H, the newest row that it can know is row t, because that is
// the last one that it observed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "elastane/core/forecast/forecaster.h"
#include "elastane/forecast/dataset.h"
#include "elastane/forecast/evaluate_forecaster.h"
#include "elastane/forecast/forecast_score.h"

namespace elastane {

// what a method did besides forecasting, since it was made
struct MethodCounts {
  double depth = 0;   // micro-steps of learning
  double alarms = 0;  // drift alarms raised
};

class ForecastMethod {
 public:
  virtual ~ForecastMethod() = default;
  virtual std::unique_ptr<ForecastMethod> clone() const = 0;

  // starts another series, by its position in the data set: rows are forgotten, what was learned stays
  virtual void start_series(std::size_t series, std::uint64_t tick) = 0;
  // the row at this tick, in the units of the data, NaN where missing; ticks in between have no rows
  virtual void observe(std::uint64_t tick, std::span<const double> row) = 0;

  // after the last row, in the units of the data [horizon][targets]
  virtual std::span<const double> forecast() const = 0;
  virtual std::span<const double> lower() const = 0;
  virtual std::span<const double> upper() const = 0;

  virtual MethodCounts counts() const { return {}; }
};

// A forecaster as fitting left it, after the held-out rows. With several series it starts each from what was learned.
std::unique_ptr<ForecastMethod> forecaster_method(const SharedForecastModel& model, ForecasterOptions options);

inline constexpr std::size_t kContext = 512;  // rows that a series which starts in the middle is warmed up with

// rows of a series that a method observes; labels count from `judged` on
struct RowRange {
  std::size_t begin, judged, end;
  std::size_t origins;  // one past the last row whose forecast counts
};

// Counts the forecasts whose whole horizon lies within the rows, or all of them if there are none such.
RowRange whole_forecasts(std::size_t begin, std::size_t judged, std::size_t end, int horizon);

// what to record of a run over rows; each may be left out
struct RunRecord {
  ForecastScore* score = nullptr;
  std::vector<double>* micros = nullptr;  // of every judged row
  std::function<void(std::uint64_t tick, std::span<const double> forecast)> issued;
};

void run_method(ForecastMethod& method, const Series& series, const RowRange& range, const RunRecord& record = {});

// units of every series: its own where the model has several, else the model's
std::vector<SeriesUnits> series_units(const ForecastModel& model);

// Runs `prepared`, which has observed all rows before the test, over the test rows of every series. `issued` sees every
// forecast as it is made. `windows`: parts of the test rows whose errors are kept apart. Fails if no test row has a label.
Result<ForecastEvaluation> evaluate_method(
    const ForecastMethod& prepared, const ForecastModel& model, const Dataset& data, const DataSplit& split,
    const std::function<void(std::uint64_t tick, std::span<const double> forecast)>& issued = {}, int windows = 1);

}  // namespace elastane
