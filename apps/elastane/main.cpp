// elastane: the command line. Exit codes: 0 done, 1 failed (one line on stderr says why), 2 wrong usage.
#include <fmt/core.h>

#include <exception>
#include <string_view>

#include "apps/elastane/play/play.h"
#include "apps/elastane/reproduce/reproduce_verb.h"
#include "apps/elastane/verbs.h"
#include "bench/bench.h"

namespace elastane::app {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  elastane demo                                what the shipped model does\n"
    "  elastane inspect models/lorenz.safetensors   what a model or snapshot file contains\n"
    "  elastane import w.safetensors m.safetensors  a model from weights that PyTorch saved\n"
    "  elastane train series --input load.csv --horizon 24 -o load.safetensors\n"
    "                                               train a forecaster on a table\n"
    "  tail -f load.csv | elastane run --model load.safetensors\n"
    "                                               forecast rows as they arrive\n"
    "  elastane evaluate series --input load.csv --horizon 1,24\n"
    "                                               compare its accuracy with baselines\n"
    "  elastane train lorenz --run runs/lorenz      train a network\n"
    "  elastane bench step --json steps.json        how fast one step is, against LibTorch and the roofline\n"
    "  elastane bench correct --latents 64          how fast a corrected step is, in every metric\n"
    "  elastane reproduce navigation                the paper's table, every agent on the same episodes\n"
    "  elastane play navigation --out page.html     one episode as an animation, agents side by side\n"
    "  elastane trace summarise run.jsonl           what a run's steps cost, and what they gained\n\n"
    "ELASTANE_ISA=sse4|avx2|avx512 forces an instruction set on demo, bench, inspect and run.\n"
    "Exit codes: 0 done, 1 failed (one line says why), 2 wrong usage.";

// verbs that still declare their options to CLI11 themselves
int run_cli11(int count, char** arguments, const std::string& command) {
  CLI::App app("Elastane", "elastane");
  app.require_subcommand(1);
  add_evaluate(app);
  add_run(app);
  add_sample(app);
  add_train(app, command);
  try {
    app.parse(count, arguments);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
}

int run(int count, char** arguments) {
  std::string command = "elastane";
  for (int i = 1; i < count; ++i) command += std::string(" ") + arguments[i];
  start_training(count, arguments);
  const std::string_view verb = count > 1 ? arguments[1] : "";
  for (const char* other : {"evaluate", "run", "sample", "train"}) {
    if (verb == other) return run_cli11(count, arguments, command);
  }
  command_line::Command program("elastane", "Elastane streams state-space models one step at a time, in microseconds.");
  program.version("elastane " ELASTANE_VERSION).footer(kExamples);
  add_inspect(program);
  bench::add_bench(program);
  add_demo(program);
  program.command("evaluate", "Compare forecast accuracy with baselines");
  add_import(program);
  add_play(program);
  add_reproduce(program);
  program.command("run", "Forecast rows as they arrive: one line out per row in");
  program.command("sample", "Print a sample table: the hourly load of a town whose habits change");
  add_trace(program);
  program.command("train", "Train a model: for a world, or for a table of numbers");
  return command_line::parse_and_run(program, count, arguments);
}

}  // namespace
}  // namespace elastane::app

int main(int count, char** arguments) {
  try {
    return elastane::app::run(count, arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "elastane: {}\n", error.what());
    return 1;
  }
}
