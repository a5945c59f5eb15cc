// The verbs of the command line, one folder each. A verb throws what the user should read; main prints it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "command_line/asked_isa.h"
#include "command_line/options.h"

namespace elastane::app {

void add_inspect(command_line::Command& program);
void inspect_forecast_model(const std::string& path, std::span<const std::byte> bytes, bool list);
void inspect_forecast_snapshot(const std::string& path, std::span<const std::byte> bytes);
void add_bench_serve(command_line::Command& program);  // to the group that add_bench made
void add_demo(command_line::Command& program);
void add_evaluate(command_line::Command& program);
void add_export(command_line::Command& program);
void add_feed(command_line::Command& program);
void add_fleet(command_line::Command& program);
void add_import(command_line::Command& program);
void add_check_import(command_line::Command& program);
void add_run(command_line::Command& program);
void add_sample(command_line::Command& program);
void add_serve(command_line::Command& program);
void add_studio(command_line::Command& program);
void add_trace(command_line::Command& program);
void add_watch(command_line::Command& program);
void add_train(command_line::Command& program, const std::string& command);  // the command line, for a model's record
void add_train_series(command_line::Command& train, const std::string& command);
void add_evaluate_anomalies(command_line::Command& evaluate);

// becomes elastane-train if the verb is one of its own; else returns
void start_training(int count, char** arguments);
// runs elastane-train with these arguments, and returns when it has ended; throws if it fails
void call_training(std::vector<std::string> arguments);

using command_line::asked_isa;

}  // namespace elastane::app
