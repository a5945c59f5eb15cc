#include "lab/protein_loop/training_metric.h"

#include <fmt/format.h>

#include "elastane/io/metric_file.h"
#include "elastane/train/metric_training.h"
#include "lab/protein_loop/example.h"
#include "lab/protein_loop/roster.h"

namespace elastane::protein_loop {
namespace {

constexpr int kPasses = 192;  // of each round

train::AnalyticLoss energy_of(const std::vector<DamagedWindow>& windows) {
  const auto scratch = std::make_shared<EnergyPoint>();
  return {.latents = kTorsions,
          .value = [&windows, scratch](std::size_t which, std::span<const double> z, std::span<double> gradient) {
            const DamagedWindow& window = windows[which];
            const double energy = window.energy.evaluate(z, window.emphasis, *scratch);
            window.energy.gradient(*scratch, gradient);
            return energy;
          }};
}

std::vector<train::MetricStart> starts_of(const std::vector<DamagedWindow>& windows) {
  std::vector<train::MetricStart> starts;
  for (std::size_t n = 0; n < windows.size(); ++n) {
    const auto z = windows[n].torsions.begin();
    starts.push_back({n, {z, z + kTorsions}});
  }
  return starts;
}

// Micro-steps have the length that G gives, so that its scale is learned as well; a corrector may use its directions alone.
// Energies reach 30,000, and 30 is damage, so about 10 is small. G starts from the size of a chain's curvature.
train::MetricTraining training_of(const TrustOptions& trust, std::uint64_t seed) {
  return {.rank = 4,
          .depth = 4,
          .step = trust.step,
          .radius = trust.radius,
          .scale = 1e5,
          .unit = 10,
          .steps = 400,
          .batch = 32,
          .seed = seed};
}

}  // namespace

// two rounds: windows come from passes with the energy's curvature first, then also from passes with the metric so far,
// which leave more damage
void train_metric(std::uint64_t seed, const std::string& command, const std::string& output) {
  std::vector<DamagedWindow> windows;
  MetricWeights metric;
  for (std::uint64_t round = 0; round < 2; ++round) {
    CorrectorOptions corrector = round == 0 ? window_corrector() : metric_corrector();
    const TrustOptions trust = metric_corrector().trust;
    corrector.gate = random_depths(kMaxDepth);
    WindowAgent agent({.corrector = corrector, .metric = metric.view(), .damping = window_damping()});
    for (DamagedWindow& window : gather_windows(agent, 2 * seed + round, kPasses)) {
      windows.push_back(std::move(window));
    }
    metric = train::train_metric(energy_of(windows), starts_of(windows), training_of(trust, seed));
  }
  save_metric(output, metric, {{"command", command}}).value();
  fmt::print("{} windows: {}\n", windows.size(), output);
}

}  // namespace elastane::protein_loop
