#include <fmt/format.h>

#include "elastane/core/network/model.h"
#include "elastane/io/gate_file.h"
#include "elastane/train/gate_training.h"
#include "lab/protein_loop/lesson.h"
#include "lab/protein_loop/roster.h"
#include "lab/protein_loop/training_alone.h"

namespace elastane::protein_loop {
namespace {

void append(DepthExamples& all, const DepthExamples& more) {
  all.features.insert(all.features.end(), more.features.begin(), more.features.end());
  all.losses.insert(all.losses.end(), more.losses.begin(), more.losses.end());
  all.costs = more.costs;
}

}  // namespace

// two rounds: depths are drawn first, then the gate of the first round says where lessons come from
void train_gate(const GateExamples& options, std::uint64_t seed, const std::string& command,
                const std::string& output) {
  const Model network = Model::load(options.network).value();
  train::GateTraining training{.price = options.price, .seed = seed};
  DepthExamples lessons;
  LearnedGate gate;
  for (std::uint64_t round = 0; round < 2; ++round) {
    CorrectorOptions corrector = window_corrector();
    if (round == 0) corrector.gate = drawn_depths(kMostDepth);
    WindowAgent agent({.network = &network, .corrector = corrector, .gate = gate, .damping = kWindowDamping});
    append(lessons, gather_depths(agent, kMostDepth, 2 * seed + round, options.passes));
    gate = train::train_gate(lessons, training);
  }
  save_gate(output, gate, {{"command", command}}).value();
  fmt::print("{} lessons, price {}: {}\n", lessons.size(), options.price, output);
}

}  // namespace elastane::protein_loop
