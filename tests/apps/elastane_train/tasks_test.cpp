// apps/elastane_train/tasks.h: every task of `elastane train` takes the options that it uses, and refuses all others.
#include "apps/elastane_train/tasks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace elastane::app {
namespace {

using Names = std::set<std::string>;

// every option of every task, with a value that is valid everywhere; "" for a flag
const std::map<std::string, std::string> kValues = {
    // of any training of a network
    {"--run", "folder"},
    {"--output", "model.safetensors"},
    {"--resume", ""},
    {"--checkpoint-every", "10"},
    {"--threads", "1"},
    {"--seed", "3"},
    {"--steps", "10"},
    {"--batch", "4"},
    {"--length", "16"},
    {"--carry", "2"},
    {"--warm-up", "1"},
    {"--validate-every", "5"},
    {"--patience", "2"},
    {"--rate", "0.01"},
    {"--schedule", "cosine"},
    {"--rate-warm-up", "5"},
    {"--decay", "0.1"},
    {"--clip", "1"},
    {"--loss", "squared"},
    {"--model", "model.json"},
    {"--init", "model.safetensors"},
    {"--block", "gru"},
    {"--layers", "1"},
    {"--width", "8"},
    {"--ranks", "2"},
    {"--rank", "0"},
    {"--rendezvous", "host:1234"},
    // of single tasks
    {"--network", ""},  // the table says which
    {"--input", "table.csv"},
    {"--target", "a,b"},
    {"--exogenous", "c"},
    {"--horizon", "3"},
    {"--learn", "0.5"},
    {"--held-out", "0.1"},
    {"--paths", "4"},
    {"--path-steps", "100"},
    {"--plant", "reactor"},
    {"--nominal", ""},
    {"--runs", "5"},
    {"--sites", "2"},
    {"--sites-seed", "2"},
    {"--rounds", "2"},
    {"--drives", "32"},
    {"--transformer", ""},
    {"--walks", "32"},
    {"--size", "small"},
    {"--price", "0.1"},
    {"--method", "oracle"},
    {"--only", "esm"},
    {"--prices", "0,1"},
    {"--seeds", "2"},
    {"--examples", "5"},
    {"--keep-examples", "file"},
    {"--follow", "model.safetensors"},
    {"--followed", "2"},
    {"--corrected", ""},
    {"--context", "128"},
    {"--onto", "model.safetensors"},
    {"--practice", ""},
    {"--rotary-base", "100"},
    {"--twice", "recall"},
    {"--shortest", "64"},
    {"--prompts", "64"},
    {"--pooling", "mean"},
    {"--position", "front"},
    {"--epsilon", "0.1"},
    {"--most-full", "2"},
    {"--first-temperature", "1"},
    {"--last-temperature", "1"},
    {"--multiplier-rate", "0.1"},
    {"--sequences", "4"},
    {"--tests", "4"},
    {"--exhaustive", "1"},
    {"--sink", "0"},
    {"--local", "16"},
    {"--journal", "journal.jsonl"},
    {"--part", "router"},
    {"--setting", "any"},
    {"--task", "mqar"},
    {"--stack", "ssm_delta32"},
    {"--pairs", "8"},
    {"--vocabulary", "64"},
    {"--enough", "0.9"},
    {"--depth", "8"},
    {"--sizes", "8"},
    {"--episodes", "4"},
    {"--data", "folder"},
    {"--lipschitz", "0.5"},
    {"--curriculum", ""},
    {"--equal", "compute"},
    {"--on-validation", ""},
    {"--first-episode", "7"},
};
// words that differ between tasks
const std::map<std::pair<std::string, std::string>, std::string> kTaskValues = {{{"frost", "--task"}, "parity"},
                                                                                {{"frost", "--method"}, "tied"},
                                                                                {{"images", "--task"}, "digits"},
                                                                                {{"images", "--method"}, "tied"},
                                                                                {{"text", "--stack"}, "delta"}};
// options that are accepted only together with another one
const std::map<std::string, std::string> kNeeded = {
    {"--rank", "--ranks"}, {"--rendezvous", "--ranks"}, {"--followed", "--follow"}, {"--corrected", "--follow"}};

const Names kOneProcess = {"--run",      "--output", "--resume",   "--checkpoint-every",
                           "--threads",  "--seed",   "--steps",    "--batch",
                           "--length",   "--carry",  "--warm-up",  "--validate-every",
                           "--patience", "--rate",   "--schedule", "--rate-warm-up",
                           "--decay",    "--clip",   "--loss",     "--model",
                           "--init",     "--block",  "--layers",   "--width"};

Names operator+(Names a, const Names& b) {
  a.insert(b.begin(), b.end());
  return a;
}

const Names kAny = kOneProcess + Names{"--ranks", "--rank", "--rendezvous"};

struct Row {
  std::string task, network;  // network: "" where there is no such choice; of a router: its method
  Names used;                 // the others are refused
};

const Names kMazeNetwork = kOneProcess + Names{"--network", "--rounds", "--walks", "--size"};
const Names kPeptideNetwork = kAny + Names{"--network", "--examples", "--follow", "--followed", "--corrected"};
const Names kLoopNetwork = kAny + Names{"--network", "--examples", "--keep-examples", "--follow", "--followed"};

// of every method of a router; what a method does not use is refused
const Names kStatic = {"--model", "--method", "--seed",          "--threads", "--length", "--sequences", "--sink",
                       "--local", "--tests",  "--on-validation", "--journal", "--part",   "--setting"};
const Names kTrained = kStatic + Names{"--pooling", "--output", "--steps", "--rate"};
const Names kDrawn = kTrained + Names{"--first-temperature", "--last-temperature"};

const std::vector<Row> kTable = {
    {"recall", "",
     kAny +
         Names{"--size", "--context", "--shortest", "--prompts", "--onto", "--practice", "--twice", "--rotary-base"}},
    {"router", "examples", kTrained + Names{"--position", "--epsilon", "--most-full"}},
    {"router", "paper", kDrawn + Names{"--position", "--multiplier-rate"}},
    {"router", "released", kDrawn + Names{"--position", "--multiplier-rate"}},
    {"router", "price", kDrawn + Names{"--position", "--price"}},
    {"router", "static", kStatic + Names{"--exhaustive"}},
    {"frost",
     "",
     {"--task", "--method", "--seed", "--steps", "--batch", "--rate", "--depth", "--sizes", "--episodes",
      "--first-episode", "--journal", "--part", "--output"}},
    {"images",
     "",
     {"--task", "--method", "--data", "--seed", "--steps", "--batch", "--rate", "--width", "--lipschitz", "--tests",
      "--journal", "--part", "--output"}},
    {"associations",
     "",
     {"--task", "--stack", "--pairs", "--vocabulary", "--steps", "--batch", "--rate", "--enough", "--tests", "--seed",
      "--threads", "--journal", "--output", "--patience", "--curriculum"}},
    {"text",
     "",
     {"--stack", "--equal", "--context", "--steps", "--batch", "--rate", "--seed", "--on-validation", "--threads",
      "--journal"}},
    {"language", "", kAny + Names{"--context"}},
    {"language_router", "examples", kTrained + Names{"--epsilon", "--most-full"}},
    {"language_router", "paper", kDrawn + Names{"--multiplier-rate"}},
    {"language_router", "released", kDrawn + Names{"--multiplier-rate"}},
    {"language_router", "price", kDrawn + Names{"--price"}},
    {"language_router", "static", kStatic + Names{"--exhaustive"}},
    {"network", "", kAny + Names{"--input", "--target", "--exogenous", "--horizon", "--learn", "--held-out"}},
    {"lorenz", "", kAny + Names{"--paths", "--path-steps"}},
    {"plant", "", kAny + Names{"--plant", "--nominal", "--runs"}},
    {"navigation", "", kOneProcess + Names{"--sites", "--sites-seed", "--rounds", "--drives", "--transformer"}},
    {"maze", "map", {"--network", "--seed", "--output", "--rounds", "--walks", "--price", "--method", "--only"}},
    {"maze", "prices", {"--network", "--output", "--rounds", "--walks", "--method", "--prices", "--seeds"}},
    {"maze", "ssm", kMazeNetwork},
    {"maze", "transformer", kMazeNetwork},
    {"maze", "hybrid", kMazeNetwork},
    {"maze", "transformer_map", kMazeNetwork},
    {"peptide", "policy", kPeptideNetwork},
    {"peptide", "greedy", kPeptideNetwork},
    {"peptide", "transformer", kPeptideNetwork},
    {"peptide",
     "equivariant",
     {"--network", "--seed", "--output", "--steps", "--batch", "--rate", "--init", "--examples", "--follow",
      "--followed"}},
    {"protein_loop", "ssm", kLoopNetwork},
    {"protein_loop", "transformer", kLoopNetwork},
    {"protein_loop", "hybrid", kLoopNetwork},
    {"protein_loop", "gate", {"--network", "--seed", "--output", "--follow", "--followed", "--price"}},
    {"protein_loop", "metric", {"--network", "--seed", "--output"}},
};

class Tasks : public ::testing::Test {
 protected:
  Tasks() { add_tasks(tasks); }

  // the task with this option, and with what that needs
  command_line::Parsed parse(const Row& row, const std::string& option) {
    std::vector<std::string> words = {"train", row.task};
    const auto add = [&](const std::string& name, const std::string& value) {
      words.push_back(name);
      if (!value.empty()) words.push_back(value);
    };
    const bool routes = row.task == "router" || row.task == "language_router";
    const std::string choice = routes ? "--method" : "--network";
    if (!row.network.empty()) add(choice, row.network);
    if (row.task == "network" && option != "--input") add("--input", "table.csv");
    if (routes && option != "--model") add("--model", "model.safetensors");
    if (const auto needed = kNeeded.find(option); needed != kNeeded.end() && row.used.contains(needed->second)) {
      add(needed->second, kValues.at(needed->second));
    }
    const auto own = kTaskValues.find({row.task, option});
    if (option != choice) add(option, own != kTaskValues.end() ? own->second : kValues.at(option));
    return command_line::parse(program, words);
  }

  command_line::Command program{"elastane", "Training"};
  command_line::Command& train = program.command("train", "Train a model");
  lab::TrainingCommands tasks{train, {"elastane"}, "version", "commit"};
};

TEST_F(Tasks, TakeTheOptionsThatTheyUseAndRefuseAllOthersWithOneLine) {
  for (const Row& row : kTable) {
    for (const auto& [option, value] : kValues) {
      if (option == "--network" && row.network.empty()) continue;
      const command_line::Parsed parsed = parse(row, option);
      const std::string where = row.task + " --network " + row.network + " " + option + ": ";
      if (row.used.contains(option)) {
        EXPECT_NE(parsed.command, nullptr) << where << parsed.text;
        continue;
      }
      EXPECT_EQ(parsed.command, nullptr) << where << "is not used, but accepted";
      EXPECT_EQ(parsed.code, 2) << where;
      EXPECT_EQ(std::ranges::count(parsed.text, '\n'), 1) << where << parsed.text;
      EXPECT_NE(parsed.text.find(option), std::string::npos) << where << parsed.text;
    }
  }
}

TEST_F(Tasks, AreAllInTheTableWithAllTheirOptionsAndNetworks) {
  for (command_line::Command* task : train.commands()) {
    if (task->name() == "series") continue;  // of elastane itself
    Names used;
    for (const Row& row : kTable) {
      if (row.task == task->name()) used = used + row.used;
    }
    EXPECT_FALSE(used.empty()) << task->name();
    for (const command_line::Option* option : task->options()) {
      EXPECT_TRUE(used.contains(option->name())) << task->name() << " " << option->name();
      EXPECT_TRUE(kValues.contains(option->name())) << option->name();
      const bool routes = task->name().ends_with("router");
      if (option->name() != (routes ? "--method" : "--network")) continue;
      for (const std::string& network : option->words()) {
        EXPECT_TRUE(std::ranges::any_of(
            kTable, [&](const Row& row) { return row.task == task->name() && row.network == network; }))
            << task->name() << " " << network;
      }
    }
  }
}

}  // namespace
}  // namespace elastane::app
