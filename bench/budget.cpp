// elastane bench budget: is a budget on the wall clock kept by corrections that would like to do more?
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "bench/bench.h"
#include "bench/corrected_run.h"
#include "bench/drift.h"
#include "command_line/asked_isa.h"
#include "elastane/core/base/clock.h"
#include "elastane/core/objective/gaussian.h"

namespace elastane::bench {
namespace {

constexpr int kLatents = 64, kDepth = 8;

// how often the machine itself interrupts a loop that only reads the clock: the share of spans of that length in which it
// lost more than `slack`
double share_interrupted(double span, double slack, int spans) {
  int interrupted = 0;
  for (int i = 0; i < spans; ++i) {
    const double begun = now_micros();
    bool away = false;
    for (double last = begun, now = begun; now - begun < span; last = now) {
      now = now_micros();
      away |= now - last > slack;
    }
    interrupted += away ? 1 : 0;
  }
  return static_cast<double>(interrupted) / spans;
}

Json run_budget(const Model& model, double budget, double micro_step, int steps) {
  CorrectorOptions options = drift_corrector(Metric::automatic, 8, 1);
  options.gate.depth = kDepth;
  Stream stream(model, {.corrector = options});
  std::vector<float> x(kDriftInputs), target(kDriftOutputs);
  double depth = 0, worst = 0;
  int cut = 0, over = 0, far_over = 0;
  for (int t = 0; t < steps; ++t) {
    drift_inputs(t, x);
    drift_target(t, target);
    const Gaussian objective(Target{.values = target, .noise = kDriftNoise});
    stream.advance(x);
    const StepReport report = stream.correct(objective, Budget::micros(budget));
    depth += report.depth;
    cut += report.cut ? 1 : 0;
    over += report.overrun > 0 ? 1 : 0;
    far_over += report.overrun > micro_step ? 1 : 0;
    worst = std::max(worst, report.overrun);
  }
  const double interrupted = share_interrupted(budget, micro_step, 10'000);
  return {{"budget_us", budget},
          {"steps", steps},
          {"mean_depth", depth / steps},
          {"cut", static_cast<double>(cut) / steps},
          {"overruns", over},
          {"overruns_beyond_a_micro_step", far_over},
          {"worst_overrun_us", worst},
          {"expected_interruptions", interrupted * steps}};
}

void bench_budget(int steps, const std::string& json) {
  const ModelConfig config = drift_model(kLatents);
  const Model model =
      Model::create(config, random_tensors(config, kWeightSeed), {.isa = command_line::asked_isa()}).value();
  const CorrectedRun run = run_corrected(model, drift_corrector(Metric::automatic, 8, 1), 20'000);
  const double micro_step = run.step.time.p50 - run.advance.time.p50;
  fmt::print(
      "Corrections of up to {} micro-steps, of about {:.1f} µs each, under a budget on the wall clock; {} steps "
      "per row.\n"
      "Interrupted: how many of as many spans of the same length a loop that only reads the clock would have lost "
      "more\n"
      "than a micro-step in, to whatever else runs on this machine.\n\n",
      kDepth, micro_step, steps);
  fmt::print("| budget µs | mean K | cut short | over | over by more than a micro-step | worst µs | interrupted |\n");
  fmt::print("| --: | --: | --: | --: | --: | --: | --: |\n");
  Json rows = Json::array();
  for (const double budgeted : {0.5, 1.5, 2.5, 4.5}) {
    const Json row = run_budget(model, budgeted * micro_step, micro_step, steps);
    fmt::print("| {:.1f} | {:.2f} | {:.1f} % | {} | {} | {:.1f} | {:.0f} |\n", row["budget_us"].get<double>(),
               row["mean_depth"].get<double>(), 100 * row["cut"].get<double>(), row["overruns"].get<int>(),
               row["overruns_beyond_a_micro_step"].get<int>(), row["worst_overrun_us"].get<double>(),
               row["expected_interruptions"].get<double>());
    std::fflush(stdout);
    rows.push_back(row);
  }
  write_rows(json, rows);
}

}  // namespace

void add_bench_budget(command_line::Command& bench) {
  struct Options {
    std::string json;
    int steps = 100'000;
  };
  auto options = std::make_shared<Options>();
  command_line::Command& verb = bench.command("budget", "Are budgets on the wall clock kept?");
  verb.option("--steps", options->steps, "steps per budget").range(1000, 1e8);
  verb.option("--json", options->json, "write the rows to this file, as a JSON list").type("FILE");
  verb.footer("Example:\n  elastane bench budget --steps 1000000 --json budget.json");
  verb.action([options] {
    bench_budget(options->steps, options->json);
    return 0;
  });
}

}  // namespace elastane::bench
