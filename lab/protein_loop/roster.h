// Who takes part in the loops' table, with the settings that tuning chose.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "elastane/core/metric/metric_weights.h"
#include "lab/protein_loop/window_agent.h"

namespace elastane::protein_loop {

// Levenberg steps on a window's torsions, gated; and their λ
CorrectorOptions window_corrector();
inline constexpr double kWindowDamping = 30;
inline constexpr int kMostDepth = 8;
// the same with a learned metric: G says where to, a model of the energy how far
CorrectorOptions metric_corrector();

// the trained networks and gates, from a folder: protein_loop_ssm.safetensors, _transformer, _hybrid, and _gate;
// and where it is there, protein_loop_metric.safetensors
struct Networks {
  Model ssm, transformer, hybrid;
  LearnedGate gate;               // of the SSM's corrector
  MetricWeights metric;           // of a window's torsions, or empty
  std::uint64_t fingerprint = 0;  // of all of them
};
Result<Networks> load_networks(const std::string& folder);

enum class Network : std::uint8_t { none, ssm, transformer, hybrid };

struct Agent {
  std::string name, what;
  Network network = Network::none;
  std::optional<CorrectorOptions> corrector = {};
  bool learned = false;  // its gate is the trained one
  Curvature curvature = Curvature::whole;
  double damping = kWindowDamping;
  int restarts = 0;
  double oracle_price = -1;
};
// all that these networks allow; histogram: of the depths that the learned gate takes, for the random gate
std::vector<Agent> agents(const Networks& networks, const std::vector<double>& histogram = {});

std::string settings_of(const Agent& agent);  // one line, for cards
// networks must outlive it
std::unique_ptr<WindowAgent> make_agent(const Agent& agent, const Networks& networks);

}  // namespace elastane::protein_loop
