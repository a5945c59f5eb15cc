#include "lab/esm/poster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "command_line/aligned_table.h"
#include "lab/esm/settings.h"

namespace elastane::esm {
namespace {

using benchmark::Outcome;
using benchmark::Record;
using benchmark::Row;
using benchmark::RowJson;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const Row* find(const std::vector<Row>& rows, const std::string& agent) {
  const auto at = std::ranges::find(rows, agent, [](const Row& r) { return r.card.name; });
  return at == rows.end() ? nullptr : &*at;
}

// of those that are there
double mean_of(double a, double b) {
  if (std::isnan(a)) return b;
  return std::isnan(b) ? a : (a + b) / 2;
}

double over(const Row* row, const Row* unit) {
  return row != nullptr && unit != nullptr ? row->macs / unit->macs : kNone;
}

double figure(const Row* row, double Row::*of) { return row != nullptr ? row->*of : kNone; }

// Regret is the path beyond the shortest, over the shortest. An agent that never arrived walked more than 4 times the
// shortest.
std::vector<Within> within_of(const Record& record) {
  std::vector<Within> all;
  for (const double times : {2.0, 3.0, 4.0}) {
    std::vector<benchmark::Term> terms;
    for (const Outcome& o : record.outcomes) {
      terms.push_back({o.world, 1 + o.regret <= times + 1e-9 ? 1.0 : 0.0});
    }
    all.push_back({times, benchmark::estimate(terms)});
  }
  return all;
}

std::string shown(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "";
}
std::string shown(const benchmark::Estimate& e) {
  return std::isfinite(e.mean) ? fmt::format("{:.3f} ({:.3f} … {:.3f})", e.mean, e.interval.low, e.interval.high) : "";
}
std::string shown_published(double value) { return fmt::format("*{:.2f}*", value); }

}  // namespace

std::vector<PosterRow> poster_rows(const std::vector<Record>& maze_records, const std::vector<Row>& maze,
                                   const std::vector<Row>& loop) {
  std::vector<std::string> agents;
  for (const Row& r : maze) agents.push_back(r.card.name);
  for (const Row& r : loop) {
    if (find(maze, r.card.name) == nullptr) agents.push_back(r.card.name);
  }
  const Row *maze_unit = find(maze, kUnit), *loop_unit = find(loop, kUnit);
  std::vector<PosterRow> rows;
  for (const std::string& agent : agents) {
    PosterRow row{.agent = agent, .maze = find(maze, agent), .loop = find(loop, agent)};
    row.maze_compute = over(row.maze, maze_unit);
    row.loop_compute = over(row.loop, loop_unit);
    row.compute = mean_of(row.maze_compute, row.loop_compute);
    const auto both = [&](double Row::*of) { return mean_of(figure(row.maze, of), figure(row.loop, of)); };
    row.p50_us = both(&Row::p50_us);
    row.mean_depth = both(&Row::mean_depth);
    row.zero_share = both(&Row::idle_share);
    const auto record = std::ranges::find(maze_records, agent, [](const Record& r) { return r.card.name; });
    if (record != maze_records.end()) row.within = within_of(*record);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string poster_table(const std::vector<PosterRow>& rows) {
  app::AlignedTable table{.header = {"agent", "maze success", "Δ energy", "compute", "in mazes", "in loops", "mean K",
                                     "zero", "p50 µs, mazes", "loops"}};
  for (const PosterRow& r : rows) {
    table.rows.push_back(
        {r.agent, r.maze != nullptr ? shown(r.maze->success) : "", r.loop != nullptr ? shown(r.loop->energy_ratio) : "",
         shown(r.compute, 3), shown(r.maze_compute, 3), shown(r.loop_compute, 3), shown(r.mean_depth, 3),
         shown(r.zero_share, 3), shown(figure(r.maze, &Row::p50_us), 1), shown(figure(r.loop, &Row::p50_us), 1)});
    const auto p = std::ranges::find(settings().published, r.agent, &PublishedRow::agent);
    if (p == settings().published.end()) continue;
    table.rows.push_back({"  *published*", shown_published(p->success), shown_published(p->energy),
                          shown_published(p->compute), "", "", "", "", "", ""});
  }
  return table.text();
}

std::string within_table(const std::vector<PosterRow>& rows) {
  app::AlignedTable table{.header = {"agent"}};
  for (const PosterRow& r : rows) {
    if (r.within.empty()) continue;
    auto& cells = table.rows.emplace_back(1, r.agent);
    for (const Within& w : r.within) cells.push_back(shown(w.success));
    if (table.header.size() == 1) {
      for (const Within& w : r.within) table.header.push_back(fmt::format("within {:.0f} ×", w.times));
    }
  }
  return table.text();
}

std::string episode_table(const std::vector<PosterRow>& rows) {
  app::AlignedTable table{.header = {"madds of an episode", "mazes", "deviation", "loops", "deviation"}};
  const auto count = [](double value) { return std::isfinite(value) ? fmt::format("{:.4g}M", value / 1e6) : ""; };
  for (const PosterRow& r : rows) {
    table.rows.push_back({r.agent, count(figure(r.maze, &Row::episode_macs)), count(figure(r.maze, &Row::episode_sd)),
                          count(figure(r.loop, &Row::episode_macs)), count(figure(r.loop, &Row::episode_sd))});
  }
  return table.text();
}

RowJson poster_json(const std::vector<PosterRow>& rows) {
  using benchmark::as_json;
  using benchmark::number_json;
  RowJson json = RowJson::array();
  const benchmark::Estimate none{kNone, {kNone, kNone}};
  for (const PosterRow& r : rows) {
    const benchmark::Estimate& success = r.maze != nullptr ? r.maze->success : none;
    const benchmark::Estimate& energy = r.loop != nullptr ? r.loop->energy_ratio : none;
    RowJson row = {{"agent", r.agent},
                   {"maze_success", number_json(success.mean)},
                   {"maze_ci", as_json(success.interval)},
                   {"energy", number_json(energy.mean)},
                   {"energy_ci", as_json(energy.interval)},
                   {"compute", number_json(r.compute)},
                   {"step_p50_us", number_json(r.p50_us)},
                   {"mean_depth", number_json(r.mean_depth)},
                   {"zero_share", number_json(r.zero_share)},
                   {"maze_compute", number_json(r.maze_compute)},
                   {"loop_compute", number_json(r.loop_compute)}};
    for (const Within& w : r.within) row[fmt::format("maze_within_{:.0f}", w.times)] = number_json(w.success.mean);
    if (r.maze != nullptr) row["maze"] = as_json(*r.maze);
    if (r.loop != nullptr) row["protein_loop"] = as_json(*r.loop);
    json.push_back(std::move(row));
  }
  return json;
}

}  // namespace elastane::esm
