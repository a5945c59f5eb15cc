#include "lab/language/training_stacks.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "elastane/core/base/random.h"
#include "elastane/core/network/network.h"
#include "elastane/core/stream/stream.h"
#include "elastane/train/adamw.h"
#include "elastane/train/schedule.h"
#include "elastane/train/sequence_model.h"
#include "lab/language/stacks.h"
#include "lab/language/text.h"

namespace elastane::language {
namespace {

struct StackTraining {
  std::string stack = "delta", equal = kEqualParameters, journal;
  int piece = 512, steps = 200, batch = 8, threads = 1;
  double rate = 4e-3;
  std::uint64_t seed = 1;
  bool held_out = false;
};

// pieces of the text at random places: symbols (batch, piece + 1)
at::Tensor draw_pieces(const std::vector<std::uint8_t>& text, const StackTraining& o, int step) {
  Random random(o.seed, static_cast<std::uint64_t>(step));
  at::Tensor symbols = at::empty({o.batch, o.piece + 1}, at::kLong);
  for (int b = 0; b < o.batch; ++b) {
    const int from = random.below(static_cast<int>(text.size()) - o.piece);
    for (int t = 0; t <= o.piece; ++t) {
      symbols.data_ptr<std::int64_t>()[b * (o.piece + 1) + t] = text[static_cast<std::size_t>(from + t)];
    }
  }
  return symbols;
}

at::Tensor loss_of(const train::SequenceModel& model, const at::Tensor& symbols) {
  const std::int64_t length = symbols.size(1) - 1;
  const at::Tensor x = at::one_hot(symbols.narrow(1, 0, length), kSymbols).to(at::kFloat);
  const at::Tensor y = model.forward({.x = x}, model.start(x.size(0))).y;
  return at::cross_entropy_loss(y.reshape({-1, kSymbols}), symbols.narrow(1, 1, length).reshape({-1}));
}

// CPU seconds
double learn_text(const StackTraining& o, const std::vector<std::uint8_t>& text, const train::SequenceModel& model) {
  const std::clock_t begin = std::clock();
  train::AdamW adamw(model.weights(), model.config(), {.decay = 0.01, .beta2 = 0.98});
  const train::Schedule schedule{.steps = o.steps, .warm_up = std::max(1, o.steps / 10)};
  for (int step = 0; step < o.steps; ++step) {
    const at::Tensor loss = loss_of(model, draw_pieces(text, o, step));
    loss.backward();
    adamw.step(o.rate * schedule(step));
    if (step % 20 == 19) fmt::print("step {:4}  bits per byte {:.4f}\n", step + 1, loss.item<double>() / std::log(2.0));
  }
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

struct StreamScore {
  double bits_per_byte = 0, p50_us = 0;
};

// in float32 and step by step, piece after piece, each from reset
StreamScore score_stream(const Model& model, std::span<const std::uint8_t> text, int piece) {
  Stream stream(model);
  std::vector<float> x(kSymbols);
  std::vector<double> micros;
  double bits = 0;
  for (std::size_t t = 0; t + 1 < text.size(); ++t) {
    if (t % static_cast<std::size_t>(piece) == 0) stream.reset();
    x[text[t]] = 1;
    const auto begin = std::chrono::steady_clock::now();
    stream.advance(x);
    micros.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    x[text[t]] = 0;
    const auto y = stream.output();
    const double most = *std::ranges::max_element(y);
    double sum = 0;
    for (const float logit : y) sum += std::exp(logit - most);
    bits += (std::log(sum) + most - y[text[t + 1]]) / std::log(2.0);
  }
  std::ranges::nth_element(micros, micros.begin() + std::ssize(micros) / 2);
  return {bits / static_cast<double>(text.size() - 1), micros[micros.size() / 2]};
}

// the fields of a row of `elastane reproduce recall`
nlohmann::ordered_json row_of(const StackTraining& o, const Model& model, const StreamScore& score, double seconds) {
  const StateLayout& layout = model.network().layout;
  return {{"part", "language"},
          {"model",
           fmt::format("{}, equal {} ({} thousand parameters, {:.0f} thousand multiply-adds)", o.stack, o.equal,
                       (parameters_of(model.config()) + 500) / 1000, macs_per_byte(model.config(), o.piece) / 1000)},
          {"seed", o.seed},
          {"length", o.piece},
          {"pairs", nullptr},
          {"accuracy", nullptr},
          {"accuracy_changed", nullptr},
          {"state_bytes", layout.size - layout.dense},
          {"write_share", nullptr},
          {"p50_us", score.p50_us},
          {"bits_per_byte", score.bits_per_byte},
          {"train_seconds", seconds}};
}

int run_stack_training(const StackTraining& o) {
  at::set_num_threads(o.threads);
  const Text text = read_text().value();
  const ModelConfig config = text_config(o.stack, o.equal, o.piece).value();
  const train::SequenceModel twin = train::SequenceModel::create(config, random_tensors(config, o.seed)).value();
  const double seconds = learn_text(o, text.learn, twin);
  const Model model = Model::create(config, twin.weights().tensors()).value();
  const StreamScore score = score_stream(model, o.held_out ? text.held_out : text.test, o.piece);
  const nlohmann::ordered_json row = row_of(o, model, score, seconds);
  fmt::print("{}\n", row.dump());
  if (!o.journal.empty()) std::ofstream(o.journal, std::ios::app) << row.dump() << "\n";
  return 0;
}

}  // namespace

void add_stack_training(lab::TrainingCommands& commands) {
  auto options = std::make_shared<StackTraining>();
  command_line::Command& task =
      commands.add("text", "The next byte of a text, by stacks of equal parameters or equal counted compute");
  task.option("--stack", options->stack, "which blocks").one_of(text_stacks());
  task.option("--equal", options->equal, "what it shares with full attention")
      .one_of({kEqualParameters, kEqualCompute});
  task.option("--context", options->piece, "bytes from reset to reset").range(64, 4096);
  task.option("--steps", options->steps, "of training").range(1, 1e6);
  task.option("--batch", options->batch, "pieces per step").range(1, 4096);
  task.option("--rate", options->rate, "largest learning rate").range(0, 1);
  task.option("--seed", options->seed, "of weights and pieces");
  task.flag("--on-validation", options->held_out, "test on the text that settings are chosen by");
  task.option("--threads", options->threads, "of LibTorch").range(1, 1024);
  task.option("--journal", options->journal, "append the row of the test to this file").type("FILE");
  task.footer("Example:\n  elastane train text --stack delta --equal compute --journal recall.jsonl");
  task.action([=] { return run_stack_training(*options); });
}

}  // namespace elastane::language
