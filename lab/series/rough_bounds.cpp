#include "lab/series/rough_bounds.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace elastane::series {
namespace {

constexpr double kPerCent = 100;

struct Bound {
  const char* what;
  std::vector<RoughKind> kinds;
  std::size_t phase;
  double most;    // ratio
  double wanted;  // % of the streams; 0: the worst stream is at most `most`
};

const std::vector<Bound>& bounds() {
  static const std::vector<Bound> all = {
      {"one spike of 30 deviations or more, rows 0-24, at most 1.5 times",
       {{Rough::spike, 30}, {Rough::spike, 100}},
       1,
       1.5,
       90},
      {"the same, rows 200-600, at most 1.05 times", {{Rough::spike, 30}, {Rough::spike, 100}}, 3, 1.05, 90},
      {"jump of 10 deviations, rows 24-200, within 10 %", {{Rough::jump, 10}}, 2, 1.1, 80},
      {"times 1000, rows 24-200, within 10 %", {{Rough::unit, 1e3}}, 2, 1.1, 80},
      {"divided by 1000, rows 24-200, within 10 %", {{Rough::unit, 1e-3}}, 2, 1.1, 80},
      {"jump of 3 deviations, rows 24-200, within 10 %", {{Rough::jump, 3}}, 2, 1.1, 60},
      {"gain of 1.5, rows 24-200, within 10 %", {{Rough::gain, 1.5}}, 2, 1.1, 60},
      {"+-1e5 for 20 rows: worst stream, rows 200-600, at most 1.5 times", {{Rough::burst, 1e5}}, 3, 1.5, 0},
      {"+-10 for 20 rows: worst stream, rows 200-600, at most 3 times", {{Rough::burst, 10}}, 3, 3, 0},
      {"+-1e5 for 300 rows: worst stream, from row 600 on, at most 1.5 times", {{Rough::long_burst, 1e5}}, 4, 1.5, 0},
      {"any change of unit: worst stream, rows 200-600, at most 3 times",
       {{Rough::unit, 1e3}, {Rough::unit, 1e-3}},
       3,
       3,
       0},
      {"no disturbance, rows 24-200, within .5 %", {{Rough::none, 0}}, 2, 1.005, 90},
  };
  return all;
}

std::vector<int> horizons_of(const std::vector<RoughResult>& results) {
  std::vector<int> all;
  for (const RoughResult& r : results) {
    if (std::ranges::find(all, r.horizon) == all.end()) all.push_back(r.horizon);
  }
  return all;
}

std::string formatted(const char* format, auto... values) {
  std::array<char, 256> line{};
  std::snprintf(line.data(), line.size(), format, values...);
  return line.data();
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

std::string label(const RoughKind& kind) { return formatted("%s %g", name(kind.kind), kind.size); }

double Ratios::within(std::size_t phase, double most) const {
  const auto count = std::ranges::count_if(of[phase], [&](double r) { return r <= most; });
  return kPerCent * static_cast<double>(count) / static_cast<double>(of[phase].size());
}

double Ratios::worst(std::size_t phase) const { return of[phase].empty() ? NAN : *std::ranges::max_element(of[phase]); }

void Ratios::add(const Ratios& other) {
  for (std::size_t p = 0; p < of.size(); ++p) of[p].insert(of[p].end(), other.of[p].begin(), other.of[p].end());
  near_simple += other.near_simple;
  streams += other.streams;
}

RoughRatios::RoughRatios(const std::vector<RoughResult>& results) : results_(results) {
  for (const RoughResult& r : results) {
    if (r.kind.kind == Rough::none && r.method == "today") calm_[{r.family, r.seed, r.horizon}] = &r;
  }
}

Ratios RoughRatios::of(const RoughKind& kind, int horizon, const std::string& method) const {
  Ratios ratios;
  for (const RoughResult& r : results_) {
    if (r.kind.kind != kind.kind || r.kind.size != kind.size || r.horizon != horizon || r.method != method) continue;
    const RoughResult& reference = *calm_.at({r.family, r.seed, r.horizon});
    for (std::size_t p = 0; p < kPhases.size(); ++p) {
      ratios.of[p].push_back(r.error[p] / std::fmax(reference.error[p], 1e-12));
    }
    ratios.near_simple += r.from_24 <= 1.05 * r.best_simple_from_24 ? 1 : 0;
    ratios.streams += 1;
  }
  return ratios;
}

std::string rough_bounds(const std::vector<RoughResult>& results) {
  const RoughRatios ratios(results);
  const std::vector<int> horizons = horizons_of(results);
  std::string table = "| bound | wanted |", rule = "| --- | --: |";
  for (const int horizon : horizons) {
    table += formatted(" %d ahead | today's engine |", horizon);
    rule += " --: | --: |";
  }
  table += "\n" + rule + "\n";
  const auto collect = [&](const std::vector<RoughKind>& kinds, int horizon, const char* method) {
    Ratios all;
    for (const RoughKind& kind : kinds) all.add(ratios.of(kind, horizon, method));
    return all;
  };
  for (const Bound& bound : bounds()) {
    if (collect(bound.kinds, horizons.front(), "corrected").streams == 0) continue;
    table += std::string("| ") + bound.what +
             (bound.wanted > 0 ? formatted(" | %g %% |", bound.wanted) : formatted(" | %g |", bound.most));
    for (const int horizon : horizons) {
      for (const char* method : {"corrected", "today"}) {
        const Ratios r = collect(bound.kinds, horizon, method);
        table += bound.wanted > 0 ? formatted(" %.1f %% |", r.within(bound.phase, bound.most))
                                  : formatted(" %.3g |", r.worst(bound.phase));
      }
    }
    table += "\n";
  }
  // from row 24 on, over all kinds but the undisturbed ones, if simple methods ran at all
  if (!std::ranges::any_of(results, [](const RoughResult& r) { return std::isfinite(r.best_simple_from_24); }))
    return table;
  std::vector<RoughKind> kinds = all_rough_kinds();
  std::erase_if(kinds, [](const RoughKind& kind) { return kind.kind == Rough::none; });
  table += "| from row 24 on at most 5 % above the best simple method, all kinds | 90 % |";
  for (const int horizon : horizons) {
    for (const char* method : {"corrected", "today"}) {
      const Ratios r = collect(kinds, horizon, method);
      table += formatted(" %.1f %% |", kPerCent * r.near_simple / std::max(1, r.streams));
    }
  }
  return table + "\n";
}

}  // namespace elastane::series
