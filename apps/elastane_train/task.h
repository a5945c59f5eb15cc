// Something to train for: what there is to learn from, and a model that suits it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "elastane/train/trainer.h"

namespace elastane::app {

struct Task {
  std::string name;
  ModelConfig config;             // inputs and outputs are given; the rest is a default
  train::TrainerOptions options;  // defaults
  train::Dataset learn, held_out;
  nlohmann::ordered_json description;           // what makes it repeatable, for the run's record
  std::map<std::string, std::string> metadata;  // for the model file
};

// the Lorenz attractor, 0.1 s ahead
struct LorenzOptions {
  int paths = 256, steps = 4000;  // to learn from
};
Task lorenz_task(const LorenzOptions& options, std::uint64_t seed);

// a circuit or a reactor in free run, over plants of many parameters, which are inputs
struct PlantOptions {
  std::string plant = "circuit";
  bool nominal = false;  // always the same plant, and no parameters among the inputs
  int runs = 8192;       // to learn from
};
Task plant_task(const PlantOptions& options, std::uint64_t seed);

// driving home over sites, by imitation, in rounds (rounds.h)
struct NavigationOptions {
  std::uint64_t sites_seed = 1;
  int sites = 16;
  int rounds = 3;
  int drives = 4096;  // of every round
  bool transformer = false;
};

// Ways through mazes, in rounds as well: the networks that a map with a corrector is compared with
struct MazeOptions {
  std::string network = "map";  // map (maze_training.h), ssm, transformer, hybrid, transformer_map
  std::string size = "large";   // small, large: a width of 32 or 64
  int rounds = 8;
  int walks = 4096;  // of every round
};

// moves of a peptide under contacts, as an expert makes them
struct PeptideOptions {
  std::string network = "policy";  // policy, greedy, transformer
  int lessons = 1200;              // episodes of the expert's, to learn from
  std::string follow;              // a model that moves the chain while the expert looks on, or ""
  int followed = 0;                // episodes of that
  bool corrected = false;          // it is corrected while it does
};
Task peptide_task(const PeptideOptions& options, std::uint64_t seed);

// torsions of a protein's window, as the corrector would change them
struct ProteinLoopOptions {
  std::string network = "ssm";  // ssm, transformer, hybrid; gate, metric
  int lessons = 600;            // passes to learn from
  std::string kept;             // a file that keeps them for other trainings with the same seed; "": they are drawn
  std::string follow;           // a model that moves the chain while the corrector looks on, or ""; the gate's network
  int followed = 0;             // passes of that
  double price = 0.02;          // of a thousand multiply-adds, in units of energy, for the gate
};
Task protein_loop_task(const ProteinLoopOptions& options, std::uint64_t seed);
// trains the gate of a network's corrector
void train_protein_loop_gate(const ProteinLoopOptions& options, std::uint64_t seed, const std::string& command,
                             const std::string& output);
// trains a metric of a window's torsions, the same for all windows
void train_protein_loop_metric(std::uint64_t seed, const std::string& command, const std::string& output);

// a table: forecasts of some columns, for the next `horizon` rows
struct TableTaskOptions {
  std::string input;
  std::vector<std::string> targets;    // none: all columns
  std::vector<std::string> exogenous;  // seen, not forecast
  int horizon = 1;
  double learn = 0.7, held_out = 0.15;  // shares of the rows; what is left is for tests
};
Task table_task(const TableTaskOptions& options);

}  // namespace elastane::app
