#include "apps/elastane_train/rounds.h"
#include "lab/navigation/demonstration.h"
#include "lab/navigation/language.h"

namespace elastane::app {
namespace {

using namespace elastane::navigation;

constexpr int kSteps = 128;  // of a drive

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

train::Dataset show_drives(const NavigationOptions& options, std::uint64_t seed, int round, const Model* driver) {
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

Task task_of(const NavigationOptions& options, const std::vector<train::Dataset>& rounds) {
  Task task{.name = options.transformer ? "navigation_transformer" : "navigation",
            .config = {.inputs = kInputs, .outputs = kOutputs}};
  if (options.transformer) {
    describe_transformer(task.config);
  } else {
    describe_selective(task.config);
  }
  share_out(rounds, task);  // drives take turns over the sites, so the last ones are of all of them
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

}  // namespace

Rounds navigation_rounds(const NavigationOptions& options, std::uint64_t seed) {
  return {.count = options.rounds,
          .show = [=](int round, const Model* driver) { return show_drives(options, seed, round, driver); },
          .task = [=](const std::vector<train::Dataset>& rounds) { return task_of(options, rounds); }};
}

}  // namespace elastane::app
