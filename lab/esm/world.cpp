#include "lab/esm/world.h"

#include "lab/esm/reproduce.h"
#include "lab/esm/settings.h"
#include "lab/registry.h"

namespace elastane::esm {

lab::World world() {
  const auto options = std::make_shared<EsmOptions>();
  lab::Reproduction table{.name = "esm",
                          .what = "Elastic State Models: mazes and protein loops joined agent by agent",
                          .cost = "40 minutes"};
  table.declare = [options](command_line::Command& command) {
    benchmark::declare(command, options->run, "1024, 256, 256, 64 of its four worlds");
    command.option("--models", options->models, "folder of the weights").type("DIR");
    command.option("--figure", options->figure, "draw success against compute to this file, as SVG").type("FILE");
    command.action([options, &command] {
      options->run.command = command.line();
      return reproduce(*options);
    });
  };
  table.training = [options] {
    std::vector<std::vector<std::string>> calls;
    for (const std::string& name : {settings().success_of, settings().energy_of}) {
      for (auto& call : lab::find_benchmark(name).training(options->models)) calls.push_back(std::move(call));
    }
    return calls;
  };
  return {.name = "esm", .what = "The table of Elastic State Models", .reproductions = {table}};
}

}  // namespace elastane::esm
