// A memory that is written and asked pair by pair, with keys that are given: the library's own, and reference rules that
// are not blocks of it.
//
//   library    elastane/core/backbone/associative_memory.h: delta or least squares, with its write gate
//   random     the same, but chance decides which steps write
//   heads      several of them, each with its part of the key and of the value
//   hebb       M ← αM + k vᵀ: linear attention; with α < 1 the write of Mamba-2
//   momentum   S ← ηS + k eᵀ, M ← αM + θS: Titans with a linear memory (arXiv 2501.00663, eqs. 9, 10, 13)
//   network    the same for a network of two layers: Titans with a deep memory
//   diagonal   least squares with a diagonal P
#pragma once

#include <memory>
#include <span>

#include "elastane/core/backbone/associative_memory.h"

namespace elastane::recall {

class MemoryRule {
 public:
  virtual ~MemoryRule() = default;

  // one step of a stream; whether it wrote
  virtual bool write(std::span<const float> key, std::span<const float> value) = 0;
  virtual void recall(std::span<const float> key, std::span<float> value) = 0;
  virtual std::size_t bytes() const = 0;
  virtual double macs(bool wrote) const = 0;                  // multiply-adds of a step that reads, and writes
  virtual std::span<const float> gate_state() { return {}; }  // as core/allocation/write_gate.h has it
};
using RulePointer = std::unique_ptr<MemoryRule>;

// `strength`: β of every write
RulePointer library_rule(const AssociativeMemory& memory, double strength);
RulePointer random_rule(const AssociativeMemory& memory, double strength, double share, std::uint64_t seed);
// several memories side by side: each has its part of the key, as a unit vector, and of the value
RulePointer heads_rule(int heads, const AssociativeMemory& memory, double strength);
RulePointer hebb_rule(int keys, int values, double keep = 1);
struct MomentumOptions {
  double rate = 0.3, momentum = 0.5, keep = 1;
};
RulePointer momentum_rule(int keys, int values, const MomentumOptions& options);
RulePointer network_rule(int keys, int hidden, int values, const MomentumOptions& options, std::uint64_t seed);
RulePointer diagonal_rule(int keys, int values, double noise);

// a memory that writes with every step
AssociativeMemory writing_always(int keys, int values, WriteRule rule = WriteRule::delta);
// the same with inflation and relaxation, for values that change
AssociativeMemory changing_squares(int keys, int values);

}  // namespace elastane::recall
