#include "lab/language/training.h"

#include <span>

#include "elastane/core/base/random.h"
#include "lab/language/text.h"
#include "lab/language/training_stacks.h"
#include "lab/training/router.h"

namespace elastane::language {
namespace {

struct Options {
  lab::TrainingOptions training;
  int context = 512;
};

constexpr int kWidth = 64, kHeads = 4, kLayers = 3, kWindow = 1024;
constexpr train::StreamingMask kMask = {.block = 16, .sink = 16, .local = 64};

// each symbol, and the one after it
train::Series series_of(std::span<const std::uint8_t> symbols) {
  const auto steps = static_cast<std::int64_t>(symbols.size()) - 1;
  const at::Tensor x = at::zeros({steps, kSymbols}), target = at::zeros({steps, kSymbols});
  for (std::int64_t t = 0; t < steps; ++t) {
    x.data_ptr<float>()[t * kSymbols + symbols[t]] = 1;
    target.data_ptr<float>()[t * kSymbols + symbols[t + 1]] = 1;
  }
  return {x, target, {}};
}

lab::TrainingTask task_of(const Options& options) {
  const Text text = read_text().value();
  lab::TrainingTask task{.name = "language", .config = {.inputs = kSymbols, .outputs = kSymbols, .width = kWidth}};
  for (int i = 0; i < kLayers; ++i) {
    task.config.blocks.push_back(
        {.kind = AttentionConfig{
             .heads = kHeads, .window = kWindow, .block = kMask.block, .sink = kMask.sink, .local = kMask.local}});
    task.config.blocks.push_back({.kind = MlpConfig{.hidden = 4 * kWidth}});
  }
  task.options.loss = {{.kind = train::LossKind::cross_entropy}};
  task.options.sampler = {.batch = 16, .length = options.context, .carry = 0, .warm_up = 0};
  task.options.schedule = {.steps = 1200, .warm_up = 100};
  task.options.rate = 3e-3;
  task.options.validate_every = 200;
  task.learn = {series_of(text.learn)};
  const auto piece = static_cast<std::size_t>(options.context);
  for (std::size_t at = 0; at + piece < text.held_out.size(); at += piece) {
    task.held_out.push_back(series_of(std::span(text.held_out).subspan(at, piece + 1)));
  }
  task.description = {{"text", kFolder}, {"context", options.context}, {"symbols", text.learn.size()}};
  return task;
}

// pieces to learn from at random places; tests one after the other
train::RouterData draw(std::uint64_t seed, int count, int length, const std::string&) {
  const Text text = read_text().value();
  const bool is_test = seed == lab::kTestSeed || seed == lab::kValidationSeed;
  const std::vector<std::uint8_t>& from = !is_test ? text.learn : seed == lab::kTestSeed ? text.test : text.held_out;
  Random random(seed);
  const int places = static_cast<int>(from.size()) - length - 1;
  std::vector<at::Tensor> x, target;
  for (int i = 0; i < count && (!is_test || i * length <= places); ++i) {
    const int at = is_test ? i * length : random.below(places);
    const train::Series s =
        series_of(std::span(from).subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(length) + 1));
    x.push_back(s.x), target.push_back(s.target);
  }
  const auto drawn = static_cast<std::int64_t>(x.size());
  return {at::stack(x, 0), at::stack(target, 0), at::zeros({drawn}, at::kLong)};
}

void add_router_training(lab::TrainingCommands& commands) {
  auto options = std::make_shared<lab::RouterOptions>();
  auto world = std::make_shared<const lab::RouterWorld>(lab::RouterWorld{.name = "language",
                                                                         .tasks = {"text"},
                                                                         .positions = {"any"},
                                                                         .targets = {0.85},
                                                                         .mask = kMask,
                                                                         .length = 512,
                                                                         .sequences = 128,
                                                                         .tests = 36,
                                                                         .draw = draw});
  options->part = "text";
  command_line::Command& task = commands.add("language_router", "Which heads of attention see the whole text");
  lab::declare(task, *options, *world);
  task.footer("Example:\n  elastane train language_router --model models/language.safetensors --epsilon 0.005");
  task.action([=, &commands] { return lab::run_router(*options, *world, commands.record()); });
}

}  // namespace

void add_training(lab::TrainingCommands& commands) {
  auto options = std::make_shared<Options>();
  command_line::Command& task = commands.add("language", "The next byte of a text: licences of the package base-files");
  lab::declare(task, options->training);
  task.option("--context", options->context, "bytes of a piece").range(64, 1024);
  task.footer("Example:\n  elastane train language --seed 7 --run runs/language -o language.safetensors");
  task.action([=, &commands] { return commands.run(options->training, [=] { return task_of(*options); }); });
  add_router_training(commands);
  add_stack_training(commands);
}

}  // namespace elastane::language
