// Learning in rounds (DAgger, Ross et al. 2011): in the first the expert leads, then what the round before learned
// does, and the expert says what it would have done.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/elastane_train/task.h"
#include "elastane/core/network/model.h"

namespace elastane::app {

struct Rounds {
  int count = 1;
  std::function<train::Dataset(int round, const Model* driver)> show;
  std::function<Task(const std::vector<train::Dataset>& rounds)> task;  // all of them so far
  // how well the round's model does what it is for: a header and a row of a table, "" if that is not looked at
  std::string judged = {};
  std::function<std::string(const Model& model)> judge = {};
};

Rounds navigation_rounds(const NavigationOptions& options, std::uint64_t seed);
Rounds maze_rounds(const MazeOptions& options, std::uint64_t seed);

// values row by row
at::Tensor rows(const std::vector<float>& values, int columns);

// of every round the last ones are held out, one in 32
void share_out(const std::vector<train::Dataset>& rounds, Task& task);

}  // namespace elastane::app
