#include "lab/series/anomaly_score.h"

#include <algorithm>
#include <cmath>

namespace elastane::series {
namespace {

constexpr std::size_t kOneEvent = 24;  // rows within which alarms belong together
constexpr double kFalsePositive = 0.11, kWindows = 0.1;

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }
double harmonic(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }

// 1 at the start of a window, 0 at its end, towards −1 after it (Lavin and Ahmad 2015, eq. 1)
double sigmoid(double position) { return 2 / (1 + std::exp(5 * position)) - 1; }

struct Counts {
  double hits = 0, alarms = 0, labels = 0;
};

void set(const Counts& c, double& precision, double& recall, double& f1) {
  precision = share(c.hits, c.alarms);
  recall = share(c.hits, c.labels);
  f1 = harmonic(precision, recall);
}

// each segment, widened so that all windows together are a tenth of the rows
std::vector<AnomalySegment> windows_of(const std::vector<AnomalySegment>& segments, std::size_t rows) {
  std::vector<AnomalySegment> windows;
  const auto least = static_cast<std::size_t>(kWindows * static_cast<double>(rows) /
                                              static_cast<double>(std::max<std::size_t>(1, segments.size())));
  for (const AnomalySegment& s : segments) {
    const std::size_t extra = least > s.end - s.begin ? (least - (s.end - s.begin)) / 2 : 0;
    windows.push_back({s.begin - std::min(s.begin, extra), std::min(rows, s.end + extra)});
  }
  return windows;
}

double nab_score(const std::vector<bool>& alarms, const std::vector<AnomalySegment>& segments) {
  const std::vector<AnomalySegment> windows = windows_of(segments, alarms.size());
  if (windows.empty()) return NAN;
  std::vector<bool> is_found(windows.size());
  double score = -static_cast<double>(windows.size());
  for (std::size_t r = 0; r < alarms.size(); ++r) {
    if (!alarms[r]) continue;
    std::size_t w = 0;
    while (w + 1 < windows.size() && windows[w + 1].begin <= r) ++w;
    const auto length = static_cast<double>(windows[w].end - windows[w].begin);
    if (r >= windows[w].begin && r < windows[w].end) {
      if (is_found[w]) continue;
      is_found[w] = true;
      score += 1 + sigmoid((static_cast<double>(r) - static_cast<double>(windows[w].end - 1)) / length) / sigmoid(-1);
    } else {
      const double after = static_cast<double>(r) - static_cast<double>(windows[w].end - 1);
      score += kFalsePositive * (after > 0 ? sigmoid(after / length) : -1);
    }
  }
  const auto most = static_cast<double>(windows.size());
  return 100 * (score + most) / (2 * most);
}

}  // namespace

std::vector<AnomalySegment> segments_of(const std::vector<bool>& labels) {
  std::vector<AnomalySegment> segments;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (!labels[r]) continue;
    if (r == 0 || !labels[r - 1]) segments.push_back({r, r});
    segments.back().end = r + 1;
  }
  return segments;
}

AnomalyScore score_anomalies(const std::vector<bool>& alarms, const std::vector<bool>& labels, std::size_t grace) {
  AnomalyScore score;
  const std::vector<AnomalySegment> segments = segments_of(labels);
  score.rows = labels.size();
  score.segments = segments.size();
  std::vector<bool> near = labels;
  Counts plain, adjusted;
  std::vector<double> delays;
  for (const AnomalySegment& s : segments) {
    const std::size_t end = std::min(labels.size(), s.end + grace);
    std::fill(near.begin() + static_cast<std::ptrdiff_t>(s.begin), near.begin() + static_cast<std::ptrdiff_t>(end),
              true);
    const auto first = std::find(alarms.begin() + static_cast<std::ptrdiff_t>(s.begin),
                                 alarms.begin() + static_cast<std::ptrdiff_t>(end), true);
    const auto at = static_cast<std::size_t>(first - alarms.begin());
    const auto length = static_cast<double>(s.end - s.begin);
    plain.labels += length;
    adjusted.labels += length;
    if (at >= end) continue;
    score.found += 1;
    adjusted.hits += length;
    delays.push_back(static_cast<double>(at - s.begin));
  }
  std::size_t quiet = kOneEvent;
  double outside = 0, rows_outside = 0;
  for (std::size_t r = 0; r < alarms.size(); ++r) {
    plain.alarms += alarms[r] ? 1 : 0;
    plain.hits += alarms[r] && labels[r] ? 1 : 0;
    rows_outside += near[r] ? 0 : 1;
    if (alarms[r] && !near[r] && quiet >= kOneEvent) outside += 1;
    adjusted.alarms += alarms[r] && !near[r] ? 1 : 0;
    quiet = alarms[r] ? 0 : quiet + 1;
  }
  adjusted.alarms += adjusted.hits;
  set(plain, score.precision, score.recall, score.f1);
  set(adjusted, score.adjusted_precision, score.adjusted_recall, score.adjusted_f1);
  score.nab = nab_score(alarms, segments);
  std::ranges::sort(delays);
  score.median_delay = delays.empty() ? NAN : delays[delays.size() / 2];
  score.false_alarms_per_1000 = 1000 * share(outside, rows_outside);
  return score;
}

}  // namespace elastane::series
