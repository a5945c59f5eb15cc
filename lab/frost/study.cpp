#include "lab/frost/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/benchmark/statistics.h"
#include "lab/frost/certificates.h"
#include "lab/frost/changes.h"
#include "lab/frost/image_tables.h"
#include "lab/frost/speed.h"
#include "lab/frost/streams.h"
#include "lab/registry.h"

namespace elastane::frost {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kGridMethods[] = {"recursion", "free", "untied_maximum", "untied", "tied", "literal"};
constexpr const char* kParityMethods[] = {"recursion", "free", "literal"};

bool same_kind(const benchmark::DepthRow& a, const benchmark::DepthRow& b) {
  return a.part == b.part && a.task == b.task && a.method == b.method && a.size == b.size && a.seed == b.seed;
}

bool has_row(const std::vector<benchmark::DepthRow>& rows, const std::string& part, const std::string& method,
             int seed) {
  return std::ranges::any_of(rows, [&](const benchmark::DepthRow& row) {
    return row.part == part && row.method == method && row.seed == static_cast<std::uint64_t>(seed);
  });
}

// the control that matters runs as often as what it controls for
int seeds_of(const std::string& method, const StudyOptions& o) {
  return method == "recursion" || method == "free" ? o.seeds : std::min(o.seeds, o.rival_seeds);
}

std::string shown(double value, int digits = 3) {
  return value == benchmark::kNotMeasured || !std::isfinite(value) ? "–" : fmt::format("{:.{}f}", value, digits);
}

std::string certificates_table(const std::vector<benchmark::DepthRow>& rows) {
  std::string text =
      "\n## Certificates\n\nRandom weights, inputs that jump and drift, 1 to 16 warm iterations per step. Every case "
      "is checked against the residual law,\n"
      "the bound in the report, the tracking law and, where there are classes, the class at the fixed point.\n\n"
      "| form | cases | violations | error over its bound, mean |\n| --- | --: | --: | --: |\n";
  for (const benchmark::DepthRow& r : rows) {
    if (r.part == "certificates")
      text += fmt::format("| {} | {:.0f} | {:.0f} | {} |\n", r.method, r.cases, r.violations, shown(r.accuracy));
  }
  return text;
}

// of one method and size, over seeds
struct Pooled {
  std::vector<double> solved;
  double accuracy = 0, later = 0, depth = 0, oracle = 0, spearman = 1, violations = 0, macs = 0, micros = 0;
};

std::string cells_line(const std::string& method, int size, const std::vector<benchmark::DepthRow>& rows) {
  Pooled p;
  std::string each;
  for (const benchmark::DepthRow& r : rows) {
    if (r.method != method || r.size != size) continue;
    p.solved.push_back(r.solved);
    each += (each.empty() ? "" : " ") + shown(r.solved);
    p.accuracy += r.accuracy, p.later += r.accuracy_at_3t, p.depth += r.mean_depth, p.oracle += r.oracle_depth;
    p.spearman = std::min(p.spearman, r.spearman), p.violations += std::max(0.0, r.violations), p.macs += r.macs;
    p.micros += r.p50_us;
  }
  if (p.solved.empty()) return "";
  const auto n = static_cast<double>(p.solved.size());
  const benchmark::Estimate solved = benchmark::over_seeds(p.solved);
  const bool ours = method == "recursion";
  return fmt::format("| {} | {} | {} ± {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", method, size,
                     shown(solved.mean), shown(0.5 * (solved.interval.high - solved.interval.low)), each,
                     shown(p.accuracy / n, 4), p.later < 0 ? "–" : shown(p.later / n, 4), shown(p.depth / n, 1),
                     shown(p.oracle / n, 1), ours ? shown(p.spearman) : "–", ours ? shown(p.violations, 0) : "–",
                     ours ? shown(p.micros / n, 0) : "–");
}

std::string cells_table(const std::string& part, const std::string& title, std::span<const char* const> methods,
                        std::span<const int> sizes, const std::vector<benchmark::DepthRow>& all) {
  std::vector<benchmark::DepthRow> rows;
  std::ranges::copy_if(all, std::back_inserter(rows), [&](const benchmark::DepthRow& r) { return r.part == part; });
  if (rows.empty()) return "";
  std::string text =
      "\n## " + title +
      "\n\nRivals are shown at the best of 1, 1.25, 1.5, 2, 3 and 4 times the depth that they were trained for, chosen "
      "on the test "
      "episodes\nthemselves; the recursion stops by its certificate. ρ is the least of the seeds.\n\n"
      "| method | size | solved, 95 % | each seed | cells right | at 3 × depth | depth | oracle | ρ(depth, oracle) | "
      "certified classes that differ at 1,000 iterations | p50 µs |\n"
      "| --- | --: | --: | --- | --: | --: | --: | --: | --: | --: | --: |\n";
  for (const char* method : methods) {
    for (const int size : sizes) text += cells_line(method, size, rows);
  }
  return text;
}

std::string speed_table(const std::vector<benchmark::DepthRow>& rows) {
  std::string text = "\n## Speed\n\n";
  for (const benchmark::DepthRow& r : rows) {
    if (r.part != "speed") continue;
    if (r.task == "iteration") {
      text +=
          fmt::format("- One iteration at d = {}: {} µs ({:.0f} multiply-adds).\n", r.size, shown(r.p50_us), r.macs);
    } else {
      text += fmt::format(
          "- A {}, d = {}: mean depth {} of {:.0f}; {} of the throughput that the ratio of depths promises, {} µs per "
          "stream.\n",
          r.task, r.size, shown(r.mean_depth, 1), r.oracle_depth, shown(r.accuracy, 2), shown(r.p50_us));
    }
  }
  return text;
}

// networks over images, where this program has that world
void add_image_calls(const std::vector<benchmark::DepthRow>& journal, const StudyOptions& o, const ImagePart& part,
                     std::vector<Words>& calls) {
  const auto is_images = [](const lab::World& world) { return world.name == "images"; };
  if (!has_part(o, part.part) || std::ranges::none_of(lab::worlds(), is_images)) return;
  for (std::size_t i = 0; i < part.methods.size(); ++i) {
    const int seeds = i < part.rivals ? o.seeds : std::min(o.seeds, o.rival_seeds);
    for (int seed = o.first_seed; seed < o.first_seed + seeds; ++seed) {
      if (has_row(journal, part.part, part.methods[i], seed)) continue;
      calls.push_back({"train", "images", "--task", part.task, "--method", part.methods[i], "--seed",
                       std::to_string(seed), "--data", o.images, "--part", part.part, "--journal", o.journal});
    }
  }
}

}  // namespace

bool has_part(const StudyOptions& o, const std::string& part) {
  return o.parts.empty() || std::ranges::find(o.parts, part) != o.parts.end();
}

std::vector<Words> missing_calls(const std::vector<benchmark::DepthRow>& journal, const StudyOptions& o) {
  std::vector<Words> calls;
  const auto add = [&](const std::string& part, const std::string& task, std::span<const char* const> methods) {
    if (!has_part(o, part)) return;
    for (const char* method : methods) {
      for (int seed = o.first_seed; seed < o.first_seed + seeds_of(method, o); ++seed) {
        if (has_row(journal, part, method, seed)) continue;
        calls.push_back({"train", "frost", "--task", task, "--method", method, "--seed", std::to_string(seed),
                         "--journal", o.journal});
      }
    }
  };
  add("mazes", "grid", kGridMethods);
  add("parity", "parity", kParityMethods);
  for (const ImagePart& part : image_parts()) add_image_calls(journal, o, part, calls);
  return calls;
}

std::vector<benchmark::DepthRow> study_rows(const std::vector<benchmark::DepthRow>& journal, const StudyOptions& o) {
  std::vector<benchmark::DepthRow> rows;
  for (const benchmark::DepthRow& row : journal) {
    if (!has_part(o, row.part)) continue;
    std::erase_if(rows, [&](const benchmark::DepthRow& older) { return same_kind(older, row); });
    rows.push_back(row);
  }
  if (has_part(o, "certificates")) {
    for (const std::string form : kForms) rows.push_back(to_row(form, try_certificates(form, o.cases, 1), 1));
  }
  if (has_part(o, "streams")) {
    for (const benchmark::DepthRow& row : test_streams(o.seeds)) rows.push_back(row);
  }
  if (has_part(o, "speed")) {
    rows.push_back(time_iteration(64));
    rows.push_back(time_fleet(64, 256, 0.9));
    rows.push_back(time_fleet(64, 256, 0.97));
  }
  return rows;
}

std::string tables(const std::vector<benchmark::DepthRow>& rows, const StudyOptions& o) {
  constexpr int kGridSizes[] = {8, 16, 24, 32}, kLineSizes[] = {12, 24, 48};
  std::string text = "# Recursion in depth\n";
  if (has_part(o, "certificates")) text += certificates_table(rows);
  if (has_part(o, "mazes")) text += cells_table("mazes", "Grids: trained on 8 x 8", kGridMethods, kGridSizes, rows);
  if (has_part(o, "changes")) text += changes_table(rows);
  if (has_part(o, "parity"))
    text += cells_table("parity", "Prefix parity: trained on 12 bits", kParityMethods, kLineSizes, rows);
  for (const ImagePart& part : image_parts()) {
    if (has_part(o, part.part)) text += image_table(part.part, rows);
  }
  if (has_part(o, "streams")) text += streams_table(rows);
  if (has_part(o, "speed")) text += speed_table(rows);
  return text;
}

}  // namespace elastane::frost
