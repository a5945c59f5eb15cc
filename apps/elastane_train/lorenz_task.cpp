#include "apps/elastane_train/task.h"
#include "lab/lorenz/lorenz.h"

namespace elastane::app {
namespace {

// noisy states, and the true ones kAhead steps later
train::Series series(std::uint64_t seed, int steps) {
  const std::vector<lorenz::Point> path = lorenz::path(seed, {.steps = steps + lorenz::kAhead});
  const at::Tensor x = at::empty({steps, 3}), target = at::empty({steps, 3});
  for (int t = 0; t < steps; ++t) {
    const std::array<float, 3> seen = lorenz::seen(path[t], seed, t);
    for (int i = 0; i < 3; ++i) {
      x.data_ptr<float>()[3 * t + i] = seen[i];
      target.data_ptr<float>()[3 * t + i] = static_cast<float>(path[t + lorenz::kAhead][i]);
    }
  }
  return {x, target, {}};
}

}  // namespace

Task lorenz_task(const LorenzOptions& options, std::uint64_t seed) {
  Task task{.name = "lorenz", .config = {.inputs = 3, .outputs = 3, .width = 32}};
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

}  // namespace elastane::app
