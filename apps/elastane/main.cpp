// elastane: the command line. Exit codes: 0 done, 1 failed (one line on stderr says why), 2 wrong usage.
#include <fmt/core.h>

#include <exception>
#include <string>

#include "apps/elastane/play/play.h"
#include "apps/elastane/reproduce/reproduce.h"
#include "apps/elastane/verbs.h"
#include "bench/bench.h"
#include "command_line/messages.h"

namespace elastane::app {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  elastane demo                                what the shipped model does\n"
    "  elastane inspect models/lorenz.safetensors   what a model or snapshot file contains\n"
    "  elastane import w.safetensors m.safetensors  a model from weights that PyTorch saved\n"
    "  elastane check-import m.safetensors --inputs x.npy --outputs y.npy\n"
    "                                               is it what the original computes?\n"
    "  elastane export m.safetensors m.onnx         one step as a graph for ONNX Runtime\n"
    "  elastane train series --input load.csv --horizon 24 -o load.safetensors\n"
    "                                               train a forecaster on a table\n"
    "  tail -f load.csv | elastane run --model load.safetensors\n"
    "                                               forecast rows as they arrive\n"
    "  elastane serve --model load.safetensors      forecast many streams for others, over HTTP\n"
    "  elastane evaluate series --input load.csv --horizon 1,24\n"
    "                                               compare its accuracy with baselines\n"
    "  elastane train lorenz --run runs/lorenz      train a network\n"
    "  elastane bench step --json steps.json        how fast one step is, against LibTorch and the roofline\n"
    "  elastane bench correct --latents 64          how fast a corrected step is, in every metric\n"
    "  elastane reproduce navigation                the paper's table, every agent on the same episodes\n"
    "  elastane play navigation --out page.html     one episode as an animation, agents side by side\n"
    "  elastane trace summarise run.jsonl           what a run's steps cost, and what they gained\n\n"
    "ELASTANE_ISA=sse4|avx2|avx512|neon forces an instruction set on demo, bench, inspect and run.\n"
    "Exit codes: 0 done, 1 failed (one line says why), 2 wrong usage.";

int run(int count, char** arguments) {
  std::string command = "elastane";
  for (int i = 1; i < count; ++i) command += std::string(" ") + arguments[i];
  start_training(count, arguments);
  command_line::Command program("elastane", "Elastane streams state-space models one step at a time, in microseconds.");
  program.version("elastane " ELASTANE_VERSION).footer(kExamples);
  add_inspect(program);
  bench::add_bench(program);
  add_bench_serve(program);
  add_demo(program);
  add_evaluate(program);
  add_export(program);
  add_feed(program);
  add_fleet(program);
  add_import(program);
  add_check_import(program);
  add_play(program);
  add_reproduce(program);
  add_run(program);
  add_sample(program);
  add_serve(program);
  add_studio(program);
  add_trace(program);
  add_train(program, command);
  add_watch(program);
  return command_line::parse_and_run(program, count, arguments);
}

}  // namespace
}  // namespace elastane::app

int main(int count, char** arguments) {
  namespace command_line = elastane::command_line;
  command_line::secure_standard_descriptors();
  try {
    const int code = elastane::app::run(count, arguments);
    if (command_line::flush_stdout() || code != 0) return code;
    command_line::print_stderr("elastane: [stdout] cannot write; is the disk full?\n");
  } catch (const std::exception& error) {
    command_line::print_stderr("elastane: {}\n", command_line::printable(error.what()));
  }
  return 1;
}
