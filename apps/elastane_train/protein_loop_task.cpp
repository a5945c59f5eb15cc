#include <algorithm>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "apps/elastane_train/on_all_cores.h"
#include "apps/elastane_train/task.h"
#include "elastane/core/network/model.h"
#include "elastane/io/file.h"
#include "elastane/io/stored_arrays.h"
#include "lab/protein_loop/lesson.h"

namespace elastane::app {
namespace {

constexpr std::uint64_t kHeldOut = 1ULL << 40U;  // the seed of lessons that are not learned from
constexpr int kHeldOutLessons = 24;

using protein_loop::Lesson;

// follow: a model that moves the chain, or none
std::vector<Lesson> draw_lessons(std::uint64_t seed, int first, int count, const Model* follow) {
  using protein_loop::WindowAgent;
  return on_all_cores<Lesson>(count, [&] {
    std::unique_ptr<WindowAgent> follower;
    if (follow != nullptr) follower = std::make_unique<WindowAgent>(protein_loop::AgentOptions{.network = follow});
    return [&, moved_by = std::move(follower)](int n) { return protein_loop::teach(seed, first + n, moved_by.get()); };
  });
}

constexpr const char* kLessonsKey = "elastane_protein_loop_lessons";

void keep_lessons(const std::string& path, const std::string& which, const std::vector<Lesson>& lessons) {
  std::vector<int> steps;
  std::vector<float> x, target;
  for (const Lesson& lesson : lessons) {
    steps.push_back(lesson.steps);
    x.insert(x.end(), lesson.x.begin(), lesson.x.end());
    target.insert(target.end(), lesson.target.begin(), lesson.target.end());
  }
  const std::vector<StoredTensor> arrays = {stored("steps", steps), stored("x", x), stored("target", target)};
  write_file(path, format_safetensors({{kLessonsKey, which}}, arrays).value()).value();
}

std::vector<Lesson> read_lessons(const std::string& path, const std::string& which) {
  const MappedFile file = MappedFile::open(path).value();
  const Safetensors stored = parse_safetensors(file.bytes(), path).value();
  const std::string where = "[lessons] " + path + ": ";
  const auto found = stored.metadata.find(kLessonsKey);
  if (found == stored.metadata.end() || found->second != which) {
    throw std::runtime_error(where + "expected passes of " + which + ", found " +
                             (found == stored.metadata.end() ? "none" : "those of " + found->second));
  }
  ArrayReader reader(stored, where);
  std::vector<int> steps;
  std::vector<float> x, target;
  reader.take("steps", steps);
  reader.take("x", x);
  reader.take("target", target);
  std::vector<Lesson> lessons;
  std::size_t done = 0;
  for (const int each : steps) {
    const auto count = static_cast<std::size_t>(std::max(each, 0));
    const auto part = [&](const std::vector<float>& all, std::size_t width) {
      if ((done + count) * width > all.size()) throw std::runtime_error(where + "expected more numbers, found too few");
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(done * width);
      return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(count * width));
    };
    lessons.push_back({each, part(x, protein_loop::kInputs), part(target, protein_loop::kOutputs)});
    done += count;
  }
  return lessons;
}

// drawn, or read from where they are kept
std::vector<Lesson> lessons_of(const ProteinLoopOptions& options, std::uint64_t seed) {
  if (options.kept.empty()) return draw_lessons(seed, 0, options.lessons, nullptr);
  const std::string which = "seed " + std::to_string(seed) + ", " + std::to_string(options.lessons) + " of them";
  if (std::filesystem::exists(options.kept)) return read_lessons(options.kept, which);
  std::vector<Lesson> drawn = draw_lessons(seed, 0, options.lessons, nullptr);
  keep_lessons(options.kept, which, drawn);
  return drawn;
}

void add_lessons(train::Dataset& data, const std::vector<Lesson>& lessons) {
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
  add_lessons(task.learn, lessons_of(options, seed));
  add_lessons(task.held_out, draw_lessons(kHeldOut, 0, kHeldOutLessons, nullptr));
  if (!options.follow.empty()) {
    const Model model = Model::load(options.follow).value();
    add_lessons(task.learn, draw_lessons(seed, options.lessons, options.followed, &model));
    add_lessons(task.held_out, draw_lessons(kHeldOut, kHeldOutLessons, kHeldOutLessons, &model));
  }
  task.description = {{"network", options.network},
                      {"lessons", options.lessons},
                      {"follow", options.follow},
                      {"followed", options.followed}};
  return task;
}

}  // namespace elastane::app
