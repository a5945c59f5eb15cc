// elastane demo: a shipped model in a world that changes midway, frozen and corrected.
#include "apps/elastane/demo/demo.h"

#include "apps/elastane/verbs.h"

namespace elastane::app {

void add_demo(command_line::Command& program) {
  auto options = std::make_shared<DemoOptions>();
  command_line::Command& verb = program.command("demo", "Stream a shipped model through a world that changes");
  verb.option("WORLD", options->world, "which world").one_of({"circuit", "reactor", "lorenz"});
  verb.option("--model", options->model, "its model (default: models/WORLD.safetensors)").type("FILE");
  verb.option("--steps", options->steps, "steps to stream").range(4000, 1e7);
  verb.option("--seed", options->seed, "of the world and its noise");
  verb.option("--report", options->report, "also write this page, for a browser")
      .type("HTML")
      .only_with("WORLD", {"circuit", "reactor"});
  verb.option("--json", options->json, "write the rows to this file: phase, frozen, corrected, guarded")
      .type("FILE")
      .only_with("WORLD", {"circuit", "reactor"});
  verb.option("--figure", options->figure, "also draw the result to this file").type("SVG");
  verb.option("--trace", options->trace, "write what every correction did to this file (see elastane trace summarise)")
      .type("FILE");
  verb.footer(
      "Examples:\n  elastane demo --report circuit.html\n  elastane demo reactor --seed 3\n"
      "  elastane demo lorenz --figure lorenz.svg --trace steps.jsonl\n  elastane demo --json demo.json");
  verb.action([options] {
    if (options->model.empty()) options->model = "models/" + options->world + ".safetensors";
    options->world == "lorenz" ? demo_lorenz(*options) : demo_plant(*options);
    return 0;
  });
}

}  // namespace elastane::app
