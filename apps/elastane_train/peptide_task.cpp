#include <cstring>
#include <future>
#include <thread>

#include "apps/elastane_train/task.h"
#include "elastane/core/model.h"
#include "elastane/worlds/peptide/observation.h"
#include "elastane/worlds/peptide/stream_driver.h"

namespace elastane::app {
namespace {

constexpr std::uint64_t kHeldOut = 1ULL << 40U;  // the seed of lessons that are not learned from

train::Series series(const peptide::Lesson& lesson) {
  const at::Tensor x = at::empty({lesson.steps, peptide::kInputs});
  const at::Tensor target = at::empty({lesson.steps, peptide::kOutputs});
  std::memcpy(x.data_ptr<float>(), lesson.x.data(), lesson.x.size() * sizeof(float));
  std::memcpy(target.data_ptr<float>(), lesson.target.data(), lesson.target.size() * sizeof(float));
  return {x, target, {}};
}

// lessons first … first + count − 1, on all cores; a lesson does not depend on who gives it
void add_lessons(std::uint64_t seed, int first, int count, const Model* model, bool corrected, train::Dataset& data) {
  const auto workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<peptide::Lesson> lessons(static_cast<std::size_t>(count));
  const auto work = [&](int worker) {
    StreamOptions options;
    if (corrected) options.corrector = CorrectorOptions{};
    std::optional<peptide::StreamDriver> driver;
    if (model) driver.emplace(*model, options);
    for (int n = worker; n < count; n += workers) {
      lessons[static_cast<std::size_t>(n)] = peptide::teach(seed, first + n, driver ? &*driver : nullptr);
    }
  };
  std::vector<std::future<void>> running;
  for (int w = 0; w < workers; ++w) running.push_back(std::async(std::launch::async, work, w));
  for (auto& one : running) one.get();
  for (const peptide::Lesson& lesson : lessons) data.push_back(series(lesson));
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
  task.options.sampler = {.batch = 32, .length = 84, .carry = 0, .warm_up = 0};
  task.options.schedule = {.steps = 4000, .warm_up = 100};
  task.options.rate = 2e-3;
  task.options.validate_every = 250;
  std::optional<Model> model;
  if (!options.follow.empty()) model = Model::load(options.follow).value();
  add_lessons(seed, 0, options.lessons, nullptr, false, task.learn);
  if (model) add_lessons(seed, options.lessons, options.followed, &*model, options.corrected, task.learn);
  add_lessons(kHeldOut, 0, 32, nullptr, false, task.held_out);
  if (model) add_lessons(kHeldOut, 32, 32, &*model, options.corrected, task.held_out);
  task.description = {{"network", options.network},
                      {"lessons", options.lessons},
                      {"follow", options.follow},
                      {"followed", options.followed},
                      {"corrected", options.corrected}};
  return task;
}

}  // namespace elastane::app
