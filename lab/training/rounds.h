// Training in rounds (DAgger, Ross et al. 2011). In the first round the expert acts; in later rounds the model of the
// round before acts, and the expert labels each step with what it would have done.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "elastane/core/network/model.h"
#include "lab/training/task.h"

namespace elastane::lab {

struct TrainingRounds {
  int count = 1;
  // new examples; `actor` is the model that acts, or null for the expert
  std::function<train::Dataset(int round, const Model* actor)> gather;
  // the task of a round: all examples so far
  std::function<TrainingTask(const std::vector<train::Dataset>& rounds)> task;
  // how well a round's model acts: the header and a row of rounds.csv, or nothing
  std::string scores = {};
  std::function<std::string(const Model& model)> score = {};
};

// values as a tensor (rows, columns), row by row
at::Tensor rows(const std::vector<float>& values, int columns);

// of each round the last 1/32 is held out, the rest is learned from
void split(const std::vector<train::Dataset>& rounds, TrainingTask& task);

}  // namespace elastane::lab
