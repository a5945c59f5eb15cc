#include "apps/elastane/evaluate/evaluation_page.h"

#include <fmt/format.h>

#include <array>

#include "web/page.h"

namespace elastane::app {
namespace {

constexpr std::array<const char*, 10> kColours = {"#2f7fd1", "#d64545", "#3a9d5d", "#b07aa1", "#e28e2c",
                                                  "#6d6d6d", "#17a2a2", "#8c564b", "#7f7fd1", "#444444"};

std::string name_of(const series::MethodResult& r) { return r.metric.empty() ? r.method : r.method + ", " + r.metric; }

web::Chart chart_of(const EvaluatedTable& table, const char* title, const char* x_label,
                    const std::vector<double> ForecastEvaluation::*values) {
  web::Chart chart{.title = title, .x_label = x_label, .y_label = "mean squared error"};
  for (std::size_t i = 0; i < table.results.size(); ++i) {
    web::Points points;
    const std::vector<double>& y = table.results[i].score.*values;
    for (std::size_t k = 0; k < y.size(); ++k) points.emplace_back(static_cast<double>(k + 1), y[k]);
    chart.lines.push_back({name_of(table.results[i]), kColours[i % kColours.size()], points});
  }
  return chart;
}

}  // namespace

std::string evaluation_page(const std::vector<EvaluatedTable>& tables) {
  web::Page page("Forecasts compared");
  page.paragraph(
      "Errors are in units of the rows to learn from. A forecast knows the rows up to the one it is made at. CRPS is "
      "that "
      "of three quantiles: the bounds of the interval and the forecast.");
  for (const EvaluatedTable& table : tables) {
    page.heading(fmt::format("{}, {} row{} ahead", table.data, table.horizon, table.horizon == 1 ? "" : "s"));
    std::vector<std::vector<std::string>> rows;
    for (const series::MethodResult& r : table.results) {
      const ForecastEvaluation& s = r.score;
      rows.push_back({name_of(r), fmt::format("{:.4g}", s.mse), fmt::format("{:.4g}", s.mae),
                      fmt::format("{:.3g}", s.mase), fmt::format("{:.4g}", s.crps), fmt::format("{:.3f}", s.coverage),
                      fmt::format("{:.3g}", s.width), fmt::format("{:.1f}", s.p50_us),
                      fmt::format("{:.1f}", s.p99_us)});
    }
    page.table({"method", "MSE", "MAE", "MASE", "CRPS", "coverage", "width", "p50 µs", "p99 µs"}, rows);
    if (table.horizon > 1)
      page.chart(chart_of(table, "Error by step of the horizon", "rows ahead", &ForecastEvaluation::mse_by_step));
    if (!table.results.empty() && table.results.front().score.mse_by_window.size() > 1)
      page.chart(chart_of(table, "Error over time", "window of the test rows", &ForecastEvaluation::mse_by_window));
  }
  return page.html();
}

}  // namespace elastane::app
