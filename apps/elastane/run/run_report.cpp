#include "apps/elastane/run/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elastane/core/forecast/forecast_state.h"

namespace elastane::app {
namespace {

// bucket n starts at kFirst·kRatioⁿ µs
constexpr double kFirst = 0.1, kRatio = 1.02;

}  // namespace

void TimeHistogram::add(double micros) {
  const double at = std::log(std::fmax(micros, kFirst) / kFirst) / std::log(kRatio);
  counts_[std::min(counts_.size() - 1, static_cast<std::size_t>(at))] += 1;
  count_ += 1;
}

double TimeHistogram::quantile(double share) const {
  const double wanted = share * static_cast<double>(count_);
  double seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen > wanted) return kFirst * std::pow(kRatio, static_cast<double>(i) + 0.5);
  }
  return 0;
}

std::string describe_alarm(const ForecastModel& model, double rate) {
  return fmt::format("alarms at {:g} per 1,000 rows if nothing is wrong, calibrated on {} rows", 1000 * rate,
                     model.calibration_rows);
}

std::string describe_run(const RowStream& stream, const TimeHistogram& times, double coverage, std::uint64_t before) {
  double covered = 0, judged = 0, raised = 0;
  const std::vector<std::string> ids = stream.ids();
  for (const std::string& id : ids) {
    const Forecaster& each = *stream.forecaster(id);
    covered += each.view().header->covered;
    judged += each.view().header->judged;
    raised += static_cast<double>(each.alarms());
  }
  std::string text = fmt::format("{} rows", stream.rows() - before);
  if (before > 0) text += fmt::format(" after {} of the snapshot", before);
  if (stream.has_ids()) text += fmt::format(" of {} series", ids.size());
  text += fmt::format(", {} invalid", stream.invalid_rows());
  if (before > 0) text += " in total";
  if (times.count() > 0) {
    text += fmt::format("; {:.3g} µs per row (p50), {:.3g} (p99)", times.quantile(0.5), times.quantile(0.99));
  }
  if (judged > 0)
    text += fmt::format("; {:.1f} % within their {:g} % intervals", 100 * covered / judged, 100 * coverage);
  return text + fmt::format("; {} drift alarm{}", raised, raised == 1 ? "" : "s");
}

}  // namespace elastane::app
