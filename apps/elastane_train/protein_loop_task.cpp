#include <cstring>

#include "apps/elastane_train/on_all_cores.h"
#include "apps/elastane_train/task.h"
#include "elastane/core/model.h"
#include "elastane/worlds/protein_loop/lesson.h"

namespace elastane::app {
namespace {

constexpr std::uint64_t kHeldOut = 1ULL << 40U;  // the seed of lessons that are not learned from
constexpr int kHeldOutLessons = 24;

// follow: a model that moves the chain, or none
void add_lessons(train::Dataset& data, std::uint64_t seed, int first, int count, const Model* follow) {
  using protein_loop::Lesson, protein_loop::WindowAgent;
  const auto lessons = on_all_cores<Lesson>(count, [&] {
    std::unique_ptr<WindowAgent> follower;
    if (follow != nullptr) follower = std::make_unique<WindowAgent>(protein_loop::AgentOptions{.network = follow});
    return [&, moved_by = std::move(follower)](int n) { return protein_loop::teach(seed, first + n, moved_by.get()); };
  });
  for (const Lesson& lesson : lessons) {
    const at::Tensor x = at::empty({lesson.steps, protein_loop::kInputs});
    const at::Tensor target = at::empty({lesson.steps, protein_loop::kOutputs});
    std::memcpy(x.data_ptr<float>(), lesson.x.data(), lesson.x.size() * sizeof(float));
    std::memcpy(target.data_ptr<float>(), lesson.target.data(), lesson.target.size() * sizeof(float));
    data.push_back({x, target, at::full({lesson.steps}, protein_loop::kPace)});
  }
}

std::vector<BlockConfig> blocks_of(const std::string& network) {
  const BlockConfig mlp{.kind = MlpConfig{.hidden = 192, .activation = Activation::silu}};
  const BlockConfig attention{.kind = AttentionConfig{.heads = 4, .window = 64}};
  const BlockConfig selective{.kind = SelectiveConfig{.hidden = 64}};
  if (network == "transformer") return {attention, mlp, attention, mlp};
  if (network == "hybrid") return {mlp, mlp, selective, attention};
  return {mlp, mlp, selective};
}

}  // namespace

Task protein_loop_task(const ProteinLoopOptions& options, std::uint64_t seed) {
  Task task{.name = "protein_loop_" + options.network,
            .config = {.inputs = protein_loop::kInputs, .outputs = protein_loop::kOutputs, .width = 64}};
  task.config.blocks = blocks_of(options.network);
  task.config.head = {.hidden = {128}, .activation = Activation::silu};
  task.options.sampler = {.batch = 48, .length = 64, .carry = 0, .warm_up = 0};
  task.options.schedule = {.steps = 1500, .warm_up = 100};
  task.options.rate = 2e-3;
  task.options.validate_every = 250;
  add_lessons(task.learn, seed, 0, options.lessons, nullptr);
  add_lessons(task.held_out, kHeldOut, 0, kHeldOutLessons, nullptr);
  if (!options.follow.empty()) {
    const Model model = Model::load(options.follow).value();
    add_lessons(task.learn, seed, options.lessons, options.followed, &model);
    add_lessons(task.held_out, kHeldOut, kHeldOutLessons, kHeldOutLessons, &model);
  }
  task.description = {{"network", options.network},
                      {"lessons", options.lessons},
                      {"follow", options.follow},
                      {"followed", options.followed}};
  return task;
}

}  // namespace elastane::app
