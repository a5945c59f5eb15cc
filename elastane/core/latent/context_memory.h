// What persistent coordinates were in each context: a plant that returns to an earlier regime is recognised.
//
//   ContextMemory memory(contexts, coordinates);
//   if (memory.enter(context, now, recalled)) …    before a step; `now`: the coordinates as they are
//
// c = Mᵀk: the memory of associative_memory.h with least squares, k the context as a unit vector, c the coordinates. It is
// written once per visit, when the context is left, with the mean context of the visit, and read when a context is entered.
// The user sets the coordinates to what was recalled, or offsets what they act on (lab/plant/regimes.h does). Contexts that
// were not seen recall the part that they share with those that were, so there should be fewer than channels.
#pragma once

#include <span>
#include <vector>

#include "elastane/core/backbone/associative_memory.h"
#include "elastane/core/base/buffer.h"

namespace elastane {

struct ContextMemoryOptions {
  double same = 0.8;    // cosine to the visit's mean above which the context is still the same
  int settle = 8;       // steps of a visit after which its context is known well enough
  double noise = 1e-3;  // of least squares
  double inflate = 4;   // the same context with other coordinates: the new ones count
};

class ContextMemory {
 public:
  ContextMemory(int context, int coordinates, const ContextMemoryOptions& options = {});

  // Has another context begun? Then what was learned in the one before is written, and `recalled` is what is known here; for
  // `settle` steps it is recalled again, with the mean of the contexts so far. As far as a context is new, by kᵀPk, the
  // coordinates stay as they are. A context of zeros, or one that is not finite, changes nothing.
  bool enter(std::span<const float> context, std::span<const double> now, std::span<double> recalled);

  void reset();
  int visits() const { return visits_; }
  // all that lasts, for callers that keep it themselves
  std::span<const float> state() const { return {store(), as_size(memory_.floats())}; }

 private:
  float* part(int index) const;  // of the arrays below
  float* store() const { return part(0); }
  void advance(double strength);
  bool is_same() const;
  double spread_of_key() const;
  void recall(std::span<double> recalled);

  AssociativeMemory memory_;
  ContextMemoryOptions options_;
  const Kernels* k_;
  int visits_ = 0, steps_ = 0;  // steps: of this visit
  // store, aside, work, key, value, out, the sum of this visit's contexts
  std::vector<int> starts_;
  Buffer all_;
};

}  // namespace elastane
