#include "lab/training/commands.h"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

#include "command_line/messages.h"
#include "elastane/io/file.h"
#include "lab/training/local_ranks.h"

namespace elastane::lab {
namespace {

// the command that repeats the run; how local ranks find each other is not part of it
std::string repeatable(const std::vector<std::string>& arguments) {
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

void set_peers(TrainingOptions& options) {
  train::PeersOptions& peers = options.run.peers;
  if (options.rank < 0 || options.rank >= peers.ranks || options.rendezvous.empty()) {
    throw std::runtime_error(
        fmt::format("[ranks] expected --rank 0 to {} and --rendezvous HOST:PORT", peers.ranks - 1));
  }
  peers.rank = options.rank;
  read_rendezvous(options.rendezvous, peers);
  options.run.local_ranks = peers.host == "127.0.0.1" || peers.host == "localhost";
}

std::string folder_of(const TrainingOptions& options, const TrainingTask& task) {
  return options.run.folder.empty() ? "runs/" + task.name : options.run.folder;
}

}  // namespace

TrainingCommands::TrainingCommands(command_line::Command& train, std::vector<std::string> arguments,
                                   std::string version, std::string commit)
    : train_(train),
      arguments_(std::move(arguments)),
      record_{.command = repeatable(arguments_), .version = std::move(version), .commit = std::move(commit)} {}

command_line::Command& TrainingCommands::add(std::string name, std::string what) {
  return train_.command(std::move(name), std::move(what));
}

int TrainingCommands::run(TrainingOptions options, const std::function<TrainingTask()>& make) const {
  const int ranks = options.run.peers.ranks;
  if (ranks > 1 && options.rank < 0 && options.rendezvous.empty()) return run_local_ranks(ranks, arguments_);
  if (ranks > 1) set_peers(options);
  TrainingTask task = make();
  apply(options, task.options);
  apply(options, task.config);
  options.run.folder = folder_of(options, task);
  options.run.record = record_;
  return run_training(task, options.run);
}

int TrainingCommands::run(TrainingOptions options, const TrainingRounds& rounds) const {
  options.run.record = record_;
  const std::string output = std::exchange(options.run.output, "");
  std::vector<train::Dataset> examples;
  std::optional<Model> actor;
  std::string scores = "round," + rounds.scores + "\n";
  for (int round = 0; round < rounds.count; ++round) {
    examples.push_back(rounds.gather(round, actor ? &*actor : nullptr));
    TrainingTask task = rounds.task(examples);
    apply(options, task.options);
    apply(options, task.config);
    RunOptions run = options.run;
    const std::string folder = folder_of(options, task);
    run.folder = fmt::format("{}/round-{}", folder, round);
    if (round + 1 == rounds.count) run.output = output;
    if (const int code = run_training(task, run)) return code;
    options.run.init = run.folder + "/model.safetensors";
    actor = Model::load(options.run.init).value();
    if (!rounds.score) continue;
    const std::string row = rounds.score(*actor);
    command_line::print_stderr("round {}: {} = {}\n", round, rounds.scores, row);
    scores += fmt::format("{},{}\n", round, row);
    write_file(folder + "/rounds.csv", std::as_bytes(std::span(scores))).value();
  }
  return 0;
}

}  // namespace elastane::lab
