// One stream: a model, its state, and the verbs of a step.
//
//   auto model = elastane::Model::load("model.safetensors");
//   elastane::Stream stream(*model);
//   stream.advance(x);
//   use(stream.output());
//
// After construction nothing here allocates, throws, locks or asks the system, but for what is said below.
// A Stream is used by one thread at a time; any number of streams may share a model. Copy one to fork it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "elastane/core/history.h"
#include "elastane/core/model.h"
#include "elastane/core/step.h"

namespace elastane {

struct StreamOptions {
  int history = 0;  // steps that rewind can take back; each costs one copy of the state
};

class Stream {
 public:
  explicit Stream(const Model& model, const StreamOptions& options = {});

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

  // of the last step; zeros before the first
  std::span<const float> output() const;

  std::uint64_t position() const { return header().position; }  // steps taken
  double time() const { return header().time; }                 // their summed dt
  const Model& model() const { return model_; }

  void reset();

  // take back n steps; fails, and changes nothing, if fewer are kept. output() is then of no meaning.
  Status rewind(int n);
  int rewindable() const { return history_.kept(); }

  // The whole state, with magic, version, the model's fingerprint and a checksum. `bytes` must have snapshot_bytes().
  std::size_t snapshot_bytes() const;
  Status snapshot(std::span<std::byte> bytes) const;
  // Refuses, with the reason and without a change, what is damaged or belongs to another model. Forgets history.
  Status restore(std::span<const std::byte> bytes);

  // the raw state, for those who keep states of their own
  std::span<const std::byte> state() const { return {state_.data(), state_.size()}; }

 private:
  const StateHeader& header() const { return *reinterpret_cast<const StateHeader*>(state_.data()); }

  Model model_;
  Buffer state_;
  Workspace workspace_;
  History history_;
};

}  // namespace elastane
