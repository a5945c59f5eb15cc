#include "lab/series/anomaly_evaluation.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/forecast/forecaster.h"
#include "lab/series/rough_bounds.h"

namespace elastane::series {
namespace {

const std::vector<RoughKind>& watched_kinds() {
  static const std::vector<RoughKind> kinds = {{Rough::none, 0},          {Rough::spike, 10},  {Rough::spike, 30},
                                               {Rough::jump, 3},          {Rough::jump, 10},   {Rough::gain, 1.5},
                                               {Rough::noise, 2},         {Rough::stuck, 100}, {Rough::season_shift, 6},
                                               {Rough::season_change, 32}};
  return kinds;
}

// the rows of one stream from the end of fitting on, against its truth
struct StreamScore {
  double false_alarms = 0, calm_rows = 0;
  double delay = NAN;  // of the first alarm in time
};

StreamScore score_stream(const AlarmedRows& rows, const RoughKind& kind, std::size_t before) {
  StreamScore score;
  const bool is_calm = kind.kind == Rough::none;
  const std::size_t calm = is_calm ? rows.any.size() : before;
  std::vector<bool> labels(rows.any.size(), false);
  const std::vector<bool> first(rows.any.begin(), rows.any.begin() + static_cast<std::ptrdiff_t>(calm));
  score.calm_rows = static_cast<double>(calm);
  score.false_alarms =
      score_anomalies(first, std::vector<bool>(calm, false)).false_alarms_per_1000 * score.calm_rows / 1000;
  if (is_calm) return score;
  const std::size_t end = std::min(rows.any.size(), before + rows_in_time(kind));
  // a stuck sensor counts as found only as such
  const std::vector<bool>& alarms = kind.kind == Rough::stuck ? rows.stuck : rows.any;
  for (std::size_t r = before; r < end && std::isnan(score.delay); ++r) {
    if (alarms[r]) score.delay = static_cast<double>(r - before);
  }
  return score;
}

// sums of what several streams came to
class CellSum {
 public:
  void add(const StreamScore& s) {
    streams_ += 1;
    false_alarms_ += s.false_alarms;
    rows_ += s.calm_rows;
    if (!std::isnan(s.delay)) delays_.push_back(s.delay);
  }
  AnomalyCell cell(const RoughKind& kind, std::uint64_t seed) const {
    return {kind,
            seed,
            streams_,
            1000 * false_alarms_ / std::fmax(1, rows_),
            static_cast<double>(delays_.size()) / std::max(1, streams_),
            median(delays_)};
  }

 private:
  int streams_ = 0;
  double false_alarms_ = 0, rows_ = 0;
  std::vector<double> delays_;
};

}  // namespace

std::size_t rows_in_time(const RoughKind& kind) {
  switch (kind.kind) {
    case Rough::spike: return 1;
    case Rough::jump: return 24;
    case Rough::stuck: return static_cast<std::size_t>(kind.size);
    default: return 200;
  }
}

AlarmedRows watch_rows(const SharedForecastModel& model, const Dataset& data, const DataSplit& split,
                       const ForecasterOptions& options) {
  ForecasterOptions warm = options;
  warm.warm = true;
  Forecaster forecaster(model, warm);
  AlarmedRows rows;
  const Series& s = data.series.front();
  const SplitEnds ends = split_ends(split, s.rows());
  for (std::size_t r = ends.held_out; r < ends.test; ++r) {
    const std::uint64_t raised = forecaster.alarms();
    const ForecastReport report = forecaster.observe_at(s.ticks[r], s.row(r));
    rows.unusual.push_back(report.is_unusual);
    rows.drift.push_back(forecaster.alarms() > raised);
    rows.stuck.push_back(report.stuck > 0);
    rows.any.push_back(rows.unusual.back() || rows.drift.back() || rows.stuck.back());
  }
  return rows;
}

std::vector<AnomalyCell> evaluate_anomalies(const AnomalyEvaluationOptions& options) {
  const std::vector<RoughKind>& kinds = watched_kinds();
  std::vector<AnomalyCell> cells;
  const double total = static_cast<double>(options.families.size()) * options.seeds;
  double done = 0;
  for (int n = 0; n < options.seeds; ++n) {
    std::vector<CellSum> sums(kinds.size());
    RoughOptions o;
    o.seed = options.first_seed + static_cast<std::uint64_t>(n);
    for (const Family family : options.families) {
      o.family = family;
      o.kind = {};
      options.progress(done++ / total, std::string(name(family)) + ", seed " + std::to_string(o.seed));
      FitOptions fit;
      fit.split = {{static_cast<double>(o.learn)}, {static_cast<double>(o.held_out)}};
      fit.tune_metrics = false;
      const SharedForecastModel model = ForecastFitter(fit).fit(rough_stream(o).data).value().model;
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        RoughOptions each = o;
        each.kind = kinds[k];
        if (each.kind.kind == Rough::none) each.after = options.calm;
        const RoughStream stream = rough_stream(each);
        const AlarmedRows rows = watch_rows(model, stream.data, fit.split, {.alarm = {options.rate}});
        sums[k].add(score_stream(rows, each.kind, o.before));
      }
    }
    for (std::size_t k = 0; k < kinds.size(); ++k) cells.push_back(sums[k].cell(kinds[k], o.seed));
  }
  return cells;
}

std::vector<AnomalyCell> totals(const std::vector<AnomalyCell>& cells) {
  std::vector<AnomalyCell> all;
  for (const RoughKind& kind : watched_kinds()) {
    AnomalyCell sum{.kind = kind};
    std::vector<double> delays;
    for (const AnomalyCell& cell : cells) {
      if (cell.kind.kind != kind.kind || cell.kind.size != kind.size) continue;
      sum.false_alarms_per_1000 += cell.false_alarms_per_1000 * cell.streams;
      sum.recall += cell.recall * cell.streams;
      sum.streams += cell.streams;
      if (!std::isnan(cell.median_delay)) delays.push_back(cell.median_delay);
    }
    if (sum.streams == 0) continue;
    sum.false_alarms_per_1000 /= sum.streams;
    sum.recall /= sum.streams;
    sum.median_delay = median(delays);
    all.push_back(sum);
  }
  return all;
}

}  // namespace elastane::series
