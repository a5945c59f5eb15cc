// The page of `elastane run --report`: forecasts and intervals, alarms, errors and times of a run, as one HTML file.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "elastane/forecast/row_stream.h"
#include "web/page.h"

namespace elastane::app {

class RunPage {
 public:
  // remembers a row; however long the run, a few thousand rows are kept, evenly spaced
  void add(const RowOutcome& outcome);
  std::string html(const ForecastModel& model, const std::string& source, const std::string& summary) const;

 private:
  struct Row {
    double at = 0, value = 0, forecast = 0, lower = 0, upper = 0, micros = 0;
  };
  struct Event {
    double at = 0;
    std::string what;
  };

  void add_event(const RowOutcome& outcome, const std::string& what);
  web::Chart chart_of(const std::string& name) const;

  std::vector<Row> rows_;      // of the first series and its first target
  std::vector<Event> events_;  // the first hundred
  std::string id_;
  std::array<std::uint64_t, 5> counts_{};  // unusual, drift, refused, stuck, bad
  std::uint64_t seen_ = 0, every_ = 1;
  double forecast_ = NAN, lower_ = NAN, upper_ = NAN;  // of the row to come
  DriftKind drift_ = DriftKind::none;
};

}  // namespace elastane::app
