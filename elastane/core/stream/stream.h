// One stream: a model, its state, and the verbs of a step.
//
//   auto model = elastane::Model::load("model.safetensors");
//   elastane::Stream stream(*model, {.corrector = elastane::CorrectorOptions{}});
//   stream.advance(x);                                                 // predict
//   stream.anticipate();                                               // optional: before the observation arrives
//   auto report = stream.correct(objective, elastane::Budget::micros(50));
//   use(stream.output());
//
// After construction nothing here allocates, throws, locks or calls the system, except where it says so.
// A Stream is used by one thread at a time; any number of streams may share a model. Copy one to fork it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "elastane/core/allocation/budget.h"
#include "elastane/core/allocation/scoring_network.h"
#include "elastane/core/backbone/advance_report.h"
#include "elastane/core/base/owned.h"
#include "elastane/core/corrector/corrector_options.h"
#include "elastane/core/corrector/report.h"
#include "elastane/core/gate/learned_gate.h"
#include "elastane/core/latent/latent_options.h"
#include "elastane/core/network/model.h"
#include "elastane/core/objective/objective.h"

namespace elastane {

class StreamEngine;

// One piece of work of a prefill, (query head, block of queries), or of a corrected fleet, a group of streams. Pieces do
// not depend on each other.
struct WorkItem {
  void (*run)(const void* self, int item, int worker);
  const void* self;

  void operator()(int item, int worker) const { run(self, item, worker); }
};

// An application's own threads. Core has none.
class Runner {
 public:
  virtual ~Runner() = default;
  // Calls item(i, worker) once for every i below `items` and returns when all are done. Calls with the same worker must
  // not overlap; workers are below the number that the stream or the fleet was created for.
  virtual void run(int items, const WorkItem& item) = 0;
};

struct PrefillOptions {
  double threshold = 0.9;    // of the estimated weight that a head in mode `blocks` reads (XAttention's τ)
  int least_rows = 1024;     // shorter prompts are read whole by such heads: choosing would cost too much
  Runner* runner = nullptr;  // none: one after the other
};

struct StreamOptions {
  // Steps that rewind and observe can take back. Each keeps the dense state, one slot of every window and the changed
  // rows of memories
  int history = 0;
  std::optional<CorrectorOptions> corrector = {};  // none: the stream only predicts
  LatentOptions latent = {};                       // what the corrector moves
  LearnedGate gate = {};                           // for Gate::learned; of a gate file (io/gate_file.h)
  RouterWeights router = {};                       // sets the modes of attention heads; load_router of io/gate_file.h
  Budget attention = {};          // of one row in one attention block, for heads that choose their blocks
  Budget recursion = {};          // of one row in one recursion, for its iterations; it may be cut after any of them
  int prefill_rows = 0;           // rows that prefill takes at once; 0: prefill is advance_chunk
  int prefill_workers = 1;        // threads that PrefillOptions::runner may use
  std::vector<float> noise = {};  // σ of labels, one for all channels or one for each; empty: the model's, else 1
  // Never worse than frozen: a twin that is not corrected runs beside the stream, and the output is of the one that was
  // better. It costs one more advance per step
  LossGuardOptions guard = {};
};
Status validate(const StreamOptions& options, const Model& model);

// A stream that was moved from may only be assigned to or destroyed.
class Stream {
 public:
  // throws if the options do not fit the model; `create` returns the reason instead
  explicit Stream(const Model& model, const StreamOptions& options = {});
  static Result<Stream> create(const Model& model, const StreamOptions& options = {});

  // z ← f_θ(z, x), y ← g_φ(z). A channel that is NaN, infinite or masked out (present[i] == 0) counts as missing.
  AdvanceReport advance(std::span<const float> x) { return advance(x, {}, 1.0F); }
  AdvanceReport advance(std::span<const float> x, float dt) { return advance(x, {}, dt); }
  AdvanceReport advance(std::span<const float> x, std::span<const std::uint8_t> present) {
    return advance(x, present, 1.0F);
  }
  AdvanceReport advance(std::span<const float> x, std::span<const std::uint8_t> present, float dt);

  // Several steps at once: x holds whole rows of inputs, y gets a row of outputs for each (or is empty). Equal to
  // advancing row by row, bit for bit; faster, because weights are read once for many rows. A last row that is not
  // whole is left out.
  AdvanceReport advance_chunk(std::span<const float> x, std::span<float> y = {});

  // The same for a prompt, layer by layer: faster where attention sees far, and a router looks at the whole prompt
  // before it sets the modes of all of it. With the same modes it equals advance_chunk, bit for bit. It takes
  // prefill_rows at once; the history is forgotten. A corrector that carries derivatives needs advance_chunk, which
  // this then is.
  AdvanceReport prefill(std::span<const float> x, std::span<float> y = {}, const PrefillOptions& options = {});

  // the mode of a key head of an attention block; full where the block has no modes or is of another kind
  HeadMode head_mode(int block, int key_head) const;

  // of the last step, corrected if it was; zeros before the first. With a guard, of the one that is heard
  std::span<const float> output() const;
  // with a guard, what each of the two has to say; without one, both are output()
  std::span<const float> frozen_output() const;
  std::span<const float> adapted_output() const;
  // who is heard in the last step, and why
  GuardReport guard() const;

  // Improves the state and the output of the last step. What is not better is not taken: the state then stays as it
  // was, bit for bit, and the report says why. Before the first step there is nothing to correct.
  StepReport correct(const Objective& objective, const Budget& budget = {});
  // the part of it that needs no observation, to be done while waiting for one
  void anticipate();
  // both
  StepReport step(std::span<const float> x, const Objective& objective, const Budget& budget = {});

  // A label for the output of step `position` (position() right after that step): a squared error with the options'
  // noise, a channel that is not finite is missing. A late one takes the stream back to that step, corrects there, and
  // takes the steps since then again with the labels they had: the result is the same, bit for bit, as if the label had
  // come in time. Steps are kept for `history` steps; those corrected by an objective in between cannot be repeated.
  StepReport observe(std::span<const float> label, std::uint64_t position, const Budget& budget = {});
  StepReport observe(std::span<const float> label, const Budget& budget = {}) {
    return observe(label, position(), budget);
  }

  std::uint64_t position() const;  // steps taken
  double time() const;             // their summed dt
  const Model& model() const;
  Metric metric() const;                       // that `automatic` stands for here
  std::span<const double> persistent() const;  // c, in the order of PersistentLayout
  // corrections that took longer than their budget on a wall clock
  std::uint64_t overruns() const;
  bool has_corrector() const;
  bool has_guard() const;
  std::int64_t micro_step_macs() const;  // multiply-adds of one micro-step at most; 0 without a corrector

  void reset();
  // Another run begins: z, the position and the normaliser are as after reset; c and what is known about it stay.
  void restart();

  // Takes back n steps; fails, and changes nothing, if fewer are kept. Afterwards output() means nothing.
  Status rewind(int n);
  int rewindable() const;

  // The whole state, with magic, version, the model's fingerprint and a checksum. `bytes` must have snapshot_bytes().
  std::size_t snapshot_bytes() const;
  Status snapshot(std::span<std::byte> bytes) const;
  // Refuses, with the reason and without a change, what is damaged or belongs to another model. Forgets history.
  Status restore(std::span<const std::byte> bytes);

  // the raw state, for callers that keep states themselves
  std::span<const std::byte> state() const;

 private:
  friend struct CorrectedFleetParts;
  Owned<StreamEngine> engine_;
};

}  // namespace elastane
