// Somebody that repairs a protein while its residues stream by: a network proposes how the window's torsions should
// change, a corrector improves on that, either may be missing.
//
//   WindowAgent agent(options, networks);
//   agent.begin();
//   WindowStep did = agent.step(energy, torsions);        // for every window, first to last; torsions: replaced
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "elastane/core/corrector/depth_trial.h"
#include "elastane/core/stream/stream.h"
#include "lab/protein_loop/loop_latent.h"
#include "lab/protein_loop/observation.h"

namespace elastane::protein_loop {

struct AgentOptions {
  const Model* network = nullptr;  // or none
  std::optional<CorrectorOptions> corrector = {};
  LearnedGate gate = {};                   // where the corrector's gate is a learned one
  LearnedMetric metric = {};               // where its metric is; must outlive the agent
  Curvature curvature = Curvature::whole;  // of the native solve
  double damping = 1;                      // λ
  int restarts = 0;                        // from torsions nearby, while the window costs more than restart_above
  double restart_above = 15, restart_spread = 0.3;
  double oracle_price = -1;  // of a micro-step; at least 0: the best depth is known beforehand
  std::uint64_t seed = 1;    // of restarts
};

// what one window took
struct WindowStep {
  int depth = 0, accepted = 0;
  bool moved = false;
  double before = 0, after = 0;  // E of the window
  double kappa = 0;              // κ, where there was a solve
  double macs = 0;               // counted: what is seen, the network, energies, gate, solves, trials
  StepReport report = {};        // of the correction, if there was one
};

// how walls count while a window is corrected that is open by so much, Å
Emphasis emphasis_at(double gap);

class WindowAgent {
 public:
  explicit WindowAgent(const AgentOptions& options);

  void begin();  // another protein
  WindowStep step(const Energy& energy, Torsions& torsions);
  // the window as it was left
  const EnergyPoint& point() const { return objective_->last(); }

  // Where a learned gate's lessons come from: what it saw in the last step, and before that step what each depth would
  // make of the window.
  std::span<const double> gate_features() const { return corrector_->gate_features(); }
  using SeeDepth = std::function<void(int depth, double energy, double macs)>;
  void see_depths(SeeDepth see) { see_depth_ = std::move(see); }

 private:
  void propose(const Energy& energy, std::span<double> z, WindowStep& did);
  void correct(std::span<double> z, WindowStep& did);
  void restart(std::span<double> z, WindowStep& did);
  int best_depth(std::span<const double> z);
  void let_walls_down(std::span<const double> z);
  double whole_energy(std::span<const double> z);
  double evaluation_macs() const;

  AgentOptions options_;
  std::optional<Stream> stream_;
  std::optional<LoopObjective> objective_;
  std::optional<LoopLatent> latent_;
  std::optional<Corrector> corrector_;
  std::vector<Corrector> fixed_;  // one for each depth, for the oracle
  std::optional<DepthTrial> trial_;
  std::vector<double> memory_, y_;
  std::vector<float> x_;
  Random random_;
  SeeDepth see_depth_;
  std::unique_ptr<EnergyPoint> scratch_ = std::make_unique<EnergyPoint>();
};

}  // namespace elastane::protein_loop
