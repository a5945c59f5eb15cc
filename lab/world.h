// A world as programs see it: the tables it can reproduce, the episodes it can show, the weights it needs.
//
// Each world is whole in its folder and registers itself with one line of lab/worlds.def:
//
//   World world();                                     lab/<world>/world.h     what is below
//   void add_training(TrainingCommands& commands);     lab/<world>/training.h  its `elastane train` task, with LibTorch
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "command_line/options.h"
#include "elastane/core/base/result.h"
#include "lab/benchmark/benchmark.h"
#include "lab/benchmark/recording.h"

namespace elastane::lab {

// Agents compared on the same episodes: `elastane reproduce NAME`, and `elastane play NAME` for one episode of it.
struct BenchmarkEntry {
  std::string name;  // "navigation", "navigation_blind"
  std::string what;  // one line for reproduce --list
  std::string cost;  // of the whole table on two cores: "3 minutes"
  std::function<Result<std::unique_ptr<benchmark::Benchmark>>(const std::string& models)> open;
  // one episode, all of its agents or those asked for
  std::function<Result<std::unique_ptr<benchmark::Recording>>(const std::string& models,
                                                              const benchmark::RecordingRequest& request)>
      record;
};

// Episodes that the user describes: a map, a site, a sequence. Declares its options on `elastane play`; `record` is called
// if one of them was given, and says what is wrong with them.
class CustomEpisode {
 public:
  virtual ~CustomEpisode() = default;
  virtual void declare(command_line::Command& play) = 0;
  virtual bool is_wanted(const command_line::Command& play) const = 0;
  virtual Result<std::unique_ptr<benchmark::Recording>> record(const std::string& world, const std::string& models,
                                                               const benchmark::RecordingRequest& request) = 0;
};

// A table that is not a benchmark of agents on episodes: forecasts of public series, adaptation of plants.
struct Reproduction {
  std::string name, what, cost;
  // adds its options and its action; common ones (--data, --json, --markdown) are its own to declare
  std::function<void(command_line::Command& reproduce)> declare;
};

struct World {
  std::string name, what;
  std::vector<BenchmarkEntry> benchmarks = {};
  std::vector<Reproduction> reproductions = {};
  std::shared_ptr<CustomEpisode> custom = {};
  // arguments of elastane-train, call by call, that put the weights of all its benchmarks into a folder
  std::function<std::vector<std::vector<std::string>>(const std::string& models)> training = {};
};

}  // namespace elastane::lab
