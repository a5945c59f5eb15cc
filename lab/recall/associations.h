// Sequences for models that learn their keys: pairs and queries (MQAR), keys that are bound again, strings to copy.
//
//   mqar     k₁v₁k₂v₂ … then queries at gaps of a power law among other values: at a key, which value came behind it?
//            (Arora et al. 2023, zoology)
//   rebind   key and value in one step; half of the keys come a second time with another value; then all are asked for
//   copy     | s₁ … s_L | s₁ … s_L: what comes next, from the second bar on
//
// A step shows one symbol or two, each as a one of its own in the model's input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace elastane::recall {

enum class AssociationTask : std::uint8_t { mqar, rebind, copy };

struct AssociationStep {
  int symbol = -1, second = -1;  // inputs that are 1
  int target = -1;               // output, where one is asked for
  bool changed = false;          // of a target: the key was bound twice
};
using AssociationSequence = std::vector<AssociationStep>;

struct AssociationOptions {
  AssociationTask task = AssociationTask::mqar;
  int length = 128;      // of mqar: steps; of copy: letters
  int pairs = 32;        // of mqar and rebind
  int vocabulary = 192;  // of mqar, keys and values in equal numbers; of rebind, values
};
inline constexpr int kLetters = 26;

int input_size(const AssociationOptions& options);
int output_size(const AssociationOptions& options);

// depends on its arguments alone
AssociationSequence draw_associations(const AssociationOptions& options, std::uint64_t seed);

}  // namespace elastane::recall
