// The source's protocol, for a stream: follow the transfer runs with corrections, then free runs without any.
#pragma once

#include <array>
#include <vector>

#include "lab/plant/adaptation.h"

namespace elastane {

struct Case {
  std::vector<plant::Record> transfer, eval;  // runs of a changed plant: to learn from, to be judged by
};

using Scores = std::array<double, 2>;  // R² of both outputs in free run, the mean over runs

struct Outcome {
  Scores transfer_frozen, transfer, eval_frozen, eval;
  double micros = 0;      // of a step with its correction, the median
  double followed = 0;    // R² of the first output while following, each step predicted from the ones before
  std::vector<double> c;  // what was learned
};
Outcome adapt(const Model& model, const StreamOptions& options, const Case& given);

// the mean over runs of a stream that keeps what it knows
Scores free_scores(const Stream& stream, const std::vector<plant::Record>& runs);

// A plant that changes and returns while a stream follows it, in three phases of equal inputs. Late in each phase forks
// of the stream run freely for a while: their mean squared error of what is measured.
struct Returned {
  double before = 0, changed = 0, after = 0;
  double frozen = 0, frozen_changed = 0;  // of a stream that is never corrected, before and after the change
};
Returned come_back(const Model& model, const StreamOptions& options, const plant::Record& truth,
                   const plant::Record& measured);

// what noisy sensors make of it
plant::Record with_noise(plant::Record record, double sigma, std::uint64_t seed);

}  // namespace elastane
