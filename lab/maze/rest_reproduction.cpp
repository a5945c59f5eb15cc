#include "lab/maze/rest_reproduction.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "elastane/core/base/clock.h"
#include "elastane/core/base/random.h"
#include "lab/maze/agent_configs.h"
#include "lab/maze/environment.h"
#include "lab/maze/map_agent.h"
#include "lab/maze/oracle_agents.h"
#include "lab/maze/scenario.h"

namespace elastane::maze {
namespace {

struct RestOptions {
  std::string models = "models";
  std::vector<int> sizes = {64, 128, 256, 512};
  int episodes = 4;
  std::uint64_t seed = 1;
};

// a third of the cells are walls at random; a path of some length, which changes
Episode draw_field(int size, std::uint64_t seed) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    Random random(seed + (attempt << 32U), 13ULL << 48U);
    Grid map(size, size, false);
    for (int i = 0; i < map.cells(); ++i) map.set_wall(map.cell(i), random.uniform() < 0.3);
    Episode episode{.plan = map,
                    .before = map,
                    .after = map,
                    .start = {size / 8, size / 8},
                    .goal = {size / 8 + 40, size / 8 + 40}};
    for (Grid* grid : {&episode.plan, &episode.before, &episode.after}) {
      grid->set_wall(episode.start, false);
      grid->set_wall(episode.goal, false);
    }
    measure_shortest(episode);
    if (episode.shortest < kUnreachable) return with_change(episode, {}, seed);
  }
}

struct RestFigures {
  std::vector<double> rest, all;  // µs of steps that take no micro-step, and of all
  double macs = 0, steps = 0, depth = 0, arrived = 0;
};

void play_field(Agent& agent, const Episode& episode, RestFigures& figures) {
  Environment environment(episode);
  agent.begin(episode);
  while (!environment.over()) {
    const Observation observation = environment.observe();
    const double begun = now_micros();
    const int move = agent.act(observation);
    const double took = now_micros() - begun;
    figures.all.push_back(took);
    if (agent.report().depth == 0) figures.rest.push_back(took);
    figures.macs += static_cast<double>(agent.report().total_macs());
    figures.depth += agent.report().depth;
    figures.steps += 1;
    environment.step(move);
  }
  figures.arrived += environment.arrived() ? 1 : 0;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

void print_figures(int size, const std::string& name, const RestFigures& f, int episodes) {
  fmt::print("| {} | {} | {:.2f} | {:.1f} | {:.3f} | {:.2f} | {:.2f} | {:.0f} |\n", size, name, f.arrived / episodes,
             f.steps / episodes, f.depth / f.steps, median_of(f.rest), median_of(f.all), f.macs / episodes);
}

int run_rest(const RestOptions& o) {
  const AgentConfigs configs = load_agent_configs(o.models + "/maze.safetensors").value();
  fmt::print(
      "| cells per side | agent | arrived | steps | mean K | p50 µs at rest | p50 µs | multiply-adds per episode |\n"
      "| --: | --- | --: | --: | --: | --: | --: | --: |\n");
  for (const int size : o.sizes) {
    RestFigures ours, theirs;
    for (int i = 0; i < o.episodes; ++i) {
      const Episode episode = draw_field(size, o.seed + static_cast<std::uint64_t>(i));
      MapAgent agent({size, size, Moves::four}, configs.at("esm"));
      play_field(agent, episode, ours);
      ReplannerAgent replanner;
      play_field(replanner, episode, theirs);
    }
    print_figures(size, "esm", ours, o.episodes);
    print_figures(size, "replanner", theirs, o.episodes);
  }
  return 0;
}

void declare_rest(command_line::Command& reproduce) {
  auto options = std::make_shared<RestOptions>();
  reproduce.option("--models", options->models, "folder of the weights").type("DIR");
  reproduce.option("--sizes", options->sizes, "cells per side").range(64, 1024);
  reproduce.option("--episodes", options->episodes, "per size").range(1, 10'000);
  reproduce.option("--seed", options->seed, "of the first episode");
  reproduce.footer("Example:\n  elastane reproduce maze_rest --sizes 64,128,256,512");
  reproduce.action([options] { return run_rest(*options); });
}

}  // namespace

lab::Reproduction rest_reproduction() {
  return {.name = "maze_rest",
          .what = "A step at rest takes the same time on a map of any size",
          .cost = "1 minute",
          .declare = declare_rest};
}

}  // namespace elastane::maze
