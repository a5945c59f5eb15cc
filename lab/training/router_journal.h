// What routers did on test sequences, as JSON lines: one line per method, seed, task and position.
//
// A line is on disk before the next router is trained, so an interrupted study continues where it stopped.
#pragma once

#include <ATen/ATen.h>

#include <string>

#include "lab/training/router_cost.h"

namespace elastane::lab {

// one kind of test sequences under one method
struct RouterLine {
  std::string part, backbone, method, setting, task, position;
  std::uint64_t seed = 0;
  std::string command, commit;
  //                    per sequence
  at::Tensor hits;     // labels that were right, int64
  at::Tensor labels;   // int64
  at::Tensor nats;     // cross-entropy per label
  at::Tensor full;     // share of decisions that made a head full, (sequences, heads)
  StepCost cost = {};  // in the engine
};

// appends a line; does nothing if the path is empty
void append(const std::string& path, const RouterLine& line);

}  // namespace elastane::lab
