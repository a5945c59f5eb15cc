#include "lab/benchmark/report.h"

#include <fmt/format.h>

#include <cmath>

#include "command_line/aligned_table.h"

namespace elastane::benchmark {
namespace {

constexpr const char* kPublished = "  *published*";  // the row of published figures

std::string shown(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "–";
}
std::string shown(const std::optional<double>& value, int digits) {
  return value ? fmt::format("*{:.{}f}*", *value, digits) : "";
}
std::string shown(const Interval& i, int digits) {
  return std::isfinite(i.low) ? fmt::format("{:.{}f} … {:.{}f}", i.low, digits, i.high, digits) : "–";
}

std::string shown_p(double p) {
  if (std::isnan(p)) return "–";
  return p < 0.001 ? fmt::format("{:.0e}", p) : fmt::format("{:.3f}", p);
}

// 1234567 as 1.23M
std::string shown_count(double value) {
  if (!std::isfinite(value)) return "–";
  if (value >= 1e6) return fmt::format("{:.3g}M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.3g}k", value / 1e3);
  return fmt::format("{:.3g}", value);
}

void add_slices(std::span<const Slice> slices, std::vector<std::string>& cells, double Slice::*figure, int digits) {
  for (const Slice& s : slices) cells.push_back(shown(s.*figure, digits));
}

std::vector<std::string> claim_row(const Finding& f) {
  const bool success = f.claim.measure == Measure::success;
  const Estimate& e = success ? f.measured.difference : f.measured.ratio;
  const int digits = success ? 3 : 2;
  return {f.claim.text,
          f.agent,
          f.claim.rival,
          success ? fmt::format("{:+.3f}", e.mean) : "× " + shown(e.mean, digits),
          shown(e.interval, digits),
          success ? (f.claim.aim > 0 ? fmt::format("≥ {:+.2f}", f.claim.aim) : "> 0")
                  : (f.claim.aim < 1 ? fmt::format("≤ × {:.2f}", f.claim.aim) : "< × 1"),
          shown_p(f.p_value),
          f.met ? "yes" : "no"};
}

}  // namespace

std::string outcome_table(std::span<const Row> rows) {
  app::AlignedTable table{
      .header = {"agent", "success", "95 %", "steps", "95 %", "all", "after", "viol.", "regret", "p"}};
  for (const Row& r : rows) {
    table.rows.push_back({r.card.name, shown(r.success.mean, 3), shown(r.success.interval, 3), shown(r.steps.mean, 1),
                          shown(r.steps.interval, 1), shown(r.steps_all.mean, 1), shown(r.steps_after_change, 1),
                          shown(r.violations_per_1000.mean, 2), shown(r.regret, 2), shown_p(r.p_value)});
    const Published& p = r.card.published;
    if (!p.success && !p.steps && !p.violations && !p.regret) continue;
    table.rows.push_back({kPublished, shown(p.success, 2), "", shown(p.steps, 1), "", "", "", shown(p.violations, 2),
                          shown(p.regret, 2), ""});
  }
  return table.text();
}

std::string cost_table(std::span<const Row> rows) {
  app::AlignedTable table{
      .header = {"agent", "settings", "p50 µs", "p99 µs", "published p99", "products", "accept", "condition", "madds"},
      .left = 2};
  for (const Row& r : rows) {
    table.rows.push_back({r.card.name, r.card.settings, shown(r.p50_us, 1), shown(r.p99_us, 1),
                          shown(r.card.published.p99_us, 0), shown(r.products_per_step, 1), shown(r.accept_rate, 3),
                          shown_count(r.condition), shown_count(r.macs)});
  }
  return table.text();
}

std::string change_table(std::span<const Row> rows) {
  if (rows.empty() || rows.front().by_when.empty()) return "";
  app::AlignedTable table{.header = {"agent"}};
  for (const Slice& s : rows.front().by_when) table.header.push_back("success, " + s.name);
  for (const Slice& s : rows.front().by_size) table.header.push_back("steps, " + s.name);
  for (const Slice& s : rows.front().by_size) table.header.push_back("all, " + s.name);
  for (const Row& r : rows) {
    std::vector<std::string>& cells = table.rows.emplace_back(1, r.card.name);
    add_slices(r.by_when, cells, &Slice::success, 3);
    add_slices(r.by_size, cells, &Slice::steps, 1);
    add_slices(r.by_size, cells, &Slice::steps_all, 1);
  }
  return table.text();
}

std::string depth_tables(std::span<const Row> rows) {
  if (rows.empty()) return "";
  std::string text;
  const auto& places = rows.front().spent;
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    const std::string& by = places[begin].where.by;
    const bool distribution = by == kByDepth;  // then the share of steps is shown, not mean K
    app::AlignedTable table{.header = {distribution ? "share of steps by K" : "mean K by " + by, "mean K", "zero"}};
    for (; end < places.size() && places[end].where.by == by; ++end) table.header.push_back(places[end].where.place);
    for (const Row& r : rows) {
      if (r.mean_depth == 0) continue;
      auto& cells = table.rows.emplace_back(
          std::vector<std::string>{r.card.name, shown(r.mean_depth, 3), shown(r.idle_share, 3)});
      double steps = 0;
      for (std::size_t i = begin; i < end; ++i) steps += r.spent[i].count.steps;
      for (std::size_t i = begin; i < end; ++i) {
        const Spent& s = r.spent[i];
        if (distribution) {
          cells.push_back(shown(s.count.steps / steps, 3));
        } else {
          cells.push_back(s.count.steps == 0 ? "–" : fmt::format("{:.3f} ({})", s.mean(), shown_count(s.count.steps)));
        }
      }
    }
    if (!table.rows.empty()) text += (text.empty() ? "" : "\n") + table.text();
  }
  return text;
}

std::string stage_table(std::span<const Row> rows) {
  app::AlignedTable table{.header = {"µs of a step"}};
  for (int i = 0; i < kStages; ++i) table.header.emplace_back(name(static_cast<Stage>(i)));
  for (const Row& r : rows) {
    double sum = 0;
    for (const double micros : r.stage_us) sum += micros;
    if (sum == 0) continue;
    auto& cells = table.rows.emplace_back(1, r.card.name);
    for (const double micros : r.stage_us) cells.push_back(shown(micros, 2));
  }
  return table.rows.empty() ? "" : table.text();
}

std::string claim_table(std::span<const Finding> found) {
  if (found.empty()) return "";
  app::AlignedTable table{.header = {"claim", "agent", "against", "found", "95 %", "aim", "p", "shown"}, .left = 3};
  for (const Finding& f : found) table.rows.push_back(claim_row(f));
  return table.text();
}

}  // namespace elastane::benchmark
