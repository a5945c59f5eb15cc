// How a forecaster learns from its rows: the same options for every verb that runs one.
#pragma once

#include <string>
#include <vector>

#include "command_line/options.h"
#include "elastane/core/forecast/forecaster_options.h"

namespace elastane::app {

struct LearningOptions {
  std::string learning = "kalman", gate = "always";
  double price = 0;
  bool no_correction = false, no_guard = false;
};

void add_learning_options(command_line::Command& verb, LearningOptions& options);
std::vector<std::string> as_arguments(const LearningOptions& options);  // for another process
void set_learning(const LearningOptions& options, ForecasterOptions& forecaster);

}  // namespace elastane::app
