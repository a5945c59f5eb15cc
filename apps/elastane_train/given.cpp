#include "apps/elastane_train/given.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "elastane/io/config_json.h"
#include "elastane/io/model_file.h"

namespace elastane::app {
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

void add_options(CLI::App& verb, Given& g) {
  verb.add_option("--run", g.run.folder, "folder of the run: options, curves, checkpoint, model")->type_name("DIR");
  verb.add_option("-o,--output", g.run.output, "where the model goes as well")->type_name("FILE");
  verb.add_flag("--resume", g.run.resume, "go on from the folder's checkpoint, if there is one");
  verb.add_option("--seed", g.run.seed, "of weights, data and batches; equal seeds give equal runs")
      ->capture_default_str();
  verb.add_option("--steps", g.steps, "optimiser steps")->check(CLI::Range(1, 100'000'000));
  verb.add_option("--batch", g.batch, "sequences a step, over all ranks")->check(CLI::Range(1, 1'000'000));
  verb.add_option("--length", g.length, "steps that gradients flow through")->check(CLI::Range(1, 1'000'000));
  verb.add_option("--carry", g.carry, "pieces of that length for which state is carried on")
      ->check(CLI::Range(0, 1'000'000));
  verb.add_option("--warm-up", g.warm_up, "steps of a fresh stream that are not judged")
      ->check(CLI::Range(0, 1'000'000));
  verb.add_option("--rate", g.rate, "largest learning rate")->check(CLI::PositiveNumber);
  verb.add_option("--schedule", g.schedule, "of the rate")
      ->check(CLI::IsMember(std::vector<std::string>(train::kScheduleNames.begin(), train::kScheduleNames.end())));
  verb.add_option("--rate-warm-up", g.rate_warm_up, "steps until the rate is reached")->check(CLI::Range(0, 1'000'000));
  verb.add_option("--decay", g.decay, "weight decay of matrices")->check(CLI::NonNegativeNumber);
  verb.add_option("--clip", g.clip, "largest norm of a gradient; 0: any")->check(CLI::NonNegativeNumber);
  verb.add_option("--loss", g.loss, "squared, absolute, huber:WIDTH, cross_entropy, or a sum: squared+0.1*absolute");
  verb.add_option("--validate-every", g.validate_every, "steps between looks at held-out data")
      ->check(CLI::Range(1, 100'000'000));
  verb.add_option("--patience", g.patience, "looks without progress before the run ends; 0: never")
      ->check(CLI::Range(0, 1'000'000));
  verb.add_option("--checkpoint-every", g.run.checkpoint_every, "steps")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  verb.add_option("--model", g.model, "configuration: JSON, a file of it, or a model whose shape to take");
  verb.add_option("--init", g.run.init, "a model whose weights to start from")->type_name("FILE");
  verb.add_option("--block", g.block, "kind of all blocks: s4d, mamba, gru, lstm, attention, selective");
  verb.add_option("--layers", g.layers, "number of blocks, all like the first")->check(CLI::Range(1, 1024));
  verb.add_option("--width", g.width, "width of the residual stream")->check(CLI::Range(1, 1 << 14));
  verb.add_option("--threads", g.run.threads, "of each process; 0: the machine's cores, shared by local ranks")
      ->check(CLI::Range(0, 1024));
  verb.add_option("--ranks", g.run.peers.ranks, "processes; alone: all of them on this machine")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb.add_option("--rank", g.rank, "which of them this is")->check(CLI::Range(0, 1023));
  verb.add_option("--rendezvous", g.rendezvous, "where rank 0 listens")->type_name("HOST:PORT");
}

void apply(const Given& given, train::TrainerOptions& o) {
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

void apply(const Given& given, ModelConfig& config) {
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

std::string command_of(const std::vector<std::string>& arguments) {
  std::string command = "elastane";
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--rendezvous" && i + 1 < arguments.size() && arguments[i + 1].starts_with("127.0.0.1:")) {
      i += 3;  // its value, and the rank
      continue;
    }
    const bool plain = arguments[i].find_first_of(" '\"{}$*;&|<>()\\") == std::string::npos && !arguments[i].empty();
    command += plain ? " " + arguments[i] : " '" + arguments[i] + "'";
  }
  return command;
}

}  // namespace elastane::app
