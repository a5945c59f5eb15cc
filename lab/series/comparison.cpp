#include "lab/series/comparison.h"

#include <algorithm>
#include <stdexcept>

namespace elastane::series {

Comparison compare_methods(const Dataset& data, const ComparisonOptions& options) {
  constexpr double kFitShare = 0.4;  // of the whole work, roughly
  Comparison comparison;
  FitOptions fitting = options.fit;
  fitting.progress = [&](double share, const std::string& what) {
    options.progress(kFitShare * share, "fit: " + what);
  };
  comparison.fit = ForecastFitter(fitting).fit(data).value();
  std::vector<RosterEntry> all = roster(data, options.fit, comparison.fit);
  std::string known;
  for (const RosterEntry& e : all) {
    if (known.find(e.method) == known.npos) known += (known.empty() ? "" : " | ") + e.method;
  }
  if (!options.methods.empty()) {
    std::erase_if(all, [&](const RosterEntry& e) {
      return std::ranges::find(options.methods, e.method) == options.methods.end();
    });
    if (all.empty()) throw std::runtime_error("[evaluate] methods: expected " + known + ", found none of them");
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    options.progress(kFitShare + (1 - kFitShare) * static_cast<double>(i) / static_cast<double>(all.size()),
                     all[i].method);
    comparison.results.push_back(
        {all[i].method, all[i].metric,
         evaluate_method(*all[i].make(), *comparison.fit.model, data, options.fit.split, {}, options.windows).value()});
  }
  return comparison;
}

}  // namespace elastane::series
