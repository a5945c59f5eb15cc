// Maps of the MovingAI benchmarks that nobody was trained on, with walls that change in mid-walk.
//
//   ./dev experiment maze_maps --episodes 512
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "elastane/io/file.h"
#include "lab/maze/benchmark.h"

namespace {

using namespace elastane;
using namespace elastane::maze;

struct Options {
  std::string models = "models", data;
  std::vector<std::string> maps = {"maze-32-32-2", "maze-32-32-4", "room-32-32-4"};
  std::vector<std::string> agents = {"replanner", "esm", "k0", "uniform_1", "uniform_4", "random"};
  int episodes = 512;
  std::uint64_t seed = 1;
  bool unknown = false;
};

std::string text_of(const std::string& path) {
  const MappedFile file = MappedFile::open(path).value();
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

void show(const MazeBenchmark& benchmark, int place, const Options& options) {
  const std::string& name = benchmark.agents()[static_cast<std::size_t>(place)].name;
  if (std::ranges::find(options.agents, name) == options.agents.end()) return;
  const auto player = benchmark.player(place);
  benchmark::Latency latency;
  double within[3] = {}, steps = 0, depth = 0, macs = 0;
  for (int episode = 0; episode < options.episodes; ++episode) {
    const benchmark::Outcome o = player->play(options.seed, episode, latency);
    for (int times = 2; times <= 4; ++times) within[times - 2] += o.regret <= times - 1 ? 1 : 0;
    steps += o.steps;
    depth += o.corrections;
    macs += o.macs;
  }
  fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.1f} | {:.2f} | {:.0f} | {:.1f} |\n", benchmark.name(), name,
             within[0] / options.episodes, within[1] / options.episodes, within[2] / options.episodes,
             steps / options.episodes, depth / steps, macs / steps, latency.quantile(0.5));
}

void run(const Options& options) {
  const std::string folder = options.data + "/movingai";
  if (!std::filesystem::exists(folder)) {
    fmt::print("The maps are not there; skipped. Set ELASTANE_DATA to a folder with movingai/maps and scenarios.\n");
    return;
  }
  const AgentConfigs configs = load_agent_configs(options.models + "/maze.safetensors").value();
  fmt::print(
      "| map | agent | within 2 × | 3 × | 4 × | steps | mean K | madds a step | p50 µs |\n"
      "| --- | --- | --: | --: | --: | --: | --: | --: | --: |\n");
  for (const std::string& name : options.maps) {
    const Grid map = parse_map(text_of(folder + "/maps/" + name + ".map")).value();
    auto scenarios = parse_scenarios(text_of(folder + "/scenarios/" + name + "-random-1.scen")).value();
    const MazeBenchmark benchmark({.configs = configs},
                                  map_episodes(name, map, std::move(scenarios),
                                               {.known = options.unknown ? KnownPlan::nothing : KnownPlan::map}));
    for (int place = 0; place < static_cast<int>(benchmark.agents().size()); ++place) show(benchmark, place, options);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Walks over maps of the MovingAI benchmarks, with walls that change");
  Options options;
  const char* given = std::getenv("ELASTANE_DATA");
  options.data = given != nullptr ? given : "../shared/data";
  app.add_option("--models", options.models, "folder of the weights")->capture_default_str();
  app.add_option("--data", options.data, "folder that holds movingai")->capture_default_str();
  app.add_option("--maps", options.maps, "which")->delimiter(',');
  app.add_option("--agents", options.agents, "who walks")->delimiter(',');
  app.add_option("--episodes", options.episodes, "of every map")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "of what changes")->capture_default_str();
  app.add_flag("--unknown", options.unknown, "walkers do not have the map");
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "maze_maps: {}\n", error.what());
    return 1;
  }
  return 0;
}
