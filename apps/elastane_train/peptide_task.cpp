#include <cstring>

#include "apps/elastane_train/peptide_lessons.h"
#include "apps/elastane_train/task.h"
#include "elastane/core/network/model.h"
#include "lab/peptide/observation.h"
#include "lab/peptide/stream_driver.h"

namespace elastane::app {
namespace {

void add_to(train::Dataset& data, const std::vector<peptide::Lesson>& lessons) {
  for (const peptide::Lesson& lesson : lessons) {
    const at::Tensor x = at::empty({lesson.steps, peptide::kInputs});
    const at::Tensor target = at::empty({lesson.steps, peptide::kOutputs});
    std::memcpy(x.data_ptr<float>(), lesson.x.data(), lesson.x.size() * sizeof(float));
    std::memcpy(target.data_ptr<float>(), lesson.target.data(), lesson.target.size() * sizeof(float));
    data.push_back({x, target, at::full({lesson.steps}, peptide::kPace)});
  }
}

BlockConfig mlp() { return {.kind = MlpConfig{.hidden = 192, .activation = Activation::silu}}; }

std::vector<BlockConfig> blocks_of(const std::string& network) {
  const BlockConfig attention{.kind = AttentionConfig{.heads = 4, .window = 128}};
  if (network == "greedy") return {mlp(), mlp(), mlp()};
  if (network == "transformer") return {attention, mlp(), attention, mlp()};
  return {mlp(), mlp(), BlockConfig{.kind = SelectiveConfig{.hidden = 64}}};
}

}  // namespace

Task peptide_task(const PeptideOptions& options, std::uint64_t seed) {
  Task task{.name = "peptide_" + options.network,
            .config = {.inputs = peptide::kInputs, .outputs = peptide::kOutputs, .width = 64}};
  task.config.blocks = blocks_of(options.network);
  task.config.head = {.hidden = {128}, .activation = Activation::silu};
  task.options.sampler = {.batch = 64, .length = 96, .carry = 0, .warm_up = 0};
  task.options.schedule = {.steps = 2000, .warm_up = 100};
  task.options.rate = 2e-3;
  task.options.validate_every = 250;
  add_to(task.learn, give_lessons(seed, 0, options.lessons));
  add_to(task.held_out, give_lessons(kHeldOutLessons, 0, 32));
  if (!options.follow.empty()) {
    const Model model = Model::load(options.follow).value();
    StreamOptions stream;
    if (options.corrected)
      stream.corrector = CorrectorOptions{.metric = {.damping = 0.1},
                                          .trust = {.radius = 10, .smallest = 10, .largest = 1000},
                                          .retraction = {},
                                          .gate = {.depth = 2}};
    const DriverMaker maker = [&] { return std::make_unique<peptide::StreamDriver>(model, stream); };
    add_to(task.learn, give_lessons(seed, options.lessons, options.followed, maker));
    add_to(task.held_out, give_lessons(kHeldOutLessons, 32, 32, maker));
  }
  task.description = {{"network", options.network},
                      {"lessons", options.lessons},
                      {"follow", options.follow},
                      {"followed", options.followed},
                      {"corrected", options.corrected}};
  return task;
}

}  // namespace elastane::app
