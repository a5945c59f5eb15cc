#include "lab/recall/training_router.h"

#include <algorithm>

#include "lab/recall/training_sequences.h"
#include "lab/training/router.h"

namespace elastane::recall {
namespace {

train::RouterData draw(std::uint64_t seed, int count, int length, const std::string& position) {
  const auto named = std::ranges::find(kPositionNames, position) - kPositionNames.begin();
  std::vector<at::Tensor> x, target;
  std::vector<std::int64_t> tasks;
  for (int i = 0; i < count * kTasks; ++i) {
    const int task = i % kTasks, place = named < kPositions ? static_cast<int>(named) : i / kTasks % kPositions;
    const train::Series s = series_of(
        draw_episode(seed + static_cast<std::uint64_t>(i),
                     {.task = static_cast<Task>(task), .position = static_cast<Position>(place), .length = length}));
    x.push_back(s.x), target.push_back(s.target), tasks.push_back(task);
  }
  return {at::stack(x, 0), at::stack(target, 0), at::tensor(tasks)};
}

lab::RouterWorld router_world() {
  const Layout layout;
  return {.name = "recall",
          .tasks = {kTaskNames.begin(), kTaskNames.end()},
          .positions = {kPositionNames.begin(), kPositionNames.end()},
          .targets = {0.7, 0.7, 1.0, 1.0, 1.0, 0.7},  // the paper's: sensitive and robust tasks
          .mask = {layout.block, layout.sink, layout.local},
          .draw = draw};
}

}  // namespace

void add_router_training(lab::TrainingCommands& commands) {
  auto options = std::make_shared<lab::RouterOptions>();
  auto world = std::make_shared<const lab::RouterWorld>(router_world());
  command_line::Command& task = commands.add("router", "Which heads of attention see the whole prompt (recall)");
  lab::declare(task, *options, *world);
  task.footer(
      "Examples:\n"
      "  elastane train router --model models/recall_small.safetensors --seed 1\n"
      "  elastane train router --model models/recall_small.safetensors --method paper --journal study.jsonl\n"
      "  elastane train router --model models/recall_small.safetensors --method static --exhaustive 8");
  task.action([=, &commands] { return lab::run_router(*options, *world, commands.record()); });
}

}  // namespace elastane::recall
