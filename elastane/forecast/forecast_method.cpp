#include "lab/series/method.h"

#include "elastane/core/base/clock.h"

namespace elastane::series {

void give(Method& method, const Series& series, const Stretch& stretch, const Witness& witness) {
  for (std::size_t r = stretch.begin; r < stretch.end; ++r) {
    const std::uint64_t tick = series.ticks[r];
    const bool judged = r >= stretch.judged;
    if (judged && witness.score != nullptr) witness.score->judge(tick, series.row(r));
    const double begun = now_micros();
    method.observe(tick, series.row(r));
    const double took = now_micros() - begun;
    if (!judged) continue;
    if (witness.micros != nullptr) witness.micros->push_back(took);
    if (r >= stretch.origins) continue;
    if (witness.score != nullptr) witness.score->issue(tick, method.forecast(), method.lower(), method.upper());
    if (witness.issued) witness.issued(tick, method.forecast());
  }
}

Stretch whole_forecasts(std::size_t begin, std::size_t judged, std::size_t end, int horizon) {
  const auto ahead = static_cast<std::size_t>(horizon);
  return {begin, judged, end, end - judged > ahead ? end - ahead : end};
}

std::vector<SeriesUnits> units_of(const ForecastModel& model) {
  return model.units.empty() ? std::vector<SeriesUnits>{{"", model.mean, model.deviation}} : model.units;
}

}  // namespace elastane::series
