#include "lab/recall/training.h"

#include <algorithm>
#include <stdexcept>

#include "lab/recall/training_associations.h"
#include "lab/recall/training_router.h"
#include "lab/recall/training_sequences.h"

namespace elastane::recall {
namespace {

struct Options {
  lab::TrainingOptions training;
  std::string size = "small";
  int context = 128;  // steps of the longest prompts
  int shortest = 128;
  int prompts = 8192;        // to learn from
  double rotary_base = 100;  // of eight pairs of channels; with 10,000 only two tell a step from its neighbours
  bool practice = false;     // labels at every step for tasks that need only what is near
  std::vector<std::string> twice = {};
};

constexpr int kWidth = 64, kHeads = 4, kWindow = 1024;
// Only the first attention has rotary positions: what is near is found there, what is far by its content alone, at any
// distance.
BlockConfig attention(bool rotary, double base) {
  const Layout layout;
  return {.kind = AttentionConfig{.heads = kHeads,
                                  .window = kWindow,
                                  .rotary = rotary,
                                  .rotary_base = base,
                                  .block = layout.block,
                                  .sink = layout.sink,
                                  .local = layout.local}};
}

std::vector<BlockConfig> blocks_of(const std::string& size, double base) {
  const BlockConfig mlp{.kind = MlpConfig{.hidden = 2 * kWidth}};
  const BlockConfig mamba{.kind = MambaConfig{.state = 16, .conv = 4, .expand = 1, .dt_rank = 4}};
  if (size == "ssm") return {mamba, mlp, mamba, mlp};
  if (size == "hybrid") return {mamba, mlp, mamba, mlp, attention(false, base), mlp};
  std::vector<BlockConfig> blocks = {attention(true, base), mlp, attention(false, base), mlp};
  if (size == "medium") blocks.insert(blocks.end(), {attention(false, base), mlp});
  return blocks;
}

// prompts of one length after the other, in equal numbers: shortest, twice that, …
std::vector<int> lengths_of(const Options& options) {
  std::vector<int> lengths;
  for (int length = options.shortest; length <= options.context; length *= 2) lengths.push_back(length);
  return lengths;
}

// Tasks that take long to learn come twice; with practice, tasks whose answers lie far, because the others have labels at
// most steps. Prompts to learn from have one to all records, so that a match is first found
// among few; held-out prompts have all.
std::vector<Task> mixture_of(const Options& options) {
  using enum Task;
  if (options.twice.empty() && options.practice) {
    return {recall, needle, copy, majority, markov, recall, needle, regression};
  }
  if (options.twice.empty()) return {recall, needle, copy, majority, markov, recall, markov, regression};
  std::vector<Task> mixture = {recall, needle, copy, majority, markov, regression};
  for (const std::string& name : options.twice) {
    mixture.push_back(static_cast<Task>(std::ranges::find(kTaskNames, name) - kTaskNames.begin()));
  }
  return mixture;
}

train::Dataset dataset(const Options& options, std::uint64_t first_seed, int prompts, bool held_out) {
  const std::vector<int> lengths = lengths_of(options);
  const std::vector<Task> mixture = mixture_of(options);
  train::Dataset data;
  for (int i = 0; i < prompts; ++i) {
    const int length = lengths[static_cast<std::size_t>(i) * lengths.size() / static_cast<std::size_t>(prompts)];
    const std::size_t turn = static_cast<std::size_t>(i) % mixture.size();
    const int round = i / static_cast<int>(mixture.size());
    data.push_back(series_of(draw_episode(first_seed + static_cast<std::uint64_t>(i),
                                          {.task = held_out ? static_cast<Task>(i % kTasks) : mixture[turn],
                                           .position = static_cast<Position>(round % kPositions),
                                           .length = length,
                                           .records = held_out ? kRecords : 1 + round / kPositions % kRecords,
                                           .layout = {},
                                           .practice = options.practice && !held_out})));
  }
  return data;
}

lab::TrainingTask task_of(const Options& options) {
  if (!options.training.run.onto.empty() && options.size != "hybrid") {
    throw std::invalid_argument("[recall] --onto: expected --size hybrid, found " + options.size);
  }
  lab::TrainingTask task{.name = "recall_" + options.size,
                         .config = {.inputs = kInputs, .outputs = kValues, .width = kWidth}};
  task.config.blocks = blocks_of(options.size, options.rotary_base);
  const std::vector<int> lengths = lengths_of(options);
  task.options.loss = {{.kind = train::LossKind::cross_entropy}};
  task.options.sampler = {.batch = 32,
                          .length = options.context,
                          .carry = 0,
                          .warm_up = 0,
                          .classes = static_cast<std::int64_t>(lengths.size())};
  task.options.schedule = {.steps = 1600, .warm_up = 100};
  task.options.rate = 4e-3;
  task.options.validate_every = 200;
  task.learn = dataset(options, options.training.run.seed * 1'000'003, options.prompts, false);
  task.held_out = dataset(options, 1ULL << 40U, 288, true);
  task.description = {{"size", options.size},       {"context", options.context},   {"shortest", options.shortest},
                      {"prompts", options.prompts}, {"practice", options.practice}, {"twice", options.twice}};
  return task;
}

}  // namespace

void add_training(lab::TrainingCommands& commands) {
  auto options = std::make_shared<Options>();
  command_line::Command& task = commands.add("recall", "Prompts with an instruction: recall, needle, copy and others");
  lab::declare(task, options->training);
  task.option("--size", options->size, "2 or 3 layers of attention; 2 of Mamba; the same with attention after them")
      .one_of({"small", "medium", "ssm", "hybrid"});
  task.option("--context", options->context, "steps of the longest prompts").range(64, 65536);
  task.option("--shortest", options->shortest, "steps of the shortest; lengths double from there").range(64, 65536);
  task.option("--onto", options->training.run.onto, "hybrid: a trained ssm that it starts from; attention is added")
      .type("FILE")
      .excludes("--init");
  task.option("--prompts", options->prompts, "prompts to learn from").range(18, 1e6);
  task.option("--rotary-base", options->rotary_base, "of the positions in the first attention").above(1);
  task.flag("--practice", options->practice, "ask copy, majority and Markov at every step of prompts to learn from");
  task.option("--twice", options->twice, "tasks that come twice as often (default: those that take long to learn)")
      .one_of({kTaskNames.begin(), kTaskNames.end()});
  task.footer(
      "Examples:\n"
      "  elastane train recall --size small --practice --seed 7 --run runs/recall -o short.safetensors\n"
      "  elastane train recall --init short.safetensors --context 1024 --prompts 1024 --batch 8 --steps 200 --rate "
      "1e-3\n"
      "                        --seed 8 --run runs/recall.long -o recall_small.safetensors\n"
      "  elastane train recall --size hybrid --onto ssm.safetensors --seed 8 --run runs/hybrid -o hybrid.safetensors");
  task.action([=, &commands] { return commands.run(options->training, [=] { return task_of(*options); }); });
  add_router_training(commands);
  add_association_training(commands);
}

}  // namespace elastane::recall
