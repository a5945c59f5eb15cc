// The bounds that forecasts of rough streams are held to, and the share of streams that keep each of them.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "lab/series/rough_comparison.h"

namespace elastane::series {

std::string label(const RoughKind& kind);
double median(std::vector<double> values);  // NaN: there are none

// errors of one method on the streams of one kind, over today's engine on the same rows without a disturbance
struct Ratios {
  std::array<std::vector<double>, kPhases.size()> of;
  int near_simple = 0, streams = 0;  // at most 5 % above the best simple method, from row 24 on

  double within(std::size_t phase, double most) const;  // share of the streams, in %; NaN without streams
  double worst(std::size_t phase) const;
  void add(const Ratios& other);
};

class RoughRatios {
 public:
  explicit RoughRatios(const std::vector<RoughResult>& results);

  Ratios of(const RoughKind& kind, int horizon, const std::string& method) const;

 private:
  using StreamKey = std::tuple<Family, std::uint64_t, int>;

  const std::vector<RoughResult>& results_;
  std::map<StreamKey, const RoughResult*> calm_;  // today's engine without a disturbance
};

// one line per bound: what is wanted, and what ours and today's engine reach at every horizon
std::string rough_bounds(const std::vector<RoughResult>& results);

}  // namespace elastane::series
