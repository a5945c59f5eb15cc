// Training of the gate of a network's corrector.
#pragma once

#include <cstdint>
#include <string>

namespace elastane::protein_loop {

struct GateExamples {
  std::string network;  // the model file whose corrector the gate belongs to
  int passes = 0;
  double price = 0.02;  // of a thousand multiply-adds, in units of energy
};
// command: for the metadata of the file
void train_gate(const GateExamples& options, std::uint64_t seed, const std::string& command, const std::string& output);

}  // namespace elastane::protein_loop
