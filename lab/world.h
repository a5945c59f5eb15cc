// A world as programs see it: the tables it can reproduce, the episodes it can show, the weights it needs.
//
// Each world is complete in its folder and is registered by one line of lab/worlds.def:
//
//   World world();                                     lab/<world>/world.h     what is below
//   void add_training(lab::TrainingCommands&);         lab/<world>/training.h  its `elastane train` task, with LibTorch
//
// Both are in the world's namespace. Sources called lab/<world>/training*.cpp may use LibTorch: they are compiled into
// elastane_lab_training, not into elastane_lab. lab/training/commands.h shows how a task is added.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "command_line/options.h"
#include "elastane/core/base/result.h"
#include "lab/benchmark/benchmark.h"
#include "lab/benchmark/recording.h"

namespace elastane::lab {

using RecordingPointer = std::unique_ptr<benchmark::Recording>;

// Episodes that the user describes: a map, a site, a sequence. Its options are those of `elastane play NAME`.
class CustomEpisode {
 public:
  virtual ~CustomEpisode() = default;
  virtual void declare(command_line::Command& play) = 0;
  virtual bool is_wanted() const = 0;  // one of its options was given
  // throws what the user should read
  virtual RecordingPointer record(const std::string& models, const benchmark::RecordingRequest& request) = 0;
};

// Agents compared on the same episodes: `elastane reproduce NAME`, and `elastane play NAME` for one episode of it.
struct BenchmarkEntry {
  std::string name;  // "navigation", "navigation_blind"
  std::string what;  // one line for reproduce --list
  std::string cost;  // of the whole table on two cores: "3 minutes"
  std::function<Result<std::unique_ptr<benchmark::Benchmark>>(const std::string& models)> open;
  // one episode, with the world's usual agents or those asked for
  std::function<Result<RecordingPointer>(const std::string& models, const benchmark::RecordingRequest& request)> record;
  std::shared_ptr<CustomEpisode> custom = {};
  // arguments of elastane-train, call by call, that put the benchmark's weights into a folder
  std::function<std::vector<std::vector<std::string>>(const std::string& models)> training = {};
};

// A table that is not a benchmark of agents on episodes: forecasts of public series, adaptation of plants.
struct Reproduction {
  std::string name, what, cost;
  // adds its options (--data, --json, --markdown, …) and its action to `elastane reproduce NAME`
  std::function<void(command_line::Command& reproduce)> declare = {};
  // arguments of elastane-train, call by call, that make its weights; called after its options were parsed
  std::function<std::vector<std::vector<std::string>>()> training = {};
};

struct World {
  std::string name, what;
  std::vector<BenchmarkEntry> benchmarks = {};
  std::vector<Reproduction> reproductions = {};
};

}  // namespace elastane::lab
