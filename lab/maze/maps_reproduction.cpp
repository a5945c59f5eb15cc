#include "lab/maze/maps_reproduction.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "elastane/io/file.h"
#include "lab/data_folder.h"
#include "lab/maze/benchmark.h"
#include "lab/maze/map_file.h"

namespace elastane::maze {
namespace {

struct Options {
  std::string models = "models", data = lab::data_folder();
  std::vector<std::string> maps = {"maze-32-32-2", "maze-32-32-4", "room-32-32-4"};
  std::vector<std::string> agents = {"replanner", "esm", "k0", "uniform_1", "uniform_4", "random"};
  int episodes = 512;
  std::uint64_t seed = 1;
  bool unknown = false;
};

void print_row(const MazeBenchmark& benchmark, int agent, const Options& options) {
  const auto player = benchmark.player(agent);
  benchmark::Latency latency;
  double within[3] = {}, steps = 0, depth = 0, macs = 0;
  for (int episode = 0; episode < options.episodes; ++episode) {
    const benchmark::Outcome o = player->play(options.seed, episode, latency);
    for (int times = 2; times <= 4; ++times) within[times - 2] += o.regret <= times - 1 ? 1 : 0;
    steps += o.steps;
    depth += o.corrections;
    macs += o.macs;
  }
  fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.1f} | {:.2f} | {:.0f} | {:.1f} |\n", benchmark.name(),
             benchmark.agents()[static_cast<std::size_t>(agent)].name, within[0] / options.episodes,
             within[1] / options.episodes, within[2] / options.episodes, steps / options.episodes, depth / steps,
             macs / steps, latency.quantile(0.5));
}

void run_map(const std::string& name, const std::string& folder, const AgentConfigs& configs, const Options& options) {
  const Grid map = parse_map(text_of(folder + "/maps/" + name + ".map")).value();
  auto scenarios = parse_scenarios(text_of(folder + "/scenarios/" + name + "-random-1.scen")).value();
  const KnownPlan known = options.unknown ? KnownPlan::nothing : KnownPlan::map;
  const MazeBenchmark benchmark({.configs = configs}, map_episodes(name, map, std::move(scenarios), {.known = known}));
  for (int agent = 0; agent < static_cast<int>(benchmark.agents().size()); ++agent) {
    const std::string& agent_name = benchmark.agents()[static_cast<std::size_t>(agent)].name;
    if (std::ranges::find(options.agents, agent_name) != options.agents.end()) print_row(benchmark, agent, options);
  }
}

int run(const Options& options) {
  const std::string folder = options.data + "/movingai";
  if (!std::filesystem::exists(folder)) {
    throw std::runtime_error("[data] expected movingai/maps and movingai/scenarios in " +
                             (options.data.empty() ? "a folder of public data" : options.data) +
                             ", found none; give --data DIR or set ELASTANE_DATA");
  }
  const AgentConfigs configs = load_agent_configs(options.models + "/maze.safetensors").value();
  fmt::print(
      "| map | agent | within 2 × | 3 × | 4 × | steps | mean K | multiply-adds per step | p50 µs |\n"
      "| --- | --- | --: | --: | --: | --: | --: | --: | --: |\n");
  for (const std::string& name : options.maps) run_map(name, folder, configs, options);
  return 0;
}

void declare(command_line::Command& reproduce) {
  auto options = std::make_shared<Options>();
  reproduce.option("--models", options->models, "folder of the weights").type("DIR");
  reproduce.option("--data", options->data, "folder of public data with movingai (default: $ELASTANE_DATA)")
      .type("DIR")
      .hide_default();
  reproduce.option("--maps", options->maps, "names of the maps").type("NAMES");
  reproduce.option("--agents", options->agents, "agents to run").type("NAMES");
  reproduce.option("--episodes", options->episodes, "per map").range(1, 1'000'000);
  reproduce.option("--seed", options->seed, "of the changes");
  reproduce.flag("--unknown", options->unknown, "agents do not have the map");
  reproduce.footer("Example:\n  elastane reproduce maze_maps --maps room-32-32-4 --episodes 64");
  reproduce.action([options] { return run(*options); });
}

}  // namespace

lab::Reproduction maps_reproduction() {
  return {.name = "maze_maps",
          .what = "Maps of the MovingAI benchmarks with walls that change",
          .cost = "1 minute",
          .declare = declare};
}

}  // namespace elastane::maze
