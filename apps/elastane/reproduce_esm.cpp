// elastane reproduce esm: every world of the poster, then its table.
#include <fmt/format.h>

#include <cstdio>
#include <map>

#include "apps/commit.h"
#include "apps/elastane/contests.h"
#include "apps/elastane/esm_poster.h"
#include "apps/elastane/reproduce.h"

namespace elastane::app {
namespace {

struct World {
  const char* contest;
  const char* title;
  int episodes;  // of each seed: what a few minutes allow, and what a difference of .02 wants
};
constexpr World kWorlds[] = {
    {"maze", "Mazes of 15 × 15", 1024},
    {"maze_21", "Mazes of 21 × 21, nothing re-trained", 256},
    {"maze_27", "Mazes of 27 × 27, nothing re-trained", 256},
    {"protein_loop", "Protein loops", 64},
};

// a journal for each world: its name goes before the ending
std::string journal_of(const std::string& journal, const std::string& world) {
  if (journal.empty()) return "";
  const std::size_t dot = journal.rfind(".jsonl");
  return dot == journal.npos ? journal + "-" + world : journal.substr(0, dot) + "-" + world + journal.substr(dot);
}

std::string poster(const std::map<std::string, Judged>& worlds, const std::vector<PosterRow>& rows) {
  std::string text =
      "The poster's table. Maze success: the goal is reached within 3 times the shortest way. Δ energy: what is left "
      "at "
      "the\nend, over the plain SSM's. Compute: counted multiply-adds of a step, gate and solve included, over the "
      "Transformer's;\nmean of both worlds, then each. *Published* figures are the poster's, of its own worlds.\n\n";
  text += poster_table(rows) + "\nMaze success if the way may be longer or must be shorter:\n\n" + within_table(rows);
  text += "\nCompute of an episode:\n\n" + episode_table(rows);
  for (const World& world : kWorlds) {
    const auto at = worlds.find(world.contest);
    if (at != worlds.end()) text += fmt::format("\n## {}\n\n{}", world.title, at->second.tables);
  }
  return text;
}

}  // namespace

int reproduce_esm(const std::string& models, const ReproduceOptions& options) {
  std::map<std::string, Judged> worlds;
  for (const World& world : kWorlds) {
    fmt::print(stderr, "{}\n", world.title);
    const auto contest = open_contest(world.contest, models);
    ReproduceOptions here = options;
    if (here.episodes == 0) here.episodes = world.episodes;
    here.journal = journal_of(options.journal, world.contest);
    Judged judged = judge(*contest, here);
    if (judged.signal != 0) return 128 + judged.signal;
    worlds.emplace(world.contest, std::move(judged));
  }
  const Judged& maze = worlds.at("maze");
  const std::vector<PosterRow> rows = poster_rows(maze.records, maze.rows, worlds.at("protein_loop").rows);
  const std::string text = poster(worlds, rows);
  fmt::print("{}", text);
  std::fflush(stdout);
  write_text(options.json, poster_json(rows).dump(1) + "\n");
  write_text(options.markdown,
             fmt::format("# Elastic State Models\n\n`{}`, commit {}, seeds {} to {}\n\n{}", options.command, commit(),
                         options.first_seed, options.first_seed + static_cast<std::uint64_t>(options.seeds) - 1, text));
  return 0;
}

}  // namespace elastane::app
