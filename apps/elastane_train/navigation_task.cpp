#include <cstring>

#include "apps/elastane_train/task.h"
#include "elastane/worlds/navigation/demonstration.h"
#include "elastane/worlds/navigation/language.h"

namespace elastane::app {
namespace {

using namespace elastane::navigation;

constexpr int kSteps = 128;           // of a drive
constexpr std::size_t kHeldOut = 32;  // a round keeps one drive in so many for validation

at::Tensor rows(const std::vector<float>& values, int columns) {
  const at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size()) / columns, columns});
  std::memcpy(tensor.data_ptr<float>(), values.data(), values.size() * sizeof(float));
  return tensor;
}

// the compact selective model of the paper, with a position-wise network before it
void describe_selective(ModelConfig& config) {
  config.width = 64;
  config.blocks = {BlockConfig{.kind = MlpConfig{.hidden = 256, .activation = Activation::silu}},
                   BlockConfig{.kind = SelectiveConfig{.hidden = 64}}};
  config.head = {.hidden = {128}, .activation = Activation::silu};
}

// its rival: two layers, a window of 128 steps
void describe_transformer(ModelConfig& config) {
  config.width = 64;
  config.blocks.clear();
  for (int i = 0; i < 2; ++i) {
    config.blocks.push_back({.kind = AttentionConfig{.heads = 4, .window = 128}});
    config.blocks.push_back({.kind = MlpConfig{.hidden = 256, .activation = Activation::silu}});
  }
  config.head = {.hidden = {128}, .activation = Activation::silu};
}

}  // namespace

train::Dataset navigation_drives(const NavigationOptions& options, std::uint64_t seed, int round, const Model* driver) {
  const std::vector<Place> places = random_places(options.sites_seed, options.sites);
  DemonstrationOptions how{.steps = kSteps, .driver = driver, .expert_share = 0.1};
  train::Dataset drives;
  for (int i = 0; i < options.drives; ++i) {
    const auto which = static_cast<std::uint64_t>(i) + (static_cast<std::uint64_t>(round) << 32U);
    const Demonstration shown =
        demonstrate(places[static_cast<std::size_t>(i) % places.size()], how, seed ^ (which << 8U));
    drives.push_back({rows(shown.x, kInputs), rows(shown.target, kOutputs), {}});
  }
  return drives;
}

Task navigation_task(const NavigationOptions& options, const std::vector<train::Dataset>& rounds) {
  Task task{.name = options.transformer ? "navigation_transformer" : "navigation",
            .config = {.inputs = kInputs, .outputs = kOutputs}};
  if (options.transformer) {
    describe_transformer(task.config);
  } else {
    describe_selective(task.config);
  }
  for (const train::Dataset& round : rounds) {
    // drives take turns over the sites, so the last ones are of all of them
    const std::size_t learned = round.size() - round.size() / kHeldOut;
    task.learn.insert(task.learn.end(), round.begin(), round.begin() + static_cast<std::ptrdiff_t>(learned));
    task.held_out.insert(task.held_out.end(), round.begin() + static_cast<std::ptrdiff_t>(learned), round.end());
  }
  task.options.sampler = {.batch = 32, .length = kSteps, .carry = 0, .warm_up = 0};
  task.options.schedule = {.steps = 1500, .warm_up = 100};
  task.options.rate = 3e-3;
  task.options.validate_every = 250;
  task.description = {{"sites_seed", options.sites_seed},
                      {"sites", options.sites},
                      {"rounds", rounds.size()},
                      {"drives", options.drives}};
  return task;
}

}  // namespace elastane::app
