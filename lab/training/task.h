// A training task: data to learn from, and a model that suits it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "elastane/train/trainer.h"

namespace elastane::lab {

struct TrainingTask {
  std::string name;
  ModelConfig config;             // inputs and outputs are fixed by the task; the rest is a default
  train::TrainerOptions options;  // defaults
  train::Dataset learn, held_out;
  nlohmann::ordered_json description = {};           // what makes the task repeatable, for the run's record
  std::map<std::string, std::string> metadata = {};  // for the model file
};

}  // namespace elastane::lab
