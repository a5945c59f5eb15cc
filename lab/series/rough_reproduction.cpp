#include "lab/series/rough_reproduction.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "command_line/bar.h"
#include "elastane/io/file.h"
#include "lab/series/quiet_comparison.h"
#include "lab/series/rough_bounds.h"

namespace elastane::series {
namespace {

using Json = nlohmann::ordered_json;

struct Verb {
  RoughComparisonOptions comparison;
  std::vector<std::string> families, kinds;
  std::string json, markdown;
  bool no_simple = false;
};

void write_text_to(const std::string& path, const std::string& text) {
  if (!path.empty()) write_file(path, std::as_bytes(std::span(text))).value();
}

void choose(Verb& verb) {
  verb.comparison.families = families_named(verb.families);
  for (const RoughKind& kind : all_rough_kinds()) {
    const bool is_wanted = verb.kinds.empty() || kind.kind == Rough::none ||
                           std::ranges::find(verb.kinds, name(kind.kind)) != verb.kinds.end();
    if (is_wanted) verb.comparison.kinds.push_back(kind);
  }
}

int run(Verb verb) {
  choose(verb);
  verb.comparison.with_simple = !verb.no_simple;
  command_line::Bar bar;
  verb.comparison.progress = [&](double share, const std::string& doing) { bar.update(share, doing); };
  const std::vector<RoughResult> results = compare_on_rough_streams(verb.comparison);
  bar.clear();
  const std::string table = rough_bounds(results) + "\n" + rough_summary(results), rows = rough_json(results);
  std::fwrite(table.data(), 1, table.size(), stdout);
  write_text_to(verb.json, rows);
  write_text_to(verb.markdown, table);
  return 0;
}

struct QuietVerb {
  QuietOptions options;
  std::vector<std::string> families;
  std::string json, markdown;
};

std::string quiet_json(const std::vector<QuietResult>& results) {
  Json rows = Json::array();
  for (const QuietResult& r : results) {
    rows.push_back({{"family", name(r.family)},
                    {"seed", r.seed},
                    {"horizon", r.horizon},
                    {"learn", r.rows.learn},
                    {"held_out", r.rows.held_out},
                    {"test", r.rows.test},
                    {"corrected", r.corrected},
                    {"frozen", r.frozen},
                    {"coverage", r.coverage}});
  }
  return rows.dump(1) + "\n";
}

int run_quiet(QuietVerb verb) {
  verb.options.families = families_named(verb.families);
  command_line::Bar bar;
  verb.options.progress = [&](double share, const std::string& doing) { bar.update(share, doing); };
  const std::vector<QuietResult> results = compare_on_quiet_streams(verb.options);
  bar.clear();
  const std::string table = quiet_summary(results);
  std::fwrite(table.data(), 1, table.size(), stdout);
  write_text_to(verb.json, quiet_json(results));
  write_text_to(verb.markdown, table);
  return 0;
}

}  // namespace

std::string rough_json(const std::vector<RoughResult>& results) {
  Json rows = Json::array();
  for (const RoughResult& r : results) {
    for (std::size_t p = 0; p < kPhases.size(); ++p) {
      rows.push_back({{"kind", name(r.kind.kind)},
                      {"size", r.kind.size},
                      {"family", name(r.family)},
                      {"seed", r.seed},
                      {"horizon", r.horizon},
                      {"phase", kPhases[p]},
                      {"method", r.method},
                      {"error", r.error[p]},
                      {"best_simple", r.best_simple[p]},
                      {"best_simple_error", r.best_simple_error[p]}});
    }
  }
  return rows.dump(1) + "\n";
}

std::string rough_summary(const std::vector<RoughResult>& results) {
  const RoughRatios ratios(results);
  std::vector<std::pair<RoughKind, int>> cells;
  for (const RoughResult& r : results) {
    const auto is_same = [&](const auto& c) {
      return c.first.kind == r.kind.kind && c.first.size == r.kind.size && c.second == r.horizon;
    };
    if (std::ranges::none_of(cells, is_same)) cells.emplace_back(r.kind, r.horizon);
  }
  std::string text =
      "Median over streams of the squared error over that of today's engine without a disturbance, by phase; shares "
      "of\n"
      "streams at most 1.5 times (rows 0-24), 1.1 times (24-200) and 1.05 times (200-600) as large; share at most 5 %\n"
      "above the best simple method over all rows from 24 on.\n\n"
      "| kind | rows ahead | method | 0-24 | 24-200 | 200-600 | later | worst later | <= 1.5 | <= 1.1 | <= 1.05 | near "
      "simple |\n"
      "| --- | --: | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n";
  std::array<char, 256> line{};
  for (const auto& [kind, horizon] : cells) {
    for (const char* method : {"corrected", "today", "frozen"}) {
      const Ratios r = ratios.of(kind, horizon, method);
      if (r.streams == 0) continue;
      std::snprintf(line.data(), line.size(),
                    "| %s | %d | %s | %.3g | %.3g | %.3g | %.3g | %.3g | %.0f %% | %.0f %% | %.0f %% | %.0f %% |\n",
                    label(kind).c_str(), horizon, method, median(r.of[1]), median(r.of[2]), median(r.of[3]),
                    median(r.of[4]), r.worst(4), r.within(1, 1.5), r.within(2, 1.1), r.within(3, 1.05),
                    100.0 * r.near_simple / std::max(1, r.streams));
      text += line.data();
    }
  }
  return text;
}

void declare_rough_series(command_line::Command& command) {
  auto verb = std::make_shared<Verb>();
  std::vector<std::string> kinds;
  for (int i = 0; i <= static_cast<int>(Rough::noise); ++i) kinds.emplace_back(name(static_cast<Rough>(i)));
  RoughComparisonOptions& o = verb->comparison;
  command.option("--kind", verb->kinds, "what goes wrong (default: everything)").one_of(kinds);
  command.option("--family", verb->families, "laws of the series (default: all)").one_of(family_names());
  command.option("--horizon", o.horizons, "rows ahead").range(1, 10'000);
  command.option("--seeds", o.seeds, "number of streams of each family").range(1, 1000);
  command.option("--first-seed", o.first_seed, "seed of the first stream; settings were tuned on seeds 1 to 3");
  command.flag("--no-simple", verb->no_simple, "leave out the simple methods");
  command.option("--json", verb->json, "also write the rows to this file").type("FILE");
  command.option("--markdown", verb->markdown, "also write the table to this file").type("FILE");
  command.footer("Example:\n  elastane reproduce rough_series --kind spike,jump --seeds 2 --json rows.json");
  command.action([verb] { return run(*verb); });
}

void declare_quiet_series(command_line::Command& command) {
  auto verb = std::make_shared<QuietVerb>();
  QuietOptions& o = verb->options;
  command.option("--family", verb->families, "laws of the series (default: all)").one_of(family_names());
  command.option("--horizon", o.horizons, "rows ahead").range(1, 10'000);
  command.option("--seeds", o.seeds, "number of streams of each family").range(1, 1000);
  command.option("--first-seed", o.first_seed, "seed of the first stream; settings were tuned on seeds 1 to 3");
  command.option("--json", verb->json, "also write the rows to this file").type("FILE");
  command.option("--markdown", verb->markdown, "also write the table to this file").type("FILE");
  command.footer("Example:\n  elastane reproduce quiet_series --seeds 2 --json rows.json");
  command.action([verb] { return run_quiet(*verb); });
}

}  // namespace elastane::series
