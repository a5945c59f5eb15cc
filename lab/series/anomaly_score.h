// Scores of alarms against labelled rows: by row, point-adjusted, by NAB's windows, and the delay of detection.
#pragma once

#include <cstddef>
#include <vector>

namespace elastane::series {

// rows [begin, end)
struct AnomalySegment {
  std::size_t begin = 0, end = 0;
};
std::vector<AnomalySegment> segments_of(const std::vector<bool>& labels);

struct AnomalyScore {
  std::size_t rows = 0, segments = 0, found = 0;  // found: segments with an alarm
  double precision = 0, recall = 0, f1 = 0;       // by row
  // all rows of a segment count as found if one is (Xu et al. 2018); flatters methods that alarm often
  double adjusted_precision = 0, adjusted_recall = 0, adjusted_f1 = 0;
  double nab = 0;                    // standard profile, 0: no alarm, 100: an alarm at the start of every window
  double median_delay = 0;           // rows from the start of a segment to its first alarm; NaN: none was found
  double false_alarms_per_1000 = 0;  // alarms that do not follow another within 24 rows, outside of segments
};

// `grace`: rows after a segment that still count for it
AnomalyScore score_anomalies(const std::vector<bool>& alarms, const std::vector<bool>& labels, std::size_t grace = 0);

}  // namespace elastane::series
