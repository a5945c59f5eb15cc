// What can be judged: a method that is given rows one at a time and after each says what comes next.
//
// A method holds no data set. The newest thing that it can know when it forecasts t + 1 … t + H is row t, because that
// is the last that it was given.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "lab/series/score.h"
#include "lab/series/series.h"

namespace elastane::series {

// what a method did besides forecasting, since it was made
struct Habits {
  double depth = 0;   // micro-steps of learning
  double alarms = 0;  // times that it said the world had changed
};

class Method {
 public:
  virtual ~Method() = default;
  virtual std::unique_ptr<Method> clone() const = 0;

  // another series, by its place in the data set: rows are forgotten, what was learned stays
  virtual void begin(std::size_t series, std::uint64_t tick) = 0;
  // the row at this tick, in its own units, NaN where missing; rows in between were missing
  virtual void observe(std::uint64_t tick, std::span<const double> row) = 0;

  // of the last row, in the targets' own units [horizon][targets]
  virtual std::span<const double> forecast() const = 0;
  virtual std::span<const double> lower() const = 0;
  virtual std::span<const double> upper() const = 0;

  virtual Habits habits() const { return {}; }
};

inline constexpr std::size_t kContext = 512;  // rows that a stream is warmed by when it begins in the middle

// rows of a series that are given; from `judged` on labels count
struct Stretch {
  std::size_t begin, judged, end;
  std::size_t origins;  // one past the last row whose forecast counts
};

// All forecasts that come true within the rows, every step; all there are, if no forecast comes true whole.
Stretch whole_forecasts(std::size_t begin, std::size_t judged, std::size_t end, int horizon);

// what is seen of a stretch; each may be left out
struct Witness {
  Score* score = nullptr;
  std::vector<double>* micros = nullptr;  // of every judged row
  std::function<void(std::uint64_t tick, std::span<const double> forecast)> issued;
};

void give(Method& method, const Series& series, const Stretch& stretch, const Witness& witness = {});

// units of every series: its own in long form, else the model's
std::vector<SeriesUnits> units_of(const ForecastModel& model);

}  // namespace elastane::series
