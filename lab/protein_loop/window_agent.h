// An agent that repairs a protein window by window, while its residues stream by: a network proposes how the window's
// torsions should change, and a corrector improves the result. Either may be missing.
//
//   WindowAgent agent(options);
//   agent.begin();
//   WindowReport report = agent.step(energy, torsions);        // for every window, first to last; torsions: replaced
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "elastane/core/corrector/depth_trial.h"
#include "elastane/core/stream/stream.h"
#include "lab/protein_loop/loop_latent.h"
#include "lab/protein_loop/observation.h"

namespace elastane::protein_loop {

struct WindowAgentOptions {
  const Model* network = nullptr;  // nullptr: without
  std::optional<CorrectorOptions> corrector = {};
  LearnedGate gate = {};                   // if the corrector's gate is learned
  LearnedMetric metric = {};               // if its metric is learned; must outlive the agent
  Curvature curvature = Curvature::whole;  // of the native solve
  double damping = 1;                      // λ
  int restarts = 0;                        // from torsions nearby, while the window costs more than restart_above
  double restart_above = 15, restart_spread = 0.3;
  double oracle_price = -1;  // of a micro-step; at least 0: an oracle that knows the best depth
  std::uint64_t seed = 1;    // of restarts
};

// what one window cost and achieved
struct WindowReport {
  int depth = 0, accepted = 0;
  bool moved = false;
  double before = 0, after = 0;  // E of the window
  double kappa = 0;              // κ, if there was a solve
  double macs = 0;               // counted: observation, network, energies, gate, solves, trials
  StepReport correction = {};    // if there was one
};

// the weight of walls while a window with this gap (Å) is corrected
Emphasis emphasis_at(double gap);

class WindowAgent {
 public:
  explicit WindowAgent(const WindowAgentOptions& options);

  void begin();  // of a protein
  WindowReport step(const Energy& energy, Torsions& torsions);
  // the window as the agent left it
  const EnergyPoint& point() const { return objective_->last(); }

  // For training examples of a learned gate: its features in the last step, and before each step the result of every depth.
  std::span<const double> gate_features() const { return corrector_->gate_features(); }
  using DepthObserver = std::function<void(int depth, double energy, double macs)>;
  void observe_depths(DepthObserver observer) { depth_observer_ = std::move(observer); }

 private:
  void propose(const Energy& energy, std::span<double> z, WindowReport& report);
  void correct(std::span<double> z, WindowReport& report);
  void restart(std::span<double> z, WindowReport& report);
  int best_depth(std::span<const double> z);
  void weaken_walls(std::span<const double> z);
  double whole_energy(std::span<const double> z);
  double evaluation_macs() const;

  WindowAgentOptions options_;
  std::optional<Stream> stream_;
  std::optional<LoopObjective> objective_;
  std::optional<LoopLatent> latent_;
  std::optional<Corrector> corrector_;
  std::vector<Corrector> fixed_;  // one for each depth, for the oracle
  std::optional<DepthTrial> trial_;
  std::vector<double> memory_, y_;
  std::vector<float> x_;
  Random random_;
  DepthObserver depth_observer_;
  std::unique_ptr<EnergyPoint> scratch_ = std::make_unique<EnergyPoint>();
};

}  // namespace elastane::protein_loop
