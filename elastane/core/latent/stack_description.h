// A neural stack as two programs: decode, from the latents after a step to its output; and roll, one whole frozen step.
//
// Built once per model and shared by its streams; each stream has its own tapes (neural_stack.h).
//
// A carried row is what a step carries to the next, unpadded:   [ latents z | persistent c | given states | taps ]
// The corrector moves z and c, the first latents() of it. Given states are recurrent states that are not latents (with
// top_block_only); taps are the last inputs of convolutions.
#pragma once

#include <memory>
#include <vector>

#include "elastane/core/backbone/description.h"
#include "elastane/core/latent/latent_options.h"
#include "elastane/core/network/model.h"

namespace elastane {

int coordinate_count(const Model& model, const PersistentLayout& layout);
int moving_coordinates(const Model& model, const PersistentLayout& layout);  // of those, how many enter the dynamics

struct StackOptions {
  bool top_block_only = false;  // the latent is the state of the last recurrent block alone
  int max_directions = 16;      // directions that go through a program together
  int max_horizon = 0;          // steps ahead that can be remembered
  int judged = 0;               // only the first so many outputs are visible from outside; 0: all
  PersistentLayout persistent;
};

// a part of a carried row, and where it lies in a stream's state
struct StackPart {
  int offset = 0;
  StatePart state;
  bool stored = true;  // false: persistent coordinates, which are kept outside the network's state
  int count() const { return state.rows * state.n; }
};

// one of the two programs with its inputs and outputs
struct StackView {
  Program program;
  std::vector<Source> before, after;  // every part on the tape
  Register encoded;                   // h before the first block; or, if inputs are adapted,
  Register normalised;                // x̂
  Source hidden;                      // h before the first block, in either case
  Register dt, elapsed, elapsed_after;
  int body = 0;  // moving operations of the blocks; `after` and the windows depend on these alone
  Source output;
  struct WindowSources {
    KeyValueWindow window;
    Source key, value;
    int modes = -1;  // as in WindowPort
  };
  std::vector<WindowSources> windows;
};

struct StackDescription {
  StackDescription(const Model& model, const StackOptions& options);

  Model model;
  StackOptions options;
  int latents = 0;     // z and c
  int judged = 0;      // outputs
  int persistent = 0;  // c alone
  int carried = 0;     // a whole carried row
  std::vector<StackPart> parts;
  StackView decode, roll;
};

}  // namespace elastane
