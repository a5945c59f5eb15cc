#include "lab/protein_loop/training_gate.h"

#include <fmt/format.h>

#include "elastane/core/network/model.h"
#include "elastane/io/gate_file.h"
#include "elastane/train/gate_training.h"
#include "lab/protein_loop/example.h"
#include "lab/protein_loop/roster.h"

namespace elastane::protein_loop {
namespace {

void append(DepthExamples& all, const DepthExamples& more) {
  all.features.insert(all.features.end(), more.features.begin(), more.features.end());
  all.losses.insert(all.losses.end(), more.losses.begin(), more.losses.end());
  all.costs = more.costs;
}

}  // namespace

// two rounds: depths are random at first, then chosen by the gate of the first round
void train_gate(const GateExamples& options, std::uint64_t seed, const std::string& command,
                const std::string& output) {
  const Model network = Model::load(options.network).value();
  train::GateTraining training{.price = options.price, .seed = seed};
  DepthExamples examples;
  LearnedGate gate;
  for (std::uint64_t round = 0; round < 2; ++round) {
    CorrectorOptions corrector = window_corrector();
    if (round == 0) corrector.gate = random_depths(kMaxDepth);
    WindowAgent agent({.network = &network, .corrector = corrector, .gate = gate, .damping = window_damping()});
    append(examples, gather_depth_examples(agent, kMaxDepth, 2 * seed + round, options.passes));
    gate = train::train_gate(examples, training);
  }
  save_gate(output, gate, {{"command", command}}).value();
  fmt::print("{} examples, price {}: {}\n", examples.size(), options.price, output);
}

}  // namespace elastane::protein_loop
