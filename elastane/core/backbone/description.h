// What a block says about itself: which part of its state is a latent, and how o follows from u and the state.
//
// The same description makes two programs. To decode, the state is that after the step, and only the read-out is part
// of the program; to roll, the state is that before, and the step is part of it too (`steps`).
#pragma once

#include <vector>

#include "elastane/core/backbone/key_value_window.h"
#include "elastane/core/math/program_builder.h"

namespace elastane {

// `rows` times `n` floats of a stream's dense state
struct StatePart {
  int dense = 0;  // where the first row lies; rows follow each other padded
  int rows = 0, n = 0;
  int taps = 0, lag = 0;  // of a ring of `taps` rows: what was written `lag` steps ago
};

// a part with what it is on the tape, before and after
struct StatePort {
  StatePart part;
  Register before, after;
};

// this step's key and value, as a block's window will hold them
struct WindowPort {
  KeyValueWindow window;
  Register key, value;
  int modes = -1;  // where the modes of its key heads lie in the dense state; none: all are full
};

class Description {
 public:
  Description(ProgramBuilder& builder, bool whole_step) : ops(builder), steps(whole_step) {}

  ProgramBuilder& ops;
  const bool steps;
  Register dt;               // length of the step
  Register elapsed;          // time since the tape began, this step included
  bool latents_move = true;  // are the states described next latents, or given?

  // a recurrent state: `rows` of `n` from float `dense` of the stream's state on
  Register state(int dense, int rows, int n);
  // what it is after the step; to be called only where `steps`
  Register next(Register before, Register after);
  // inputs of the last steps, from a ring of `taps` rows: the one of `lag` steps ago; and which one is of now
  Register tap(int dense, int taps, int lag, int n);
  void newest_tap(int dense, Register x);
  // a window of keys and values; returns its number
  int window(const KeyValueWindow& window, Register key, Register value, int modes = -1);

  std::vector<StatePort> latents, taps;
  std::vector<WindowPort> windows;
};

}  // namespace elastane
