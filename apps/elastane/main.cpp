// elastane: the command line. Exit codes: 0 done, 1 could not be done (one line on stderr says why), 2 wrong usage.
#include <fmt/core.h>

#include <cstdlib>
#include <exception>
#include <string_view>

#include "apps/elastane/play/play.h"
#include "apps/elastane/reproduce/reproduce_verb.h"
#include "apps/elastane/verbs.h"

namespace elastane::app {

Isa asked_isa() {
  const char* asked = std::getenv("ELASTANE_ISA");
  return asked == nullptr || *asked == '\0' ? Isa::automatic : parse_isa(asked).value();
}

}  // namespace elastane::app

int main(int count, char** arguments) {
  CLI::App app("Elastane streams state-space models one step at a time, in microseconds.", "elastane");
  app.set_version_flag("--version", "elastane " ELASTANE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  elastane demo                                what the shipped model does\n"
      "  elastane inspect models/lorenz.safetensors   what a model or snapshot file holds\n"
      "  elastane import w.safetensors m.safetensors  a model of weights that PyTorch saved\n"
      "  elastane train series --input load.csv --horizon 24 -o load.safetensors\n"
      "                                               learn a forecaster from a table\n"
      "  tail -f load.csv | elastane run --model load.safetensors\n"
      "                                               forecast rows as they come\n"
      "  elastane evaluate series --input load.csv --horizon 1,24\n"
      "                                               how good it is, against what else one could do\n"
      "  elastane train lorenz --run runs/lorenz      learn a network\n"
      "  elastane bench step --json steps.json        how fast one step is, against LibTorch and the roofline\n"
      "  elastane bench correct --latents 64          how fast a corrected step is, in every metric\n"
      "  elastane reproduce navigation                the paper's table, every agent on the same episodes\n"
      "  elastane play navigation --out page.html     one episode as an animation, agents side by side\n"
      "  elastane trace summarize run.jsonl           what a run's steps spent, and what it bought\n\n"
      "ELASTANE_ISA=sse4|avx2|avx512 forces an instruction set on demo, bench, inspect and run.\n"
      "Exit codes: 0 done, 1 could not be done (one line says why), 2 wrong usage.");
  elastane::app::add_inspect(app);
  elastane::app::add_bench(app);
  elastane::app::add_demo(app);
  elastane::app::add_evaluate(app);
  elastane::app::add_import(app);
  elastane::app::add_run(app);
  elastane::app::add_sample(app);
  elastane::app::add_trace(app);
  std::string command = "elastane";
  for (int i = 1; i < count; ++i) command += std::string(" ") + arguments[i];
  // verbs that declare their options through command_line
  elastane::command_line::Command program("elastane", "");
  elastane::app::add_play(program);
  elastane::app::add_reproduce(program);
  app.add_subcommand("play", "One episode of a world as an animation, in a page for a browser");
  app.add_subcommand("reproduce", "The tables of papers and experiments, by name");
  elastane::app::add_train(app, command);
  try {
    const std::string_view verb = count > 1 ? arguments[1] : "";
    if (verb == "play" || verb == "reproduce") return elastane::command_line::parse_and_run(program, count, arguments);
    elastane::app::start_training(count, arguments);
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "elastane: {}\n", error.what());
    return 1;
  }
}
