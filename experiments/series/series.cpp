// Forecasting under drift, and at rest: four published series, the same at rest, and streams of which one knows all.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "elastane/io/table.h"
#include "lab/series/evaluate_json.h"
#include "lab/series/synthetic.h"

namespace elastane::series {
namespace {

using Json = nlohmann::ordered_json;

struct Source {
  const char* file;
  Split split;
};

// the splits of DSOF (ICLR 2025)
const std::vector<Source>& sources() {
  static const std::vector<Source> all = {{"ETTh2", {{2880}, {720}, {10800}}},
                                          {"ETTm1", {{11520}, {2880}, {43200}}},
                                          {"weather", {{0.2}, {0.05}, {0.75}}},
                                          {"exchange_rate", {{0.2}, {0.05}, {0.75}}}};
  return all;
}

struct Plan {
  std::vector<std::string> parts = {"drift", "repeated", "synthetic"}, data;  // data: none is all
  std::vector<int> horizons = {1, 24, 48};
  int seeds = 3;
  std::uint64_t first_seed = 1;
  std::string json;
};

const std::vector<std::string> kAtRest = {"persistence", "frozen", "corrected"};

Json of_part(const char* part, const Judged& j, const std::string& data, int horizon, std::uint64_t seed) {
  Json row = {{"part", part}};
  row.update(as_json(j, data, horizon, seed));
  return row;
}

Evaluation run(const Dataset& data, const Split& split, int horizon, const std::vector<std::string>& methods) {
  EvaluateOptions options;
  options.fit.horizon = horizon;
  options.fit.split = split;
  options.fit.find_price = methods.empty();
  options.fit.tune_metrics = methods.empty();
  options.methods = methods;
  return evaluate(data, options);
}

const Judged& find(const Evaluation& evaluation, const std::string& method, const std::string& metric) {
  return *std::ranges::find_if(evaluation.judged,
                               [&](const Judged& j) { return j.method == method && j.metric == metric; });
}

void print_published(const Evaluation& e, const std::string& data, int horizon) {
  fmt::print("\n{}, {} ahead\n\n", data, horizon);
  fmt::print("| method | metric | MSE | MAE | coverage | p50 µs | p99 µs | first tenth | last tenth | depth |\n");
  fmt::print("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  for (const Judged& j : e.judged) {
    fmt::print("| {} | {} | {:.4g} | {:.4g} | {:.3f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.2f} |\n", j.method,
               j.metric, j.mse, j.mae, j.coverage, j.p50_us, j.p99_us, j.p99_first_tenth_us, j.p99_last_tenth_us,
               j.depth);
  }
  std::fflush(stdout);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

struct Published {
  std::string name;
  Split split;
  Dataset data;
};

// the published series that are wanted, or none if one of them is not there
std::vector<Published> read_all(const std::string& folder, const Plan& plan) {
  std::vector<Published> all;
  for (const Source& source : sources()) {
    if (!plan.data.empty() && !has(plan.data, source.file)) continue;
    const std::string path = folder + "/" + source.file + ".csv";
    if (!std::filesystem::exists(path)) return {};
    all.push_back({source.file, source.split, make_dataset(read_table(path).value(), {}, path)});
  }
  return all;
}

void run_published(const std::vector<Published>& all, const Plan& plan, Json& rows) {
  fmt::print("\n## Under drift\n");
  for (const Published& published : all) {
    for (const int horizon : plan.horizons) {
      const Evaluation e = run(published.data, published.split, horizon, {});
      print_published(e, published.name, horizon);
      for (const Judged& j : e.judged) rows.push_back(of_part("drift", j, published.name, horizon, 0));
    }
  }
}

void print_at_rest(const Evaluation& e, const std::string& data, int horizon, std::uint64_t seed) {
  const Judged &frozen = find(e, "frozen", ""), &ours = find(e, "corrected", "kalman");
  fmt::print("| {} | {} | {} | {:.4g} | {:.4g} | {:.4g} | {:+.2f} % | {:.3f} | {:.2f} |\n", data, horizon, seed,
             find(e, "persistence", "").mse, frozen.mse, ours.mse, 100 * (ours.mse / frozen.mse - 1), ours.coverage,
             ours.alarms);
  std::fflush(stdout);
}

void print_at_rest_head() {
  fmt::print(
      "| data | rows ahead | seed | persistence | frozen | corrected | difference | coverage | alarms per 10,000 |\n");
  fmt::print("| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
}

// nothing new: the held-out rows over and over
void run_repeated(const std::vector<Published>& all, const Plan& plan, Json& rows) {
  fmt::print("\n## At rest: the held-out rows, ten times\n\n");
  print_at_rest_head();
  for (const Published& published : all) {
    Split split;
    const Dataset repeated = repeat_held_out(published.data, published.split, 10, split);
    for (const int horizon : plan.horizons) {
      const Evaluation e = run(repeated, split, horizon, kAtRest);
      print_at_rest(e, published.name, horizon, 0);
      for (const Judged& j : e.judged) rows.push_back(of_part("repeated", j, published.name, horizon, 0));
    }
  }
}

void run_synthetic(const Plan& plan, Json& rows) {
  fmt::print("\n## Synthetic streams, at rest and with a change\n\n");
  print_at_rest_head();
  for (const Change change : {Change::none, Change::level, Change::phase, Change::gain, Change::slow}) {
    for (int n = 0; n < plan.seeds; ++n) {
      const std::uint64_t seed = plan.first_seed + static_cast<std::uint64_t>(n);
      const Dataset data = synthetic({.seed = seed, .change = change});
      for (const int horizon : plan.horizons) {
        const Evaluation e = run(data, {{2880}, {720}, {1e9}}, horizon, kAtRest);
        print_at_rest(e, name(change), horizon, seed);
        for (const Judged& j : e.judged) rows.push_back(of_part("synthetic", j, name(change), horizon, seed));
      }
    }
  }
}

int run_all(const Plan& plan) {
  const char* given = std::getenv("ELASTANE_DATA");
  const std::string folder = (given != nullptr && *given != '\0' ? std::string(given) : "../shared/data") + "/series";
  Json rows = Json::array();
  const std::vector<Published> all = read_all(folder, plan);
  if (all.empty()) {
    fmt::print("The published series are not there; skipped. Set ELASTANE_DATA to a folder with series/*.csv.\n");
  }
  if (!all.empty() && has(plan.parts, "drift")) run_published(all, plan, rows);
  if (!all.empty() && has(plan.parts, "repeated")) run_repeated(all, plan, rows);
  if (has(plan.parts, "synthetic")) run_synthetic(plan, rows);
  if (!plan.json.empty()) std::ofstream(plan.json) << rows.dump(1) << "\n";
  return 0;
}

}  // namespace
}  // namespace elastane::series

int main(int count, char** arguments) {
  CLI::App app("Forecasting under drift and at rest.", "series");
  elastane::series::Plan plan;
  app.add_option("--horizon", plan.horizons, "rows ahead")->delimiter(',')->check(CLI::Range(1, 10'000));
  app.add_option("--part", plan.parts, "drift, repeated, synthetic; all unless told")
      ->delimiter(',')
      ->check(CLI::IsMember({"drift", "repeated", "synthetic"}));
  app.add_option("--data", plan.data, "ETTh2, ETTm1, weather, exchange_rate; all unless told")->delimiter(',');
  app.add_option("--seeds", plan.seeds, "of the synthetic streams")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--first-seed", plan.first_seed, "the first of them")->capture_default_str();
  app.add_option("--json", plan.json, "write the rows here too");
  app.footer("Example: series --horizon 24 --seeds 5 --json rows.json");
  CLI11_PARSE(app, count, arguments);
  try {
    return elastane::series::run_all(plan);
  } catch (const std::exception& error) {
    fmt::print(stderr, "series: {}\n", error.what());
    return 1;
  }
}
