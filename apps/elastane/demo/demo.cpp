// elastane demo: a shipped model in a world that changes in mid-stream, frozen and corrected.
#include "apps/elastane/demo/demo.h"

#include "apps/elastane/verbs.h"

namespace elastane::app {

void add_demo(CLI::App& app) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* verb = app.add_subcommand("demo", "Stream a shipped model through a world that changes");
  verb->add_option("WORLD", options->world, "circuit, reactor or lorenz")
      ->check(CLI::IsMember({"circuit", "reactor", "lorenz"}))
      ->capture_default_str();
  verb->add_option("--model", options->model, "its model (default: models/WORLD.safetensors)");
  verb->add_option("--steps", options->steps, "steps to stream")
      ->check(CLI::Range(4000, 10'000'000))
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "of the world and its noise")->capture_default_str();
  verb->add_option("--report", options->report, "circuit, reactor: also write this page, for a browser")
      ->type_name("HTML");
  verb->add_option("--figure", options->figure, "also draw it to this file")->type_name("SVG");
  verb->add_option("--trace", options->trace,
                   "write what every correction did to this file (elastane trace summarize)");
  verb->footer(
      "Examples:\n  elastane demo --report circuit.html\n  elastane demo reactor --seed 3\n"
      "  elastane demo lorenz --figure lorenz.svg --trace steps.jsonl");
  verb->callback([options] {
    if (options->model.empty()) options->model = "models/" + options->world + ".safetensors";
    options->world == "lorenz" ? demo_lorenz(*options) : demo_plant(*options);
  });
}

}  // namespace elastane::app
