#include "lab/series/quiet_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "elastane/forecast/evaluate_forecaster.h"
#include "elastane/forecast/fitter.h"

namespace elastane::series {
namespace {

constexpr double kInPerCent = 100;

QuietResult compare_one(const RoughOptions& stream, const QuietRows& rows, int horizon) {
  const Dataset data = rough_stream(stream).data;
  FitOptions fit;
  fit.horizon = horizon;
  fit.split = {{static_cast<double>(rows.learn)}, {static_cast<double>(rows.held_out)}};
  fit.tune_metrics = false;
  const SharedForecastModel model = ForecastFitter(fit).fit(data).value().model;
  const ForecastEvaluation ours = evaluate_forecaster(model, data, fit.split).value();
  const ForecastEvaluation frozen = evaluate_forecaster(model, data, fit.split, {.adapt = false}).value();
  return {stream.family, stream.seed, horizon, rows, ours.mse, frozen.mse, ours.coverage};
}

// of the results of one line
struct QuietSum {
  double streams = 0, mean = 0, largest = -INFINITY, within = 0, lowest = 1, highest = 0;

  void add(const QuietResult& r) {
    streams += 1;
    mean += kInPerCent * r.above_frozen();
    largest = std::fmax(largest, kInPerCent * r.above_frozen());
    within += kInPerCent * r.above_frozen() <= 0.5 ? 1 : 0;
    lowest = std::fmin(lowest, r.coverage);
    highest = std::fmax(highest, r.coverage);
  }
  std::string line(const char* family, std::size_t rows, int horizon) const {
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(), "| %s | %zu | %d | %g | %+.2f %% | %+.2f %% | %.0f %% | %.3f | %.3f |\n",
                  family, rows, horizon, streams, mean / streams, largest, kInPerCent * within / streams, lowest,
                  highest);
    return text.data();
  }
};

}  // namespace

std::vector<QuietResult> compare_on_quiet_streams(const QuietOptions& options) {
  std::vector<QuietResult> results;
  const double total =
      static_cast<double>(options.families.size() * options.rows.size() * options.horizons.size()) * options.seeds;
  for (const QuietRows& rows : options.rows) {
    for (const int horizon : options.horizons) {
      for (const Family family : options.families) {
        for (int n = 0; n < options.seeds; ++n) {
          RoughOptions stream;
          stream.family = family;
          stream.seed = options.first_seed + static_cast<std::uint64_t>(n);
          stream.learn = rows.learn;
          stream.held_out = rows.held_out;
          stream.before = 0;
          stream.after = rows.test;
          options.progress(static_cast<double>(results.size()) / total,
                           std::string(name(family)) + ", seed " + std::to_string(stream.seed));
          results.push_back(compare_one(stream, rows, horizon));
        }
      }
    }
  }
  return results;
}

std::string quiet_summary(const std::vector<QuietResult>& results) {
  std::string text =
      "| family | test rows | rows ahead | streams | above frozen, mean | largest | at most .5 % | lowest coverage | "
      "highest |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n";
  for (auto at = results.begin(); at != results.end();) {
    const auto is_other = [&](const QuietResult& r) {
      return r.family != at->family || r.rows.test != at->rows.test || r.horizon != at->horizon;
    };
    const auto end = std::find_if(at, results.end(), is_other);
    QuietSum sum;
    std::for_each(at, end, [&](const QuietResult& r) { sum.add(r); });
    text += sum.line(name(at->family), at->rows.test, at->horizon);
    at = end;
  }
  // all families together
  for (auto at = results.begin(); at != results.end();) {
    const auto is_other = [&](const QuietResult& r) {
      return r.rows.test != at->rows.test || r.horizon != at->horizon;
    };
    const auto end = std::find_if(at, results.end(), is_other);
    QuietSum sum;
    std::for_each(at, end, [&](const QuietResult& r) { sum.add(r); });
    text += sum.line("all", at->rows.test, at->horizon);
    at = end;
  }
  return text;
}

}  // namespace elastane::series
