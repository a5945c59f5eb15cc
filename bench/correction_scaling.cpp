#include "bench/correction_scaling.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "bench/corrected_run.h"
#include "command_line/asked_isa.h"

namespace elastane::bench {
namespace {

// the exponent p of y ∝ xᵖ, by least squares of logarithms
double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = std::log(x[i]), v = std::log(y[i]);
    n += 1, sx += u, sy += v, sxx += u * u, sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void bench_metric(Metric metric, int steps, Json& rows) {
  std::vector<double> sizes, times, counts;
  for (int latents = 64; latents <= 4096; latents *= 2) {
    const ModelConfig config = drift_model(latents, true);
    const Model model = Model::create(config, random_tensors(config, 1), {.isa = command_line::asked_isa()}).value();
    const CorrectedRun run = run_corrected(model, drift_corrector(metric, 8, 1), steps);
    // the correction alone
    const double time = run.step.time.p50 - run.stages[static_cast<int>(Stage::advance)];
    const auto macs = static_cast<double>(run.macs - model.macs());
    const auto growth = [](const std::vector<double>& before, double now) {
      return before.empty() ? std::string() : fmt::format("{:.2f}", now / before.back());
    };
    fmt::print("| {} | {} | {:.1f} | {} | {:.0f} | {} | {:.3f} |\n", name(metric), latents, time, growth(times, time),
               macs, growth(counts, macs), run.accepted);
    std::fflush(stdout);
    rows.push_back({{"row", "scaling"},
                    {"metric", name(metric)},
                    {"d_z", latents},
                    {"r", 8},
                    {"H", 1},
                    {"correct_p50_us", time},
                    {"madds", macs},
                    {"accepted", run.accepted},
                    {"steps", run.steps}});
    sizes.push_back(latents);
    times.push_back(time);
    counts.push_back(macs);
  }
  fmt::print("| {} | exponent | {:.2f} | | {:.2f} | | |\n", name(metric), exponent(sizes, times),
             exponent(sizes, counts));
  rows.push_back({{"row", "exponent"},
                  {"metric", name(metric)},
                  {"time", exponent(sizes, times)},
                  {"madds", exponent(sizes, counts)}});
}

}  // namespace

void bench_correction_scaling(int steps, Json& rows) {
  fmt::print(
      "One correction at r = 8, H = 1, microseconds, while the latent grows and the rest does not: decoder\n"
      "d_z → 16 → 64 → 16. ×: to the row above. exponent: p of time ∝ d_zᵖ, fitted; 1 is linear.\n\n"
      "| metric | d_z | p50 | × | MACs | × | accepted |\n| --- | --: | --: | --: | --: | --: | --: |\n");
  for (const Metric metric : {Metric::sketch, Metric::conjugate_gradient}) bench_metric(metric, steps, rows);
}

}  // namespace elastane::bench
