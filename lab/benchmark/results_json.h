// A row of results as JSON.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "lab/benchmark/findings.h"

namespace elastane::benchmark {

using RowJson = nlohmann::ordered_json;

inline RowJson number_json(double value) { return std::isfinite(value) ? RowJson(value) : RowJson(nullptr); }
inline RowJson as_json(const Interval& i) { return {number_json(i.low), number_json(i.high)}; }

inline RowJson as_json(const Published& p) {
  RowJson json = RowJson::object();
  const auto put = [&](const char* key, const std::optional<double>& value) {
    if (value) json[key] = *value;
  };
  put("success", p.success);
  put("steps", p.steps);
  put("violations", p.violations);
  put("regret", p.regret);
  put("p99_us", p.p99_us);
  return json;
}

inline RowJson as_json(std::span<const Slice> slices) {
  RowJson json = RowJson::object();
  for (const Slice& s : slices) {
    json[s.name] = {{"episodes", s.episodes},
                    {"success", number_json(s.success)},
                    {"steps", number_json(s.steps)},
                    {"steps_all", number_json(s.steps_all)}};
  }
  return json;
}

inline RowJson as_json(std::span<const Spent> spent) {
  RowJson json = RowJson::object();
  for (const Spent& s : spent) {
    json[s.where.by][s.where.place] = {{"steps", s.count.steps}, {"mean_depth", s.mean()}};
  }
  return json;
}

inline RowJson as_json(const Finding& f) {
  const Comparison& c = f.measured;
  return {{"claim", f.claim.text},
          {"rival", f.claim.rival},
          {"difference", number_json(c.difference.mean)},
          {"difference_ci", as_json(c.difference.interval)},
          {"ratio", number_json(c.ratio.mean)},
          {"ratio_ci", as_json(c.ratio.interval)},
          {"aim", f.claim.aim},
          {"p", c.p},
          {"p_value", f.p_value},
          {"met", f.met}};
}

// `found`: of all agents; those of this agent become its claims
inline RowJson as_json(const Row& r, std::span<const Finding> found = {}) {
  RowJson claims = RowJson::array();
  for (const Finding& f : found) {
    if (f.agent == r.card.name) claims.push_back(as_json(f));
  }
  return {{"agent", r.card.name},
          {"success", number_json(r.success.mean)},
          {"success_ci", as_json(r.success.interval)},
          {"steps", number_json(r.steps.mean)},
          {"steps_ci", as_json(r.steps.interval)},
          {"steps_after_change", number_json(r.steps_after_change)},
          {"violations_per_1000", number_json(r.violations_per_1000.mean)},
          {"regret", number_json(r.regret)},
          {"p50_us", r.p50_us},
          {"p99_us", r.p99_us},
          {"products_per_step", number_json(r.products_per_step)},
          {"accept_rate", number_json(r.accept_rate)},
          {"condition", number_json(r.condition)},
          {"madds", number_json(r.macs)},
          {"p_value", number_json(r.p_value)},
          {"success_seeds_ci", as_json(r.success_seeds.interval)},
          {"steps_all", number_json(r.steps_all.mean)},
          {"steps_all_ci", as_json(r.steps_all.interval)},
          {"violations_ci", as_json(r.violations_per_1000.interval)},
          {"joint_successes", r.joint},
          {"episodes", r.episodes},
          {"worlds", r.worlds},
          {"what", r.card.what},
          {"settings", r.card.settings},
          {"published", as_json(r.card.published)},
          {"by_when", as_json(r.by_when)},
          {"by_size", as_json(r.by_size)},
          {"by_kind", as_json(r.by_kind)},
          {"energy", number_json(r.energy.mean)},
          {"energy_ratio", number_json(r.energy_ratio.mean)},
          {"energy_ratio_ci", as_json(r.energy_ratio.interval)},
          {"mean_depth", number_json(r.mean_depth)},
          {"zero_share", number_json(r.idle_share)},
          {"episode_madds", number_json(r.episode_macs)},
          {"episode_madds_sd", number_json(r.episode_sd)},
          {"spent", as_json(std::span<const Spent>(r.spent))},
          {"claims", claims}};
}

}  // namespace elastane::benchmark
