#include "lab/series/rough_reproduction.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>

#include "command_line/bar.h"
#include "elastane/io/file.h"

namespace elastane::series {
namespace {

using Json = nlohmann::ordered_json;

std::string label(const RoughKind& kind) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s %g", name(kind.kind), kind.size);
  return text.data();
}

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// errors of one method on the streams of one kind, over today's engine on the same rows without a disturbance
struct Ratios {
  std::array<std::vector<double>, kPhases.size()> of;
  int near_simple = 0, streams = 0;  // at most 5 % above the best simple method, from row 24 on

  double within(std::size_t phase, double most) const {
    const auto count = std::ranges::count_if(of[phase], [&](double r) { return r <= most; });
    return 100.0 * static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, of[phase].size()));
  }
};

using StreamKey = std::tuple<Family, std::uint64_t, int>;

Ratios ratios_of(const std::vector<RoughResult>& results, const RoughKind& kind, int horizon, const std::string& method,
                 const std::map<StreamKey, const RoughResult*>& calm) {
  Ratios ratios;
  for (const RoughResult& r : results) {
    if (r.kind.kind != kind.kind || r.kind.size != kind.size || r.horizon != horizon || r.method != method) continue;
    const RoughResult& reference = *calm.at({r.family, r.seed, r.horizon});
    for (std::size_t p = 0; p < kPhases.size(); ++p) {
      ratios.of[p].push_back(r.error[p] / std::fmax(reference.error[p], 1e-12));
    }
    ratios.near_simple += r.from_24 <= 1.05 * r.best_simple_from_24 ? 1 : 0;
    ratios.streams += 1;
  }
  return ratios;
}

struct Verb {
  RoughComparisonOptions comparison;
  std::vector<std::string> families, kinds;
  std::string json, markdown;
};

void choose(Verb& verb) {
  for (int i = 0; i <= static_cast<int>(Family::counts); ++i) {
    const auto family = static_cast<Family>(i);
    if (verb.families.empty() || std::ranges::find(verb.families, name(family)) != verb.families.end()) {
      verb.comparison.families.push_back(family);
    }
  }
  for (const RoughKind& kind : all_rough_kinds()) {
    const bool is_wanted = verb.kinds.empty() || kind.kind == Rough::none ||
                           std::ranges::find(verb.kinds, name(kind.kind)) != verb.kinds.end();
    if (is_wanted) verb.comparison.kinds.push_back(kind);
  }
}

int run(Verb verb) {
  choose(verb);
  command_line::Bar bar;
  verb.comparison.progress = [&](double share, const std::string& doing) { bar.update(share, doing); };
  const std::vector<RoughResult> results = compare_on_rough_streams(verb.comparison);
  bar.clear();
  const std::string table = rough_summary(results), rows = rough_json(results);
  std::fwrite(table.data(), 1, table.size(), stdout);
  for (const auto& [path, text] : {std::pair(verb.json, rows), std::pair(verb.markdown, table)}) {
    if (!path.empty()) write_file(path, std::as_bytes(std::span(text))).value();
  }
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
  std::map<StreamKey, const RoughResult*> calm;
  std::vector<std::pair<RoughKind, int>> cells;
  for (const RoughResult& r : results) {
    if (r.kind.kind == Rough::none && r.method == "today") calm[{r.family, r.seed, r.horizon}] = &r;
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
      const Ratios r = ratios_of(results, kind, horizon, method, calm);
      const double worst = r.of[4].empty() ? NAN : *std::ranges::max_element(r.of[4]);
      std::snprintf(line.data(), line.size(),
                    "| %s | %d | %s | %.3g | %.3g | %.3g | %.3g | %.3g | %.0f %% | %.0f %% | %.0f %% | %.0f %% |\n",
                    label(kind).c_str(), horizon, method, median(r.of[1]), median(r.of[2]), median(r.of[3]),
                    median(r.of[4]), worst, r.within(1, 1.5), r.within(2, 1.1), r.within(3, 1.05),
                    100.0 * r.near_simple / std::max(1, r.streams));
      text += line.data();
    }
  }
  return text;
}

void declare_rough_series(command_line::Command& command) {
  auto verb = std::make_shared<Verb>();
  std::vector<std::string> families, kinds;
  for (int i = 0; i <= static_cast<int>(Family::counts); ++i) families.emplace_back(name(static_cast<Family>(i)));
  for (int i = 0; i <= static_cast<int>(Rough::noise); ++i) kinds.emplace_back(name(static_cast<Rough>(i)));
  RoughComparisonOptions& o = verb->comparison;
  command.option("--kind", verb->kinds, "what goes wrong (default: everything)").one_of(kinds);
  command.option("--family", verb->families, "laws of the series (default: all)").one_of(families);
  command.option("--horizon", o.horizons, "rows ahead").range(1, 10'000);
  command.option("--seeds", o.seeds, "number of streams of each family").range(1, 1000);
  command.option("--first-seed", o.first_seed, "seed of the first stream; settings were tuned on seeds 1 to 3");
  command.option("--json", verb->json, "also write the rows to this file").type("FILE");
  command.option("--markdown", verb->markdown, "also write the table to this file").type("FILE");
  command.footer("Example:\n  elastane reproduce rough_series --kind spike,jump --seeds 2 --json rows.json");
  command.action([verb] { return run(*verb); });
}

}  // namespace elastane::series
