// Training data: series of inputs and targets, and how batches are drawn from them.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "elastane/train/sequence_model.h"

namespace elastane::train {

// the record of one stream; a value that is not finite is missing
struct Series {
  at::Tensor x;       // (length, inputs)
  at::Tensor target;  // (length, outputs): what the output of each step should have been
  at::Tensor dt;      // (length), or undefined: all 1

  std::int64_t length() const { return x.size(0); }
};
using Dataset = std::vector<Series>;

// at least one series with a target, sizes that fit the model; reports the first problem
Status check(const Dataset& data, const ModelConfig& config, std::string_view name);

struct Batch {
  Sequences inputs;
  at::Tensor target;  // (batch, length, outputs)
  at::Tensor fresh;   // (batch), bool: streams that begin here; the others continue from the batch before
};

struct SamplerOptions {
  std::uint64_t seed = 1;
  std::int64_t batch = 32;   // streams side by side
  std::int64_t length = 64;  // steps that gradients flow through
  std::int64_t carry = 0;    // batches over which a stream continues before it restarts elsewhere
  std::int64_t warm_up = 0;  // steps after a start that are not scored
  // Series are sorted by length into this many classes, drawn equally often, and streams that begin together are of one
  // class: a batch is as long as its longest series, so little time is spent behind the ends of short ones.
  std::int64_t classes = 1;
};

// Draws pieces of the series, each stream by its own random numbers. What is drawn at a step depends on the seed and
// the step alone, so that a run can be resumed, and shared by processes.
class Sampler {
 public:
  Sampler(const Dataset& data, const SamplerOptions& options);

  // streams first … first + count − 1 of the next batch
  Batch next(std::int64_t first, std::int64_t count);
  Batch next() { return next(0, options_.batch); }
  void seek(std::int64_t step);  // as if that many batches had been drawn

 private:
  struct Lane {
    std::size_t series = 0;
    std::int64_t at = 0;     // first step of the next piece
    std::int64_t taken = 0;  // pieces since then
    std::int64_t begun = 0;  // how often it restarted
  };

  void move_on();
  void restart(std::size_t index);
  Series piece(const Lane& lane, std::int64_t length) const;

  const Dataset* data_;
  SamplerOptions options_;
  std::vector<std::size_t> order_;  // of the series, by length, if there are classes
  std::vector<std::int64_t> ends_;  // running count of places where a piece can begin, in that order
  std::vector<Lane> lanes_;
  bool moved_ = false;
};

}  // namespace elastane::train
