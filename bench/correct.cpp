// elastane bench correct: how long a corrected step takes in every metric, beside TinySolver, Eigen and LibTorch.
#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <stdexcept>

#include "bench/bare_step.h"
#include "bench/bench.h"
#include "bench/corrected_fleet.h"
#include "bench/corrected_run.h"
#include "bench/correction_scaling.h"
#include "bench/rival.h"
#include "command_line/asked_isa.h"

namespace elastane::bench {
namespace {

constexpr int kRivalLatents = 64;  // the size that rivals are written for
constexpr std::array kRanks = {4, 8, 16};
constexpr std::array kHorizons = {1, 3};
constexpr std::array kMeasured = {Metric::euclidean, Metric::latent_covariance,  Metric::fixed, Metric::literal,
                                  Metric::sketch,    Metric::conjugate_gradient, Metric::exact, Metric::kalman,
                                  Metric::automatic};

struct Options {
  std::string json;
  int steps = 0;
  std::vector<int> latents = {64, 256, 1024};
  std::vector<std::string> only;
  bool scaling = false, fleet = false;

  bool wants(Metric metric) const {
    return only.empty() || std::find(only.begin(), only.end(), name(metric)) != only.end();
  }
};

bool uses_rank(Metric metric) {
  return metric == Metric::fixed || metric == Metric::literal || metric == Metric::sketch;
}

// what is measured once per size, before its metrics
struct Size {
  Model model;
  Timed bare;
  std::optional<BareRivals> bare_rivals;
  std::map<int, double> libtorch_plain, libtorch;  // p50 of the whole step, by horizon
};

// LibTorch's whole corrected step in the exact metric, written plainly or tuned, measured by elastane-torch; nothing if
// that is not built
std::optional<double> libtorch_p50(const char* style, const Model& model, const RivalFile& file, int horizon,
                                   int steps) {
  const auto answer = ask_rival("elastane-torch", fmt::format("correct '{}' --style {} --horizon {} --steps {}",
                                                              file.path(), style, horizon, steps));
  if (!answer) return std::nullopt;
  // a wrong answer's time does not count
  const CorrectedOutputs ours = corrected_outputs(model, drift_corrector(Metric::exact, 8, horizon), steps);
  if ((*answer)["accepted"].get<std::vector<std::uint8_t>>() != ours.accepted ||
      !(deviation((*answer)["outputs"].get<std::vector<float>>(), ours.outputs) <= 1e-2)) {
    throw std::runtime_error("[bench] LibTorch corrects differently");
  }
  return (*answer)["p50_us"].get<double>();
}

Size measure_size(int latents, int steps) {
  const ModelConfig config = drift_model(latents);
  const auto tensors = random_tensors(config, kWeightSeed);
  Size size{.model = Model::create(config, tensors, {.isa = command_line::asked_isa()}).value(),
            .bare = {},
            .bare_rivals = {},
            .libtorch_plain = {},
            .libtorch = {}};
  const int calls = steps > 0 ? steps : 2'560'000 / latents;
  size.bare = time_bare_step(size.model, calls);
  if (latents != kRivalLatents) return size;
  size.bare_rivals = ask_bare_rivals(config, tensors, calls);
  const RivalFile file(config, tensors);
  for (const int horizon : kHorizons) {
    for (auto& [style, times] : {std::pair("plain", &size.libtorch_plain), std::pair("tuned", &size.libtorch)}) {
      const auto p50 = libtorch_p50(style, size.model, file, horizon, steps > 0 ? std::min(steps, 5000) : 2000);
      if (p50) (*times)[horizon] = *p50;
    }
  }
  return size;
}

void put(Json& row, const std::string& verb, const Timed& t) {
  row[verb + "_p50_us"] = t.time.p50;
  row[verb + "_p90_us"] = t.time.p90;
  row[verb + "_p99_us"] = t.time.p99;
  row[verb + "_p999_us"] = t.time.p999;
  row[verb + "_max_us"] = t.time.max;
  row[verb + "_first_us"] = t.first;
}

Json row_of(Metric metric, int latents, int rank, int horizon, const Size& size, const CorrectedRun& run) {
  Json row = {{"row", "correct"},
              {"metric", name(metric)},
              {"took", name(run.took)},
              {"d_z", latents},
              {"r", rank},
              {"rank_used", uses_rank(metric)},
              {"H", horizon},
              {"outputs", 16},
              {"isa", name(size.model.isa())},
              {"steps", run.steps},
              {"accepted", run.accepted},
              {"madds", run.macs}};
  put(row, "advance", run.advance);
  put(row, "anticipate", run.anticipate);
  put(row, "correct", run.correct);
  put(row, "step", run.step);
  for (int i = 0; i < kStages; ++i) {
    row[fmt::format("stage_{}_us", name(static_cast<Stage>(i)))] = run.stages[static_cast<std::size_t>(i)];
  }
  put(row, "gauss_newton", size.bare);
  for (const char* rival : {"tinysolver", "eigen", "libtorch_plain", "libtorch"}) {
    row[fmt::format("{}_p50_us", rival)] = nullptr;
  }
  if (size.bare_rivals) {
    row["tinysolver_p50_us"] = size.bare_rivals->tinysolver;
    row["eigen_p50_us"] = size.bare_rivals->eigen;
  }
  // LibTorch's is in the exact metric
  if (run.took == Metric::exact && size.libtorch.contains(horizon)) {
    row["libtorch_plain_p50_us"] = size.libtorch_plain.at(horizon);
    row["libtorch_p50_us"] = size.libtorch.at(horizon);  // tuned: the hardest rival we know
  }
  return row;
}

void print_heading() {
  fmt::print(
      "A corrected step of one stream, one core, {} kernels, microseconds: 8 inputs, one selective block, decoder\n"
      "d_z → 2·d_z → 16, a Gaussian on a target that drifts, one micro-step, H losses decide. step: advance and\n"
      "correct in one call. correct: after advance and anticipate, each by its own call.\n\n",
      name((*kernels(command_line::asked_isa()))->isa));
  for (const auto& [program, columns] : {std::pair("elastane-torch", "LibTorch's columns stay"),
                                         std::pair("elastane-tinysolver", "TinySolver's and Eigen's columns stay")}) {
    if (rival_exists(program)) continue;
    fmt::print("{} empty: {} is not beside this program; ./dev bench correct builds it.\n\n", columns, program);
  }
}

void print_bare(int latents, const Size& size) {
  fmt::print("\nd_z = {}: the bare Gauss–Newton step (y, J, solve) takes {:.2f} at p50, {:.2f} at p99, {:.1f} at first",
             latents, size.bare.time.p50, size.bare.time.p99, size.bare.first);
  if (const auto& rivals = size.bare_rivals) {
    fmt::print("; TinySolver {:.2f} (×{:.1f}), Eigen in the outputs' space {:.2f} (×{:.1f})", rivals->tinysolver,
               rivals->tinysolver / size.bare.time.p50, rivals->eigen, rivals->eigen / size.bare.time.p50);
  }
  fmt::print(
      ".\n\n| metric | r | H | advance | anticipate | correct | step p50 | p90 | p99 | p99.9 | max | first | accepted "
      "| MACs | LibTorch, plain | × | LibTorch, tuned | × |\n"
      "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: "
      "|\n");
}

void print_row(const Json& row) {
  std::string metric = row["metric"];
  if (row["took"] != metric) metric += fmt::format(" ({})", row["took"].get<std::string>());
  fmt::print("| {} | {} | {} |", metric, row["rank_used"].get<bool>() ? fmt::format("{}", row["r"].get<int>()) : "",
             row["H"].get<int>());
  for (const char* key : {"advance_p50_us", "anticipate_p50_us", "correct_p50_us", "step_p50_us", "step_p90_us",
                          "step_p99_us", "step_p999_us", "step_max_us", "step_first_us"}) {
    fmt::print(" {} |", shown(row[key]));
  }
  fmt::print(" {:.3f} | {} |", row["accepted"].get<double>(), row["madds"].get<std::int64_t>());
  for (const char* key : {"libtorch_plain_p50_us", "libtorch_p50_us"}) {
    fmt::print(" {} | {} |", shown(row[key]), ratio(row[key], row["step_p50_us"]));
  }
  fmt::print("\n");
  std::fflush(stdout);
}

void bench_size(const Options& options, int latents, Json& rows) {
  const Size size = measure_size(latents, options.steps);
  print_bare(latents, size);
  for (const Metric metric : kMeasured) {
    if (!options.wants(metric)) continue;
    for (const int horizon : kHorizons) {
      std::optional<CorrectedRun> run;
      for (const int rank : kRanks) {
        const bool fresh = !run || uses_rank(metric);
        if (fresh) run = run_corrected(size.model, drift_corrector(metric, rank, horizon), options.steps);
        rows.push_back(row_of(metric, latents, rank, horizon, size, *run));
        if (fresh) print_row(rows.back());
      }
    }
  }
}

// of the default at the smallest size and the longest horizon
void print_stages(const Json& rows) {
  for (const Json& row : rows) {
    if (row["metric"] != "automatic" || row["d_z"] != kRivalLatents || row["r"] != 8 || row["H"] != 3) continue;
    fmt::print("\nWhere the default step goes at d_z = {}, H = 3, medians:", kRivalLatents);
    for (int i = 0; i < kStages; ++i) {
      const std::string_view stage = name(static_cast<Stage>(i));
      fmt::print(" {} {:.2f}", stage, row[fmt::format("stage_{}_us", stage)].get<double>());
    }
    fmt::print(".\n");
  }
}

void bench_correct(const Options& options) {
  Json rows = Json::array();
  if (options.fleet) {
    bench_corrected_fleet(options.steps, rows);
  } else if (options.scaling) {
    bench_correction_scaling(options.steps, rows);
  } else {
    print_heading();
    for (const int latents : options.latents) bench_size(options, latents, rows);
    print_stages(rows);
  }
  write_rows(options.json, rows);
}

}  // namespace

void add_bench_correct(command_line::Command& bench) {
  auto options = std::make_shared<Options>();
  command_line::Command& verb =
      bench.command("correct", "A corrected step in every metric, against TinySolver, Eigen and LibTorch");
  std::vector<std::string> metrics;
  for (const Metric metric : kMeasured) metrics.emplace_back(name(metric));
  verb.option("--json", options->json, "write the rows to this file, as a JSON list").type("FILE");
  verb.option("--steps", options->steps, "steps per case (default: about a third of a second each)")
      .range(100, 1e8)
      .hide_default();
  verb.option("--only", options->only, "metrics to measure (default: all)").one_of(metrics);
  verb.option("--latents", options->latents, "sizes of the latent").range(16, 4096);
  verb.flag("--scaling", options->scaling,
            "instead: how the cost of sketch and conjugate_gradient grows with the latent, 64 to 4096");
  verb.flag("--fleet", options->fleet, "instead: 64 corrected streams together, against one after the other");
  verb.footer(
      "Examples:\n"
      "  elastane bench correct --json correct.json\n"
      "  elastane bench correct --only sketch,automatic --latents 64\n"
      "  elastane bench correct --scaling\n"
      "  elastane bench correct --fleet\n\n"
      "LibTorch's columns need elastane-torch beside this program; TinySolver's and Eigen's need elastane-tinysolver.\n"
      "./dev bench correct builds all three. For an unlimited number of steps see ./dev endurance --corrected.");
  verb.action([options] {
    bench_correct(*options);
    return 0;
  });
}

}  // namespace elastane::bench
