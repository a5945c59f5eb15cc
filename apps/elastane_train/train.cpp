// elastane train WORLD: learns a model, in a folder of its own.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <utility>

#include "apps/elastane_train/equivariant_training.h"
#include "apps/elastane_train/local_ranks.h"
#include "apps/elastane_train/train_run.h"
#include "apps/elastane_train/verbs.h"
#include "elastane/io/config_json.h"
#include "elastane/io/model_file.h"

namespace elastane::app {
namespace {

// what the user said; what is unset stays as the task has it
struct Given {
  std::optional<std::int64_t> steps, batch, length, carry, warm_up, rate_warm_up, validate_every, patience;
  std::optional<double> rate, decay, clip;
  std::optional<std::string> loss, schedule, block;
  std::optional<int> layers, width;
  std::string model;
  RunOptions run;
  int rank = -1;
  std::string rendezvous;
};

template <class T>
void take(const std::optional<T>& given, T& option) {
  if (given) option = *given;
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

// what repeats the run; how local ranks find each other is no part of it
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

void run(Given given, const std::vector<std::string>& arguments, const std::function<Task(std::uint64_t)>& make) {
  train::PeersOptions& peers = given.run.peers;
  given.run.command = command_of(arguments);
  if (peers.ranks > 1 && given.rank < 0 && given.rendezvous.empty()) {
    if (const int code = run_local_ranks(peers.ranks, arguments)) throw ExitCode{code};
    return;
  }
  if (peers.ranks > 1) {
    if (given.rank < 0 || given.rank >= peers.ranks || given.rendezvous.empty()) {
      throw std::runtime_error(
          fmt::format("[ranks] expected --rank 0 to {} and --rendezvous HOST:PORT", peers.ranks - 1));
    }
    peers.rank = given.rank;
    read_rendezvous(given.rendezvous, peers);
    given.run.local_ranks = peers.host == "127.0.0.1" || peers.host == "localhost";
  }
  Task task = make(given.run.seed);
  apply(given, task.options);
  apply(given, task.config);
  if (given.run.folder.empty()) given.run.folder = "runs/" + task.name;
  if (const int code = run_training(task, given.run)) throw ExitCode{code};
}

// a round after the other, each in a folder of its own and from the weights of the one before
void run_rounds(Given given, const std::vector<std::string>& arguments, const NavigationOptions& options) {
  if (given.run.peers.ranks > 1) throw std::runtime_error("[train] navigation: expected one rank; drives are shared");
  given.run.command = command_of(arguments);
  const std::string output = std::exchange(given.run.output, "");
  std::vector<train::Dataset> rounds;
  std::optional<Model> driver;
  for (int round = 0; round < options.rounds; ++round) {
    rounds.push_back(navigation_drives(options, given.run.seed, round, driver ? &*driver : nullptr));
    Task task = navigation_task(options, rounds);
    apply(given, task.options);
    apply(given, task.config);
    RunOptions run = given.run;
    run.folder = fmt::format("{}/round-{}", given.run.folder.empty() ? "runs/" + task.name : given.run.folder, round);
    if (round + 1 == options.rounds) run.output = output;
    if (const int code = run_training(task, run)) throw ExitCode{code};
    given.run.init = run.folder + "/model.safetensors";
    driver = Model::load(given.run.init).value();
  }
}

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

}  // namespace

void add_train(CLI::App& app, const std::vector<std::string>& arguments) {
  CLI::App* train = app.add_subcommand("train", "Learn a model: for a world, or for a table of numbers");
  train->require_subcommand(1);
  train->footer(
      "Examples:\n"
      "  elastane train lorenz --run runs/lorenz --seed 7\n"
      "  elastane train lorenz --run runs/lorenz --seed 7 --resume        go on after Ctrl-C\n"
      "  elastane train plant --plant reactor --seed 7 -o reactor.safetensors\n"
      "  elastane train network --input load.csv --block gru --layers 1 --ranks 2\n"
      "  elastane train series --input load.csv --horizon 24 -o load.safetensors   a forecaster that adapts\n\n"
      "Exit codes: 0 done, 1 could not be done, 2 wrong usage, 3 the loss diverged, 4 another rank was lost,\n"
      "130 stopped by Ctrl-C with a checkpoint.");

  auto given = std::make_shared<Given>();
  auto lorenz = std::make_shared<LorenzOptions>();
  CLI::App* world = train->add_subcommand("lorenz", "The Lorenz attractor, 0.1 s ahead, from noisy observations");
  add_options(*world, *given);
  world->add_option("--paths", lorenz->paths, "trajectories to learn from")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  world->add_option("--path-steps", lorenz->steps, "steps of each")
      ->check(CLI::Range(2, 100'000'000))
      ->capture_default_str();
  world->callback([=] { run(*given, arguments, [=](std::uint64_t seed) { return lorenz_task(*lorenz, seed); }); });

  auto plant = std::make_shared<PlantOptions>();
  CLI::App* plants = train->add_subcommand("plant", "A plant in free run, its parameters among the inputs");
  add_options(*plants, *given);
  plants->add_option("--plant", plant->plant, "which: circuit, reactor")
      ->check(CLI::IsMember(std::vector<std::string>{"circuit", "reactor"}))
      ->capture_default_str();
  plants->add_flag("--nominal", plant->nominal, "one plant only, the nominal one, without parameters");
  plants->add_option("--runs", plant->runs, "runs of plants to learn from")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  plants->callback([=] { run(*given, arguments, [=](std::uint64_t seed) { return plant_task(*plant, seed); }); });

  auto drives = std::make_shared<NavigationOptions>();
  CLI::App* navigation = train->add_subcommand("navigation", "Driving home over sites, by imitation of a planner");
  add_options(*navigation, *given);
  navigation->add_option("--sites", drives->sites, "that it is to know")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  navigation->add_option("--sites-seed", drives->sites_seed, "which sites")->capture_default_str();
  navigation->add_option("--rounds", drives->rounds, "in the first the planner drives, then the policy")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  navigation->add_option("--drives", drives->drives, "of every round")
      ->check(CLI::Range(16, 1'000'000))
      ->capture_default_str();
  navigation->add_flag("--transformer", drives->transformer, "the rival: two layers of attention over 128 steps");
  navigation->callback([=] { run_rounds(*given, arguments, *drives); });

  auto peptide = std::make_shared<PeptideOptions>();
  CLI::App* peptides = train->add_subcommand("peptide", "Moves of a peptide under contacts, after an expert");
  add_options(*peptides, *given);
  peptides->add_option("--network", peptide->network, "which: policy, greedy, transformer, equivariant")
      ->check(CLI::IsMember(std::vector<std::string>{"policy", "greedy", "transformer", "equivariant"}))
      ->capture_default_str();
  peptides->add_option("--lessons", peptide->lessons, "episodes of the expert's to learn from")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  peptides->add_option("--follow", peptide->follow, "a model that moves the chain while the expert looks on")
      ->type_name("FILE");
  peptides->add_option("--followed", peptide->followed, "episodes of that")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  peptides->add_flag("--corrected", peptide->corrected, "that model is corrected while it does");
  peptides->callback([=] {
    if (peptide->network == "equivariant") {
      EquivariantRun alone{.seed = given->run.seed, .init = given->run.init, .command = command_of(arguments)};
      take(given->steps, alone.steps);
      take(given->batch, alone.batch);
      take(given->rate, alone.rate);
      if (!given->run.output.empty()) alone.output = given->run.output;
      return train_equivariant(*peptide, alone);
    }
    run(*given, arguments, [=](std::uint64_t seed) { return peptide_task(*peptide, seed); });
  });

  auto loop = std::make_shared<ProteinLoopOptions>();
  CLI::App* loops = train->add_subcommand("protein_loop", "Torsions of a bent protein, after the corrector");
  add_options(*loops, *given);
  loops
      ->add_option("--network", loop->network,
                   "which: ssm, transformer, hybrid; gate for that of a network's corrector")
      ->check(CLI::IsMember(std::vector<std::string>{"ssm", "transformer", "hybrid", "gate"}))
      ->capture_default_str();
  loops->add_option("--lessons", loop->lessons, "passes to learn from")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  loops->add_option("--follow", loop->follow, "a model that moves the chain; of a gate: the network it works with")
      ->type_name("FILE");
  loops->add_option("--followed", loop->followed, "passes of that")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  loops->add_option("--price", loop->price, "of a thousand multiply-adds, for a gate")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  loops->callback([=] {
    if (loop->network == "gate") {
      const std::string output = given->run.output.empty() ? "protein_loop_gate.safetensors" : given->run.output;
      return train_protein_loop_gate(*loop, given->run.seed, command_of(arguments), output);
    }
    run(*given, arguments, [=](std::uint64_t seed) { return protein_loop_task(*loop, seed); });
  });

  auto series = std::make_shared<TableTaskOptions>();
  // listed for --help; elastane does it itself
  train->add_subcommand("series", "A forecaster that adapts, from a table of the past");

  CLI::App* table =
      train->add_subcommand("network", "A network that forecasts columns of a table: .csv, .tsv, .npy, .jsonl");
  add_options(*table, *given);
  table->add_option("--input", series->input, "the table")->required()->type_name("FILE");
  table->add_option("--target", series->targets, "columns to forecast; all, if none is given")->delimiter(',');
  table->add_option("--exogenous", series->exogenous, "columns to see, not to forecast")->delimiter(',');
  table->add_option("--horizon", series->horizon, "rows ahead")->check(CLI::Range(1, 10'000))->capture_default_str();
  table->add_option("--learn", series->learn, "share of the rows to learn from, the first ones")
      ->check(CLI::Range(0.01, 0.99))
      ->capture_default_str();
  table->add_option("--held-out", series->held_out, "share after them to choose and calibrate by")
      ->check(CLI::Range(0.001, 0.99))
      ->capture_default_str();
  table->callback([=] { run(*given, arguments, [=](std::uint64_t) { return table_task(*series); }); });

  // a word that is no task would only be missed as a subcommand
  const std::string task = arguments.size() > 2 && arguments[1] == "train" ? arguments[2] : "-";
  constexpr std::string_view kTasks[] = {"lorenz", "plant", "navigation", "peptide", "protein_loop", "network"};
  if (!task.starts_with('-') && std::ranges::find(kTasks, task) == std::end(kTasks)) {
    throw CLI::ValidationError(
        "train", "expected series, network, lorenz, plant, navigation, peptide or protein_loop, found " + task);
  }
}

}  // namespace elastane::app
