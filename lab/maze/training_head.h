// A head of the maze, trained to make the moves that a re-planner would have made.
#pragma once

#include "lab/maze/lesson.h"

namespace elastane::maze {

struct HeadTraining {
  int steps = 1500, batch = 512;
  double rate = 0.01;
  std::uint64_t seed = 1;
};

struct TrainedHead {
  Head head;
  double loss = 0;  // of the last hundred batches
};

// from its weights on, or from new ones where it has none
TrainedHead train_head(const Head& from, const HeadLessons& lessons, const HeadTraining& training);

}  // namespace elastane::maze
