#include <fmt/format.h>

#include "apps/elastane_train/task.h"
#include "elastane/core/model.h"
#include "elastane/io/gate_file.h"
#include "elastane/train/gate_training.h"
#include "elastane/worlds/protein_loop/agents.h"
#include "elastane/worlds/protein_loop/lesson.h"

namespace elastane::app {
namespace {

using protein_loop::kMostDepth;

// a gate that refines every other window or so, for the first round: it goes where a gate may go
CorrectorOptions drawn_depths() {
  CorrectorOptions options = protein_loop::window_corrector();
  std::vector<double> histogram(kMostDepth + 1, 1.0);
  histogram[0] = kMostDepth;
  options.gate = {.kind = Gate::random, .depth = kMostDepth, .histogram = histogram};
  return options;
}

void append(DepthLessons& all, const DepthLessons& more) {
  all.features.insert(all.features.end(), more.features.begin(), more.features.end());
  all.losses.insert(all.losses.end(), more.losses.begin(), more.losses.end());
  all.costs = more.costs;
}

}  // namespace

// two rounds: depths are drawn first, then the gate of the first round says where lessons come from
void train_protein_loop_gate(const ProteinLoopOptions& options, std::uint64_t seed, const std::string& command,
                             const std::string& output) {
  const Model network = Model::load(options.follow).value();
  train::GateTraining training{.price = options.price, .seed = seed};
  DepthLessons lessons;
  LearnedGate gate;
  for (std::uint64_t round = 0; round < 2; ++round) {
    protein_loop::WindowAgent agent({.network = &network,
                                     .corrector = round == 0 ? drawn_depths() : protein_loop::window_corrector(),
                                     .gate = gate,
                                     .damping = protein_loop::kWindowDamping});
    append(lessons, protein_loop::gather_depths(agent, kMostDepth, 2 * seed + round, options.followed));
    gate = train::train_gate(lessons, training);
  }
  save_gate(output, gate, {{"command", command}}).value();
  fmt::print("{} lessons, price {}: {}\n", lessons.size(), options.price, output);
}

}  // namespace elastane::app
