#include "lab/esm/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <stdexcept>

#include "command_line/commit.h"
#include "command_line/messages.h"
#include "lab/esm/curve.h"
#include "lab/esm/poster.h"
#include "lab/esm/settings.h"
#include "lab/registry.h"

namespace elastane::esm {
namespace {

using benchmark::ReproducedTables;
using benchmark::ReproduceOptions;

// a journal for each world: its name goes before the ending
std::string journal_of(const std::string& journal, const std::string& world) {
  if (journal.empty()) return "";
  const std::size_t dot = journal.rfind(".jsonl");
  return dot == journal.npos ? journal + "-" + world : journal.substr(0, dot) + "-" + world + journal.substr(dot);
}

struct WorldTables {
  ReproducedTables tables;
  std::vector<CurvePoint> curve;
};
using AllTables = std::map<std::string, WorldTables>;  // by benchmark

double unit_macs(const WorldTables& world) {
  const auto& rows = world.tables.rows;
  const auto at = std::ranges::find(rows, kUnit, [](const benchmark::Row& r) { return r.card.name; });
  return at == rows.end() ? std::numeric_limits<double>::quiet_NaN() : at->macs;
}

std::string curves(const AllTables& all) {
  std::string text;
  for (const TableWorld& world : settings().worlds) {
    const WorldTables& found = all.at(world.benchmark);
    if (found.curve.empty()) continue;
    text += fmt::format("\n{}:\n\n{}", world.title, curve_table(found.curve, unit_macs(found)));
  }
  if (text.empty()) return text;
  return "\nSuccess against compute: ESM trained with other prices of a micro-step, every price with several seeds; "
         "compute over\nthe Transformer's.\n" +
         text;
}

std::string figure(const AllTables& all) {
  std::vector<Curve> drawn;
  for (const TableWorld& world : settings().worlds) {
    const WorldTables& found = all.at(world.benchmark);
    if (!found.curve.empty()) drawn.push_back({world.title, found.curve, &found.tables.rows});
  }
  return curve_figure(drawn);
}

std::string poster(const AllTables& all, const std::vector<PosterRow>& rows) {
  std::string text =
      "The poster's table. Maze success: the goal is reached within 3 times the shortest way. Δ energy: what is left "
      "at "
      "the\nend, over the plain SSM's. Compute: counted multiply-adds of a step, gate and solve included, over the "
      "Transformer's;\nmean of both worlds, then each. *Published* figures are the poster's, of its own worlds.\n\n";
  text += poster_table(rows) + "\nMaze success if the way may be longer or must be shorter:\n\n" + within_table(rows);
  text += "\nCompute of an episode:\n\n" + episode_table(rows) + curves(all);
  for (const TableWorld& world : settings().worlds) {
    text += fmt::format("\n## {}\n\n{}", world.title, all.at(world.benchmark).tables.text);
  }
  return text;
}

// runs a benchmark, and its grid where it has a curve; the signal that ended it, or 0
int run(const TableWorld& world, const EsmOptions& options, WorldTables& out) {
  command_line::print_stderr("{}\n", world.title);
  const auto benchmark = lab::find_benchmark(world.benchmark).open(options.models).value();
  const bool curve = world.curve && !benchmark->grid().empty();
  if (world.curve && !curve && !options.figure.empty()) {
    throw std::runtime_error(fmt::format(
        "[reproduce] figure: expected weights of {} for several prices in {}, found none; train them with --train",
        world.benchmark, options.models));
  }
  ReproduceOptions here = options.run;
  if (here.episodes == 0) here.episodes = world.episodes;
  here.journal = journal_of(options.run.journal, world.benchmark);
  out.tables = reproduce_tables(*benchmark, here);
  if (out.tables.signal != 0 || !curve) return out.tables.signal;
  command_line::print_stderr("{}: other prices\n", world.title);
  here.grid = true;
  here.episodes = std::min(here.episodes, settings().curve_episodes);
  here.journal = journal_of(options.run.journal, world.benchmark + "_prices");
  const ReproducedTables grid = reproduce_tables(*benchmark, here);
  if (grid.signal == 0) out.curve = curve_points(grid.records, grid.rows);
  return grid.signal;
}

}  // namespace

int reproduce(const EsmOptions& given) {
  EsmOptions options = given;
  benchmark::choose_journal("esm", options.run);
  AllTables all;
  for (const TableWorld& world : settings().worlds) {
    if (const int signal = run(world, options, all[world.benchmark]); signal != 0) return 128 + signal;
  }
  const ReproducedTables& success = all.at(settings().success_of).tables;
  const std::vector<PosterRow> rows =
      poster_rows(success.records, success.rows, all.at(settings().energy_of).tables.rows);
  const std::string text = poster(all, rows);
  fmt::print("{}", text);
  std::fflush(stdout);

  benchmark::RowJson json = poster_json(rows);
  for (const auto& [name, world] : all) {
    for (auto& row : curve_json(name, world.curve, unit_macs(world))) json.push_back(row);
  }
  const ReproduceOptions& r = options.run;
  benchmark::write_text(r.json, json.dump(1) + "\n");
  if (!options.figure.empty()) benchmark::write_text(options.figure, figure(all));
  benchmark::write_text(r.markdown, fmt::format("# Elastic State Models\n\n`{}`, commit {}, seeds {} to {}\n\n{}",
                                                r.command, command_line::commit(), r.first_seed,
                                                r.first_seed + static_cast<std::uint64_t>(r.seeds) - 1, text));
  return 0;
}

}  // namespace elastane::esm
