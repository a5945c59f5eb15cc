// `elastane train router` and its like: routers of attention heads, trained on sequences of a world and tried on others.
//
// A world draws sequences; this frame trains a router on them, measures it on test sequences beside the dense model, and
// appends what it found to a journal, from which tables are made (lab/training/router_journal.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "command_line/options.h"
#include "elastane/train/router_training.h"
#include "lab/training/run.h"

namespace elastane::lab {

// sequences that no router was trained on: those of the tables, those to choose settings by, and those on which static
// choices are searched
inline constexpr std::uint64_t kTestSeed = 1ULL << 47U, kValidationSeed = 1ULL << 50U, kSearchSeed = 1ULL << 42U;

// sequences to route
struct RouterWorld {
  std::string name;
  std::vector<std::string> tasks;      // names of the values of RouterData::task
  std::vector<std::string> positions;  // variants that are tested one by one; "any" draws from all
  std::vector<double> targets;         // sparse share that the paper's method shall reach, per task
  train::StreamingMask mask;
  int length = 128;
  int sequences = 384, tests = 144;  // per task to learn from; per task and position to test on
  // `count` sequences of each task; depends on its arguments alone
  std::function<train::RouterData(std::uint64_t seed, int count, int length, const std::string& position)> draw;
};

struct RouterOptions {
  std::string model, method = "examples", pooling = "edges_maximum", position = "any";
  std::string output, journal, part = "router", setting;
  std::uint64_t seed = 1;
  int threads = 0, length = 0, sequences = 0, tests = 0;
  int sink = -1, local = 0;  // of a streaming head; -1 and 0: the world's
  int exhaustive = 3;        // heads, of static
  bool on_validation = false;
  train::RouterTraining training;
};

void declare(command_line::Command& command, RouterOptions& options, const RouterWorld& world);

// trains, tests, writes; the exit code
int run_router(const RouterOptions& options, const RouterWorld& world, const TrainingRecord& record);

}  // namespace elastane::lab
