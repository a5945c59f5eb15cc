#include "lab/series/reproduction.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "elastane/io/table.h"
#include "lab/series/comparison_json.h"
#include "lab/series/synthetic.h"

namespace elastane::series {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct Source {
  const char* file;
  DataSplit split;
};

// the splits of DSOF (ICLR 2025)
const std::vector<Source>& sources() {
  static const std::vector<Source> all = {{"ETTh2", {{2880}, {720}, {10800}}},
                                          {"ETTm1", {{11520}, {2880}, {43200}}},
                                          {"weather", {{0.2}, {0.05}, {0.75}}},
                                          {"exchange_rate", {{0.2}, {0.05}, {0.75}}}};
  return all;
}

const std::vector<std::string> kAtRest = {"persistence", "frozen", "corrected"};

struct PublishedSeries {
  std::string name;
  DataSplit split;
  Dataset data;
};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

Comparison compare(const Dataset& data, const DataSplit& split, int horizon, const std::vector<std::string>& methods,
                   bool guard) {
  ComparisonOptions options;
  options.fit.guard = guard;
  options.fit.horizon = horizon;
  options.fit.split = split;
  options.fit.find_price = methods.empty();
  options.fit.tune_metrics = methods.empty();
  options.methods = methods;
  return compare_methods(data, options);
}

const ForecastEvaluation& score_of(const Comparison& c, const std::string& method, const std::string& metric) {
  return std::ranges::find_if(c.results,
                              [&](const MethodResult& r) { return r.method == method && r.metric == metric; })
      ->score;
}

class Tables {
 public:
  Tables(const ReproductionOptions& options, const std::function<void(std::string_view)>& print)
      : options_(options), print_(print) {}

  std::string run() {
    const std::vector<PublishedSeries> published = read_published();
    if (published.empty()) {
      print_(
          "The published series were not found and are skipped. Name a folder that holds series/*.csv: --data DIR.\n");
    }
    if (!published.empty() && has(options_.parts, "drift")) under_drift(published);
    if (!published.empty() && has(options_.parts, "repeated")) repeated(published);
    if (has(options_.parts, "synthetic")) synthetic_streams();
    return rows_.dump(1) + "\n";
  }

 private:
  // all that are wanted, or none if one of them is missing
  std::vector<PublishedSeries> read_published() const {
    std::vector<PublishedSeries> all;
    for (const Source& source : sources()) {
      if (!options_.series.empty() && !has(options_.series, source.file)) continue;
      const std::string path = options_.data + "/series/" + source.file + ".csv";
      if (options_.data.empty() || !std::filesystem::exists(path)) return {};
      all.push_back({source.file, source.split, make_dataset(read_table(path).value(), {}, path).value()});
    }
    return all;
  }

  void under_drift(const std::vector<PublishedSeries>& published) {
    print_("\n## Under drift\n");
    for (const PublishedSeries& each : published) {
      for (const int horizon : options_.horizons) {
        const Comparison c = compare(each.data, each.split, horizon, options_.methods, !options_.no_guard);
        print_comparison(c, each.name, horizon);
        add_rows("drift", c, each.name, horizon, 0);
      }
    }
  }

  void repeated(const std::vector<PublishedSeries>& published) {
    print_("\n## At rest: the held-out rows, ten times\n\n");
    print_rest_header();
    for (const PublishedSeries& each : published) {
      DataSplit split;
      const Dataset data = repeat_held_out(each.data, each.split, 10, split);
      for (const int horizon : options_.horizons) {
        const Comparison c = compare(data, split, horizon, kAtRest, !options_.no_guard);
        print_rest(c, each.name, horizon, 0);
        add_rows("repeated", c, each.name, horizon, 0);
      }
    }
  }

  void synthetic_streams() {
    print_("\n## Synthetic streams, at rest and with a change\n\n");
    print_rest_header();
    for (const Change change : {Change::none, Change::level, Change::phase, Change::gain, Change::slow}) {
      for (int n = 0; n < options_.seeds; ++n) {
        const std::uint64_t seed = options_.first_seed + static_cast<std::uint64_t>(n);
        const Dataset data = synthetic({.seed = seed, .change = change});
        for (const int horizon : options_.horizons) {
          const Comparison c = compare(data, {{2880}, {720}, {1e9}}, horizon, kAtRest, !options_.no_guard);
          print_rest(c, name(change), horizon, seed);
          add_rows("synthetic", c, name(change), horizon, seed);
        }
      }
    }
  }

  void add_rows(const char* part, const Comparison& c, const std::string& data, int horizon, std::uint64_t seed) {
    for (const MethodResult& result : c.results) {
      OrderedJson row = {{"part", part}};
      row.update(as_json(result, data, horizon, seed));
      rows_.push_back(row);
    }
  }

  void print_comparison(const Comparison& c, const std::string& data, int horizon) const {
    print_("\n" + data + ", " + std::to_string(horizon) + " ahead\n\n");
    print_("| method | metric | MSE | MAE | coverage | p50 µs | p99 µs | first tenth | last tenth | depth |\n");
    print_("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
    std::array<char, 256> line{};
    for (const MethodResult& r : c.results) {
      const ForecastEvaluation& s = r.score;
      std::snprintf(line.data(), line.size(), "| %s | %s | %.4g | %.4g | %.3f | %.1f | %.1f | %.1f | %.1f | %.2f |\n",
                    r.method.c_str(), r.metric.c_str(), s.mse, s.mae, s.coverage, s.p50_us, s.p99_us,
                    s.p99_first_tenth_us, s.p99_last_tenth_us, s.depth);
      print_(line.data());
    }
  }

  void print_rest_header() const {
    print_(
        "| data | rows ahead | seed | persistence | frozen | corrected | difference | coverage | alarms per 10,000 "
        "|\n");
    print_("| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  }

  void print_rest(const Comparison& c, const std::string& data, int horizon, std::uint64_t seed) const {
    const ForecastEvaluation &frozen = score_of(c, "frozen", ""), &ours = score_of(c, "corrected", "kalman");
    std::array<char, 256> line{};
    std::snprintf(line.data(), line.size(), "| %s | %d | %llu | %.4g | %.4g | %.4g | %+.2f %% | %.3f | %.2f |\n",
                  data.c_str(), horizon, static_cast<unsigned long long>(seed), score_of(c, "persistence", "").mse,
                  frozen.mse, ours.mse, 100 * (ours.mse / frozen.mse - 1), ours.coverage, ours.alarms);
    print_(line.data());
  }

  const ReproductionOptions& options_;
  const std::function<void(std::string_view)>& print_;
  OrderedJson rows_ = OrderedJson::array();
};

}  // namespace

std::vector<std::string> published_names() {
  std::vector<std::string> names;
  for (const Source& source : sources()) names.emplace_back(source.file);
  return names;
}

std::string reproduce(const ReproductionOptions& options, const std::function<void(std::string_view)>& print) {
  return Tables(options, print).run();
}

}  // namespace elastane::series
