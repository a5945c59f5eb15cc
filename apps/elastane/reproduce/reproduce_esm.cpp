// elastane reproduce esm: every world of the poster, then its table.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <stdexcept>

#include "apps/elastane/reproduce/esm_curve.h"
#include "apps/elastane/reproduce/esm_poster.h"
#include "apps/elastane/reproduce/reproduce.h"
#include "command_line/commit.h"
#include "lab/registry.h"

namespace elastane::app {
namespace {

struct World {
  const char* benchmark;
  const char* title;
  int episodes;        // of each seed: what a few minutes allow, and what a difference of .02 wants
  bool curve = false;  // its grid is played as well: success against compute
};
constexpr World kWorlds[] = {
    {"maze", "Mazes of 15 × 15", 1024, true},
    {"maze_21", "Mazes of 21 × 21, nothing re-trained", 256},
    {"maze_27", "Mazes of 27 × 27, nothing re-trained", 256, true},
    {"protein_loop", "Protein loops", 64},
};
constexpr int kCurveEpisodes = 256;  // of each seed and training

// a journal for each world: its name goes before the ending
std::string journal_of(const std::string& journal, const std::string& world) {
  if (journal.empty()) return "";
  const std::size_t dot = journal.rfind(".jsonl");
  return dot == journal.npos ? journal + "-" + world : journal.substr(0, dot) + "-" + world + journal.substr(dot);
}

struct Found {
  Judged judged;
  std::vector<CurvePoint> curve;
};

double transformer_macs(const Found& found) {
  const auto& rows = found.judged.rows;
  const auto at = std::ranges::find(rows, kPosterTransformer, [](const benchmark::Row& r) { return r.card.name; });
  return at == rows.end() ? std::numeric_limits<double>::quiet_NaN() : at->macs;
}

std::string curves(const std::map<std::string, Found>& worlds) {
  std::string text;
  for (const World& world : kWorlds) {
    const Found& found = worlds.at(world.benchmark);
    if (found.curve.empty()) continue;
    text += fmt::format("\n{}:\n\n{}", world.title, curve_table(found.curve, transformer_macs(found)));
  }
  if (text.empty()) return text;
  return "\nSuccess against compute: ESM trained with other prices of a micro-step, every price with several seeds; "
         "compute over\nthe Transformer's.\n" +
         text;
}

std::string figure(const std::map<std::string, Found>& worlds) {
  std::vector<Curve> drawn;
  for (const World& world : kWorlds) {
    const Found& found = worlds.at(world.benchmark);
    if (!found.curve.empty()) drawn.push_back({world.title, found.curve, &found.judged.rows});
  }
  return curve_figure(drawn);
}

std::string poster(const std::map<std::string, Found>& worlds, const std::vector<PosterRow>& rows) {
  std::string text =
      "The poster's table. Maze success: the goal is reached within 3 times the shortest way. Δ energy: what is left "
      "at "
      "the\nend, over the plain SSM's. Compute: counted multiply-adds of a step, gate and solve included, over the "
      "Transformer's;\nmean of both worlds, then each. *Published* figures are the poster's, of its own worlds.\n\n";
  text += poster_table(rows) + "\nMaze success if the way may be longer or must be shorter:\n\n" + within_table(rows);
  text += "\nCompute of an episode:\n\n" + episode_table(rows) + curves(worlds);
  for (const World& world : kWorlds) {
    text += fmt::format("\n## {}\n\n{}", world.title, worlds.at(world.benchmark).judged.tables);
  }
  return text;
}

}  // namespace

int reproduce_esm(const std::string& models, const ReproduceOptions& options) {
  std::map<std::string, Found> worlds;
  for (const World& world : kWorlds) {
    fmt::print(stderr, "{}\n", world.title);
    const auto benchmark = lab::find_benchmark(world.benchmark).open(models).value();
    if (world.curve && benchmark->grid().empty() && !options.figure.empty()) {
      throw std::runtime_error(
          "[reproduce] figure: expected " + models +
          "/maze_prices.safetensors, found none; train it with elastane train maze --network prices");
    }
    ReproduceOptions here = options;
    if (here.episodes == 0) here.episodes = world.episodes;
    here.journal = journal_of(options.journal, world.benchmark);
    Found& found = worlds[world.benchmark];
    found.judged = judge(*benchmark, here);
    if (found.judged.signal != 0) return 128 + found.judged.signal;
    if (!world.curve || benchmark->grid().empty()) continue;
    fmt::print(stderr, "{}: other prices\n", world.title);
    here.grid = true;
    here.episodes = std::min(here.episodes, kCurveEpisodes);
    here.journal = journal_of(options.journal, std::string(world.benchmark) + "_prices");
    const Judged grid = judge(*benchmark, here);
    if (grid.signal != 0) return 128 + grid.signal;
    found.curve = curve_points(grid.records, grid.rows);
  }
  const Judged& maze = worlds.at("maze").judged;
  const std::vector<PosterRow> rows = poster_rows(maze.records, maze.rows, worlds.at("protein_loop").judged.rows);
  const std::string text = poster(worlds, rows);
  fmt::print("{}", text);
  std::fflush(stdout);
  benchmark::RowJson json = poster_json(rows);
  for (const auto& [world, found] : worlds) {
    for (auto& row : curve_json(world, found.curve, transformer_macs(found))) json.push_back(row);
  }
  write_text(options.json, json.dump(1) + "\n");
  if (!options.figure.empty()) write_text(options.figure, figure(worlds));
  write_text(options.markdown,
             fmt::format("# Elastic State Models\n\n`{}`, commit {}, seeds {} to {}\n\n{}", options.command, commit(),
                         options.first_seed, options.first_seed + static_cast<std::uint64_t>(options.seeds) - 1, text));
  return 0;
}

}  // namespace elastane::app
