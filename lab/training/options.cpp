#include "lab/training/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "elastane/io/config_json.h"
#include "elastane/io/model_file.h"

namespace elastane::lab {
namespace {

// the JSON itself, or a file that holds it, or a model file
ModelConfig read_config(const std::string& given) {
  if (given.starts_with('{')) return config_from_json(given).value();
  if (given.ends_with(".safetensors")) return read_model(given).value().config;
  std::ifstream file(given);
  if (!file) throw std::runtime_error(fmt::format("[model] cannot read {}", given));
  std::stringstream text;
  text << file.rdbuf();
  return config_from_json(text.str()).value();
}

}  // namespace

namespace {

using command_line::Command;
using command_line::Option;

constexpr double kMostSteps = 1e8, kMost = 1e6;

void declare_run(Command& task, TrainingOptions& o) {
  task.option("--run", o.run.folder, "folder of the run: options, curves, checkpoint, model").type("DIR");
  task.option("-o,--output", o.run.output, "a copy of the model goes here").type("FILE");
  task.flag("--resume", o.run.resume, "continue from the folder's checkpoint, if there is one");
  task.option("--checkpoint-every", o.run.checkpoint_every, "steps between checkpoints").range(1, kMostSteps);
  task.option("--threads", o.run.threads, "threads per process; 0: all cores, shared by local ranks").range(0, 1024);
  task.option("--seed", o.run.seed, "of weights, data and batches; equal seeds give equal runs");
}

void declare_data(Command& task, TrainingOptions& o) {
  task.option("--steps", o.steps, "optimiser steps").range(1, kMostSteps);
  task.option("--batch", o.batch, "sequences per step, over all ranks").range(1, kMost);
  task.option("--length", o.length, "time steps that gradients flow through").range(1, kMost);
  task.option("--carry", o.carry, "pieces of that length over which state is carried on").range(0, kMost);
  task.option("--warm-up", o.warm_up, "time steps at the start of a sequence that are not scored").range(0, kMost);
  task.option("--validate-every", o.validate_every, "steps between validations on held-out data").range(1, kMostSteps);
  task.option("--patience", o.patience, "validations without progress before the run ends; 0: no limit")
      .range(0, kMost);
}

void declare_optimiser(Command& task, TrainingOptions& o) {
  task.option("--rate", o.rate, "largest learning rate").above(0);
  task.option("--schedule", o.schedule, "of the learning rate")
      .one_of({train::kScheduleNames.begin(), train::kScheduleNames.end()});
  task.option("--rate-warm-up", o.rate_warm_up, "steps until the largest rate is reached").range(0, kMost);
  task.option("--decay", o.decay, "weight decay of matrices").at_least(0);
  task.option("--clip", o.clip, "largest norm of a gradient; 0: no limit").at_least(0);
  task.option("--loss", o.loss, "squared, absolute, huber:WIDTH, cross_entropy, or a sum: squared+0.1*absolute");
}

void declare_model(Command& task, TrainingOptions& o) {
  task.option("--model", o.model, "configuration: JSON, a file of it, or a model file whose shape to use");
  task.option("--init", o.run.init, "model file whose weights to start from").type("FILE");
  task.option("--block", o.block, "kind of all blocks: s4d, mamba, gru, lstm, attention, selective");
  task.option("--layers", o.layers, "number of blocks, all like the first").range(1, 1024);
  task.option("--width", o.width, "width of the residual stream").range(1, 1 << 14);
}

void declare_ranks(Command& task, TrainingOptions& o) {
  task.option("--ranks", o.run.peers.ranks, "processes; without --rank, all of them on this machine").range(1, 1024);
  task.option("--rank", o.rank, "the rank of this process").range(0, 1023).hide_default().needs("--ranks");
  task.option("--rendezvous", o.rendezvous, "where rank 0 listens").type("HOST:PORT").needs("--ranks");
}

}  // namespace

void declare(Command& task, TrainingOptions& options, const DeclaredOptions& which) {
  declare_run(task, options);
  declare_data(task, options);
  declare_optimiser(task, options);
  declare_model(task, options);
  if (which.ranks) declare_ranks(task, options);
  if (which.with.empty()) return;
  std::vector<std::string> always = which.shared;
  always.insert(always.end(), {"--seed", "--output"});
  for (Option* option : task.options()) {
    if (std::ranges::find(always, option->name()) == always.end()) option->only_with("--network", which.with);
  }
}

void apply(const TrainingOptions& given, train::TrainerOptions& o) {
  o.sampler.seed = given.run.seed;
  take(given.steps, o.schedule.steps);
  take(given.batch, o.sampler.batch);
  take(given.length, o.sampler.length);
  take(given.carry, o.sampler.carry);
  take(given.warm_up, o.sampler.warm_up);
  take(given.rate_warm_up, o.schedule.warm_up);
  take(given.validate_every, o.validate_every);
  take(given.patience, o.patience);
  take(given.rate, o.rate);
  take(given.decay, o.adamw.decay);
  take(given.clip, o.adamw.clip);
  if (given.loss) o.loss = train::parse_loss(*given.loss).value();
  if (given.schedule) {
    const auto found = std::ranges::find(train::kScheduleNames, *given.schedule);
    o.schedule.kind = static_cast<train::ScheduleKind>(found - train::kScheduleNames.begin());
  }
}

void apply(const TrainingOptions& given, ModelConfig& config) {
  const int inputs = config.inputs, outputs = config.outputs;
  const std::string source = !given.model.empty() ? given.model : given.run.init;
  if (!source.empty()) {
    config = read_config(source);
    config.noise.clear();
    if (config.inputs != inputs || config.outputs != outputs) {
      throw std::runtime_error(
          fmt::format("[model] {}: expected {} inputs and {} outputs for this task, found {} and {}", source, inputs,
                      outputs, config.inputs, config.outputs));
    }
  }
  take(given.width, config.width);
  if (given.block || given.layers) {
    const std::string kind = given.block.value_or(std::string(block_name(config.blocks.front())));
    const auto one = config_from_json(fmt::format(R"({{"format": 1, "width": {}, "blocks": [{{"block": "{}"}}]}})",
                                                  config.width, kind))
                         .value();
    const auto layers = static_cast<std::size_t>(given.layers.value_or(static_cast<int>(config.blocks.size())));
    config.blocks.assign(layers, given.block ? one.blocks.front() : config.blocks.front());
  }
}

void read_rendezvous(const std::string& text, train::PeersOptions& peers) {
  const std::size_t colon = text.rfind(':');
  const std::string_view port = std::string_view(text).substr(colon == text.npos ? text.size() : colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), peers.port);
  if (colon == 0 || error != std::errc() || end != port.data() + port.size() || peers.port < 1 || peers.port > 65535) {
    throw std::runtime_error("[ranks] rendezvous: expected HOST:PORT, found " + text);
  }
  peers.host = text.substr(0, colon);
}

}  // namespace elastane::lab
