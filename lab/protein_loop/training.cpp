#include "lab/protein_loop/training.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "elastane/core/network/model.h"
#include "elastane/io/file.h"
#include "elastane/io/stored_arrays.h"
#include "elastane/train/stacks.h"
#include "lab/protein_loop/lesson.h"
#include "lab/protein_loop/training_alone.h"
#include "lab/training/on_all_cores.h"

namespace elastane::protein_loop {
namespace {

struct Options {
  lab::TrainingOptions training;
  std::string network = "ssm";
  int lessons = 600;    // passes to learn from
  std::string kept;     // a file that keeps them for other trainings with the same seed; "": they are drawn
  std::string follow;   // a model that moves the chain while the corrector labels its steps, or ""; the gate's network
  int followed = 0;     // passes of that
  double price = 0.02;  // of a thousand multiply-adds, in units of energy, for the gate
};

constexpr std::uint64_t kHeldOut = 1ULL << 40U;  // the seed of lessons that are not learned from
constexpr int kHeldOutLessons = 24;

// follow: a model that moves the chain, or none
std::vector<Lesson> draw_lessons(std::uint64_t seed, int first, int count, const Model* follow) {
  return lab::on_all_cores<Lesson>(count, [&] {
    std::unique_ptr<WindowAgent> follower;
    if (follow != nullptr) follower = std::make_unique<WindowAgent>(AgentOptions{.network = follow});
    return [&, moved_by = std::move(follower)](int n) { return teach(seed, first + n, moved_by.get()); };
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
    lessons.push_back({each, part(x, kInputs), part(target, kOutputs)});
    done += count;
  }
  return lessons;
}

// drawn, or read from where they are kept
std::vector<Lesson> lessons_of(const Options& options, std::uint64_t seed) {
  if (options.kept.empty()) return draw_lessons(seed, 0, options.lessons, nullptr);
  const std::string which = "seed " + std::to_string(seed) + ", " + std::to_string(options.lessons) + " of them";
  if (std::filesystem::exists(options.kept)) return read_lessons(options.kept, which);
  std::vector<Lesson> drawn = draw_lessons(seed, 0, options.lessons, nullptr);
  keep_lessons(options.kept, which, drawn);
  return drawn;
}

void add_lessons(train::Dataset& data, const std::vector<Lesson>& lessons) {
  for (const Lesson& lesson : lessons) {
    const at::Tensor x = at::empty({lesson.steps, kInputs});
    const at::Tensor target = at::empty({lesson.steps, kOutputs});
    std::memcpy(x.data_ptr<float>(), lesson.x.data(), lesson.x.size() * sizeof(float));
    std::memcpy(target.data_ptr<float>(), lesson.target.data(), lesson.target.size() * sizeof(float));
    data.push_back({x, target, at::full({lesson.steps}, kPace)});
  }
}

std::vector<BlockConfig> blocks_of(const std::string& network) {
  const train::StackSizes sizes{.hidden = 192, .window = 64};
  if (network == "transformer") return train::transformer_stack(sizes);
  if (network == "hybrid") return train::selective_hybrid_stack(sizes);
  return train::selective_stack(sizes);
}

lab::TrainingTask task_of(const Options& options) {
  const std::uint64_t seed = options.training.run.seed;
  lab::TrainingTask task{.name = "protein_loop_" + options.network,
                         .config = {.inputs = kInputs, .outputs = kOutputs, .width = 64}};
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

int train(const Options& options, const lab::TrainingCommands& commands) {
  const std::uint64_t seed = options.training.run.seed;
  std::string output = options.training.run.output;
  if (output.empty()) output = "protein_loop_" + options.network + ".safetensors";
  if (options.network == "gate") {
    train_gate({options.follow, options.followed, options.price}, seed, commands.record().command, output);
    return 0;
  }
  if (options.network == "metric") {
    train_metric(seed, commands.record().command, output);
    return 0;
  }
  return commands.run(options.training, [&] { return task_of(options); });
}

}  // namespace

void add_training(lab::TrainingCommands& commands) {
  const std::vector<std::string> networks = {"ssm", "transformer", "hybrid"},
                                 following = {"ssm", "transformer", "hybrid", "gate"};
  auto options = std::make_shared<Options>();
  command_line::Command& task =
      commands.add("protein_loop", "Torsions of a bent protein, by imitation of the corrector");
  lab::declare(task, options->training, {.with = networks});
  task.option("--network", options->network,
              "a network; gate: the gate of a network's corrector; metric: a learned metric")
      .one_of({"ssm", "transformer", "hybrid", "gate", "metric"});
  task.option("--lessons", options->lessons, "passes to learn from").range(0, 1e6).only_with("--network", networks);
  task.option("--keep-lessons", options->kept, "file that keeps these passes, for other trainings with the same seed")
      .type("FILE")
      .only_with("--network", networks);
  task.option("--follow", options->follow, "a model that moves the chain; of a gate: the network it works with")
      .type("FILE")
      .only_with("--network", following);
  task.option("--followed", options->followed, "passes of that")
      .range(0, 1e6)
      .needs("--follow")
      .only_with("--network", following);
  task.option("--price", options->price, "of a thousand multiply-adds").at_least(0).only_with("--network", {"gate"});
  task.action([=, &commands] { return train(*options, commands); });
}

}  // namespace elastane::protein_loop
