// The source's protocol for a stream: it follows the transfer runs with corrections, then runs freely without any.
#pragma once

#include <array>
#include <vector>

#include "lab/plant/adaptation.h"

namespace elastane::plant {

struct Case {
  std::vector<Record> transfer, eval;  // runs of a changed plant: to adapt on, and for the score
};

using Scores = std::array<double, 2>;  // R² of both outputs in free run, the mean over runs

struct Outcome {
  Scores transfer_frozen, transfer, eval_frozen, eval;
  double micros = 0;      // median time of a step with its correction
  double followed = 0;    // R² of the first output while following, each step predicted from the ones before
  std::vector<double> c;  // the persistent parameters that were learned
};
Outcome adapt(const Model& model, const StreamOptions& options, const Case& given);

// the mean over runs of a stream that keeps its persistent parameters
Scores free_scores(const Stream& stream, const std::vector<Record>& runs);

// A plant that changes and returns while a stream follows it, in three phases with equal inputs. Late in each phase forks
// of the stream run freely for a while; these are their mean squared errors on the measured outputs.
struct ReturnErrors {
  double before = 0, changed = 0, after = 0;
  double frozen = 0, frozen_changed = 0;  // of a stream without corrections, before and after the change
};
ReturnErrors change_and_return(const Model& model, const StreamOptions& options, const Record& truth,
                               const Record& measured);

// the record as noisy sensors show it
Record with_noise(Record record, double sigma, std::uint64_t seed);

}  // namespace elastane::plant
