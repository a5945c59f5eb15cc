// The roster: every agent of the table of protein loops, with the settings that tuning chose
// (experiments/protein_loop/settings).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "elastane/core/metric/metric_weights.h"
#include "lab/protein_loop/window_agent.h"

namespace elastane::protein_loop {

inline constexpr int kMaxDepth = 8;
// gated Levenberg steps on a window's torsions, and their λ
CorrectorOptions window_corrector();
double window_damping();
// the same with a learned metric: G gives the direction, a model of the energy the length
CorrectorOptions metric_corrector();

// the trained networks and gates of a folder: protein_loop_ssm.safetensors, _transformer, _hybrid and _gate; and, if it is
// there, protein_loop_metric.safetensors
struct Networks {
  Model ssm, transformer, hybrid;
  LearnedGate gate;               // of the SSM's corrector
  MetricWeights metric;           // of a window's torsions, or empty
  std::uint64_t fingerprint = 0;  // of all of them
};
Result<Networks> load_networks(const std::string& folder);

enum class Network : std::uint8_t { none, ssm, transformer, hybrid };

struct RosterEntry {
  std::string name, what;
  Network network = Network::none;
  std::optional<CorrectorOptions> corrector = {};
  bool learned = false;  // its gate is the trained one
  Curvature curvature = Curvature::whole;
  double damping = 0;
  int restarts = 0;
  double oracle_price = -1;
};
// all entries that these networks allow; histogram: of the depths that the learned gate chooses, for the random gate
std::vector<RosterEntry> roster(const Networks& networks, const std::vector<double>& histogram = {});

std::string settings_of(const RosterEntry& entry);  // one line, for cards
// networks must outlive it
std::unique_ptr<WindowAgent> make_agent(const RosterEntry& entry, const Networks& networks);

}  // namespace elastane::protein_loop
