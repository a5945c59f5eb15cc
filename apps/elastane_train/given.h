// What a user says about a training run, whatever it is for; what is left unsaid stays as the task has it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/elastane_train/train_run.h"

namespace elastane::app {

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

void add_options(CLI::App& verb, Given& given);

void apply(const Given& given, train::TrainerOptions& options);
void apply(const Given& given, ModelConfig& config);

// "HOST:PORT"
void read_rendezvous(const std::string& text, train::PeersOptions& peers);

// what repeats the run; how local ranks find each other is no part of it
std::string command_of(const std::vector<std::string>& arguments);

}  // namespace elastane::app
