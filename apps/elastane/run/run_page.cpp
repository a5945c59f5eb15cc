#include "apps/elastane/run/run_page.h"

#include <fmt/format.h>

#include <cmath>

namespace elastane::app {
namespace {

constexpr std::size_t kMostRows = 4096, kMostEvents = 100;
constexpr std::array<const char*, 5> kCounted = {"unusual rows", "drift alarms", "refused values", "stuck sensors",
                                                 "invalid rows"};

}  // namespace

void RunPage::add_event(const RowOutcome& outcome, const std::string& what) {
  if (events_.size() < kMostEvents) events_.push_back({static_cast<double>(outcome.row), what});
}

void RunPage::add(const RowOutcome& outcome) {
  const ForecastReport& report = outcome.report;
  const bool has_drift = report.drift != DriftKind::none && report.drift != drift_;
  const std::array<bool, 5> is = {report.is_unusual, has_drift, report.refused > 0, report.stuck > 0,
                                  !outcome.invalid.empty()};
  for (std::size_t i = 0; i < is.size(); ++i) counts_[i] += is[i] ? 1 : 0;
  if (has_drift) add_event(outcome, "drift of the " + std::string(name(report.drift)));
  if (report.is_unusual && !has_drift) add_event(outcome, "unusual");
  drift_ = report.drift;
  if (outcome.forecaster == nullptr || outcome.values.empty()) return;
  if (seen_ == 0) id_ = outcome.id;
  if (outcome.id != id_) return;
  if (seen_++ % every_ == 0) {
    rows_.push_back({static_cast<double>(outcome.row), outcome.values[0], forecast_, lower_, upper_, report.elapsed});
  }
  if (rows_.size() > kMostRows) {
    // every second row from now on
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows_.size(); i += 2) rows_[kept++] = rows_[i];
    rows_.resize(kept);
    every_ *= 2;
  }
  forecast_ = outcome.forecaster->forecast()[0];
  lower_ = outcome.forecaster->lower()[0];
  upper_ = outcome.forecaster->upper()[0];
}

web::Chart RunPage::chart_of(const std::string& name) const {
  web::Chart chart{.title = name + ", forecast one row ahead", .x_label = "row", .y_label = name};
  web::Points value, forecast, lower, upper;
  for (const Row& r : rows_) {
    if (std::isfinite(r.value)) value.emplace_back(r.at, r.value);
    if (!std::isfinite(r.forecast)) continue;
    forecast.emplace_back(r.at, r.forecast);
    lower.emplace_back(r.at, r.lower);
    upper.emplace_back(r.at, r.upper);
  }
  chart.lines = {{"lower", "#c9d6e4", lower},
                 {"upper", "#c9d6e4", upper},
                 {"value", "#222222", value},
                 {"forecast", "#2f7fd1", forecast}};
  for (const Event& e : events_) {
    if (e.what != "unusual" && chart.marks.size() < 12) chart.marks.push_back({e.at, e.what});
  }
  return chart;
}

std::string RunPage::html(const ForecastModel& model, const std::string& source, const std::string& summary) const {
  web::Page page("Forecasts of " + source);
  page.paragraph(summary);
  std::vector<std::vector<std::string>> counted;
  for (std::size_t i = 0; i < counts_.size(); ++i) counted.push_back({kCounted[i], std::to_string(counts_[i])});
  page.table({"what", "how often"}, counted);
  const std::string name = id_.empty() ? model.names.front() : id_ + ", " + model.names.front();
  page.chart(chart_of(name));
  web::Points errors, micros;
  std::vector<double> times;
  for (const Row& r : rows_) {
    micros.emplace_back(r.at, r.micros);
    times.push_back(r.micros);
    if (std::isfinite(r.forecast) && std::isfinite(r.value)) errors.emplace_back(r.at, std::fabs(r.value - r.forecast));
  }
  page.chart({.title = "Absolute error one row ahead",
              .x_label = "row",
              .y_label = name,
              .lines = {{"error", "#d64545", errors}}});
  page.histogram(web::histogram_of(times, 40, 0.99));
  page.heading("Alarms");
  std::vector<std::vector<std::string>> rows;
  for (const Event& e : events_) rows.push_back({fmt::format("{:g}", e.at), e.what});
  page.table({"row", "alarm"}, rows);
  return page.html();
}

}  // namespace elastane::app
