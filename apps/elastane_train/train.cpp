// elastane train WORLD: learns a model, in a folder of its own.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "apps/elastane_train/equivariant_training.h"
#include "apps/elastane_train/given.h"
#include "apps/elastane_train/local_ranks.h"
#include "apps/elastane_train/maze_training.h"
#include "apps/elastane_train/rounds.h"
#include "apps/elastane_train/verbs.h"
#include "elastane/io/file.h"
#include "lab/maze/minds.h"

namespace elastane::app {
namespace {

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
void run_rounds(Given given, const std::vector<std::string>& arguments, const Rounds& rounds) {
  if (given.run.peers.ranks > 1) throw std::runtime_error("[train] expected one rank; what is shown is for all");
  given.run.command = command_of(arguments);
  const std::string output = std::exchange(given.run.output, "");
  std::vector<train::Dataset> shown;
  std::optional<Model> driver;
  std::string judged = "round," + rounds.judged + "\n";
  for (int round = 0; round < rounds.count; ++round) {
    shown.push_back(rounds.show(round, driver ? &*driver : nullptr));
    Task task = rounds.task(shown);
    apply(given, task.options);
    apply(given, task.config);
    RunOptions run = given.run;
    const std::string folder = given.run.folder.empty() ? "runs/" + task.name : given.run.folder;
    run.folder = fmt::format("{}/round-{}", folder, round);
    if (round + 1 == rounds.count) run.output = output;
    if (const int code = run_training(task, run)) throw ExitCode{code};
    given.run.init = run.folder + "/model.safetensors";
    driver = Model::load(given.run.init).value();
    if (!rounds.judge) continue;
    const std::string row = rounds.judge(*driver);
    fmt::print(stderr, "round {}: {} = {}\n", round, rounds.judged, row);
    judged += fmt::format("{},{}\n", round, row);
    write_file(folder + "/rounds.csv", std::as_bytes(std::span(judged))).value();
  }
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
  navigation->callback([=] { run_rounds(*given, arguments, navigation_rounds(*drives, given->run.seed)); });

  auto maze = std::make_shared<MazeOptions>();
  CLI::App* mazes = train->add_subcommand("maze", "Ways through mazes, by imitation of a re-planner");
  add_options(*mazes, *given);
  mazes
      ->add_option("--network", maze->network,
                   "which: map (gate and heads of agents with a map), prices (the gate with other prices), ssm, "
                   "transformer, hybrid, transformer_map")
      ->check(
          CLI::IsMember(std::vector<std::string>{"map", "prices", "ssm", "transformer", "hybrid", "transformer_map"}))
      ->capture_default_str();
  mazes->add_option("--size", maze->size, "which: small, large")
      ->check(CLI::IsMember(std::vector<std::string>{"small", "large"}))
      ->capture_default_str();
  mazes->add_option("--rounds", maze->rounds, "in the first the re-planner walks, then the network")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  mazes->add_option("--walks", maze->walks, "of every round")->check(CLI::Range(32, 1'000'000))->capture_default_str();
  auto map = std::make_shared<MazeRun>();
  mazes->add_option("--price", map->price, "map: lambda, of 10,000 counted multiply-adds")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  mazes->add_option("--method", map->method, "map: how the gate learns: marginal, oracle, gumbel, ponder, act")
      ->check(CLI::IsMember(std::vector<std::string>{"marginal", "oracle", "gumbel", "ponder", "act"}))
      ->capture_default_str();
  mazes->add_option("--only", map->only, "map: one mind alone, which is judged and not stored")
      ->check(CLI::IsMember(
          std::vector<std::string>(std::begin(elastane::maze::kMindNames), std::end(elastane::maze::kMindNames))));
  auto sweep = std::make_shared<PriceSweep>();
  mazes->add_option("--prices", sweep->prices, "prices: those to train with")
      ->delimiter(',')
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  mazes->add_option("--seeds", sweep->seeds, "prices: how many trainings with each")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  mazes->callback([=] {
    const bool prices = maze->network == "prices";
    if (maze->network != "map" && !prices) return run_rounds(*given, arguments, maze_rounds(*maze, given->run.seed));
    map->seed = given->run.seed;
    map->command = command_of(arguments);
    if (mazes->count("--walks") > 0) map->walks = maze->walks;
    if (mazes->count("--rounds") > 0) map->rounds = maze->rounds;
    if (prices) map->output = "maze_prices.safetensors";
    if (!given->run.output.empty()) map->output = given->run.output;
    if (prices) return train_maze_prices(*map, *sweep);
    train_maze(*map);
  });

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
                   "which: ssm, transformer, hybrid; gate for that of a network's corrector, metric for a learned one")
      ->check(CLI::IsMember(std::vector<std::string>{"ssm", "transformer", "hybrid", "gate", "metric"}))
      ->capture_default_str();
  loops->add_option("--lessons", loop->lessons, "passes to learn from")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  loops
      ->add_option("--keep-lessons", loop->kept,
                   "a file: passes are kept there, and read by other trainings of the seed")
      ->type_name("FILE");
  loops->add_option("--follow", loop->follow, "a model that moves the chain; of a gate: the network it works with")
      ->type_name("FILE");
  loops->add_option("--followed", loop->followed, "passes of that")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  loops->add_option("--price", loop->price, "of a thousand multiply-adds, for a gate")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  loops->callback([=] {
    const std::string alone = "protein_loop_" + loop->network + ".safetensors";
    const std::string output = given->run.output.empty() ? alone : given->run.output;
    if (loop->network == "gate") {
      return train_protein_loop_gate(*loop, given->run.seed, command_of(arguments), output);
    }
    if (loop->network == "metric") return train_protein_loop_metric(given->run.seed, command_of(arguments), output);
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
  constexpr std::string_view kTasks[] = {"lorenz", "plant", "navigation", "maze", "peptide", "protein_loop", "network"};
  if (!task.starts_with('-') && std::ranges::find(kTasks, task) == std::end(kTasks)) {
    throw CLI::ValidationError(
        "train", "expected series, network, lorenz, plant, navigation, maze, peptide or protein_loop, found " + task);
  }
}

}  // namespace elastane::app
