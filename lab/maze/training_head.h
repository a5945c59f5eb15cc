// Trains the head of an agent with a map to make the moves of the expert.
#pragma once

#include "lab/maze/examples.h"

namespace elastane::maze {

struct HeadTraining {
  int steps = 1500, batch = 512;
  double rate = 0.01;
  std::uint64_t seed = 1;
};

struct TrainedHead {
  Head head;
  double loss = 0;  // mean of the last hundred batches
};

// continues from its weights, or starts with random ones where it has none
TrainedHead train_head(const Head& from, const HeadExamples& examples, const HeadTraining& training);

}  // namespace elastane::maze
