#include "lab/lorenz/training.h"

#include "lab/lorenz/lorenz.h"

namespace elastane::lorenz {
namespace {

struct Options {
  lab::TrainingOptions training;
  int paths = 256, steps = 4000;  // to learn from
};

// noisy states, and the true ones kAhead steps later
train::Series series(std::uint64_t seed, int steps) {
  const std::vector<Point> path = lorenz::path(seed, {.steps = steps + kAhead});
  const at::Tensor x = at::empty({steps, 3}), target = at::empty({steps, 3});
  for (int t = 0; t < steps; ++t) {
    const std::array<float, 3> seen = lorenz::seen(path[t], seed, t);
    for (int i = 0; i < 3; ++i) {
      x.data_ptr<float>()[3 * t + i] = seen[i];
      target.data_ptr<float>()[3 * t + i] = static_cast<float>(path[t + kAhead][i]);
    }
  }
  return {x, target, {}};
}

lab::TrainingTask task_of(const Options& options) {
  const std::uint64_t seed = options.training.run.seed;
  lab::TrainingTask task{.name = "lorenz", .config = {.inputs = 3, .outputs = 3, .width = 32}};
  task.config.blocks.assign(2, {.kind = MambaConfig{.state = 8, .conv = 4, .expand = 2, .dt_rank = 2}});
  task.options.sampler = {.batch = 64, .length = 128, .carry = 0, .warm_up = 16};
  task.options.schedule = {.steps = 1200, .warm_up = 50};
  task.options.rate = 5e-3;
  task.options.adamw.decay = 0;
  task.options.validate_every = 100;
  for (int i = 0; i < options.paths; ++i) {
    task.learn.push_back(series(seed * 1'000'003 + static_cast<std::uint64_t>(i), options.steps));
  }
  for (int i = 0; i < 16; ++i) task.held_out.push_back(series((1ULL << 40) + static_cast<std::uint64_t>(i), 2000));
  task.description = {{"paths", options.paths}, {"path_steps", options.steps}};
  return task;
}

}  // namespace

void add_training(lab::TrainingCommands& commands) {
  auto options = std::make_shared<Options>();
  command_line::Command& task = commands.add("lorenz", "The Lorenz attractor, 0.1 s ahead, from noisy observations");
  lab::declare(task, options->training);
  task.option("--paths", options->paths, "trajectories to learn from").range(1, 1e6);
  task.option("--path-steps", options->steps, "steps of each").range(2, 1e8);
  task.action([=, &commands] { return commands.run(options->training, [=] { return task_of(*options); }); });
}

}  // namespace elastane::lorenz
