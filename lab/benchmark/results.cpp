#include "lab/benchmark/results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace elastane::benchmark {
namespace {

// sum of one quantity of the episodes, over the sum of another
template <class Top, class Bottom>
double mean(const Record& record, Top top, Bottom bottom) {
  double above = 0, below = 0;
  for (const Outcome& o : record.outcomes) {
    above += static_cast<double>(top(o));
    below += static_cast<double>(bottom(o));
  }
  return below > 0 ? above / below : std::numeric_limits<double>::quiet_NaN();
}

template <class Top>
double mean(const Record& record, Top top) {
  return mean(record, top, [](const Outcome&) { return 1; });
}

Estimate success_over_seeds(const Record& record, int seeds) {
  std::vector<double> means(static_cast<std::size_t>(seeds));
  const std::size_t episodes = record.outcomes.size() / means.size();
  for (std::size_t i = 0; i < means.size() * episodes; ++i) {
    means[i / episodes] += record.outcomes[i].success ? 1.0 / static_cast<double>(episodes) : 0;
  }
  return over_seeds(means);
}

// episodes grouped by the names of their kinds
template <class Name>
std::vector<Slice> slices(const Record& record, const Record& reference, std::span<const Kind> kinds, Name name) {
  std::vector<Slice> slices;
  std::vector<int> joint;
  for (std::size_t i = 0; i < record.outcomes.size(); ++i) {
    const Outcome& o = record.outcomes[i];
    if (o.kind < 0 || o.kind >= static_cast<int>(kinds.size())) continue;
    const std::string called = name(kinds[static_cast<std::size_t>(o.kind)]);
    auto at = std::ranges::find(slices, called, &Slice::name);
    if (at == slices.end()) {
      slices.push_back({.name = called});
      joint.push_back(0);
      at = slices.end() - 1;
    }
    at->episodes += 1;
    at->success += o.success ? 1 : 0;
    at->steps_all += o.steps;
    if (o.success && reference.outcomes[i].success) {
      at->steps += o.steps;
      joint[static_cast<std::size_t>(at - slices.begin())] += 1;
    }
  }
  for (std::size_t i = 0; i < slices.size(); ++i) {
    slices[i].success /= slices[i].episodes;
    slices[i].steps_all /= slices[i].episodes;
    slices[i].steps = joint[i] > 0 ? slices[i].steps / joint[i] : std::numeric_limits<double>::quiet_NaN();
  }
  // in the order in which the world lists its kinds
  std::vector<std::string> order;
  for (const Kind& kind : kinds) order.push_back(name(kind));
  std::ranges::sort(slices, {}, [&](const Slice& s) { return std::ranges::find(order, s.name) - order.begin(); });
  return slices;
}

void count_compute(const Record& record, Row& row) {
  const auto steps = [](const Outcome& o) { return o.steps; };
  const auto corrections = [](const Outcome& o) { return o.corrections; };
  row.products_per_step = mean(
      record, [](const Outcome& o) { return o.products; }, steps);
  row.macs = mean(
      record, [](const Outcome& o) { return o.macs; }, steps);
  row.accept_rate = mean(
      record, [](const Outcome& o) { return o.accepted; }, corrections);
  row.condition = mean(
      record, [](const Outcome& o) { return o.condition; }, corrections);
  row.p50_us = record.latency.quantile(0.5);
  row.p99_us = record.latency.quantile(0.99);
}

void count_depth(const Record& record, const ResultOptions& options, Row& row) {
  const auto steps = [](const Outcome& o) { return o.steps; };
  row.mean_depth = mean(
      record, [](const Outcome& o) { return o.corrections; }, steps);
  row.idle_share = mean(
      record, [](const Outcome& o) { return o.idle; }, steps);
  row.episode_macs = mean(record, [](const Outcome& o) { return o.macs; });
  row.episode_sd = std::sqrt(
      mean(record, [&](const Outcome& o) { return (o.macs - row.episode_macs) * (o.macs - row.episode_macs); }));
  for (const Tallied& where : options.tallied) row.spent.push_back({where, {}});
  for (const Outcome& o : record.outcomes) {
    for (std::size_t i = 0; i < std::min(o.tallies.size(), row.spent.size()); ++i) {
      row.spent[i].count.steps += o.tallies[i].steps;
      row.spent[i].count.micro_steps += o.tallies[i].micro_steps;
    }
  }
  const auto all = static_cast<double>(record.latency.total());
  for (std::size_t i = 0; i < row.stage_us.size() && all > 0; ++i) row.stage_us[i] = record.latency.stages()[i] / all;
}

Row row_of(const Record& record, const Record& reference, const ResultOptions& options) {
  Row row{.card = record.card, .episodes = static_cast<int>(record.outcomes.size())};
  std::set<int> worlds;
  for (const Outcome& o : record.outcomes) worlds.insert(o.world);
  row.worlds = static_cast<int>(worlds.size());
  const auto figure = [&](Measure m) { return estimate(terms_of(m, record, reference), options.statistics); };
  row.success = figure(Measure::success);
  row.success_seeds = success_over_seeds(record, options.seeds);
  for (const Term& term : terms_of(Measure::steps, record, reference)) row.joint += term.bottom > 0 ? 1 : 0;
  row.steps = figure(Measure::steps);
  row.steps_all = figure(Measure::all_steps);
  row.steps_after_change = mean(record, [](const Outcome& o) { return o.steps_after_change; });
  row.violations_per_1000 = figure(Measure::violations);
  row.regret = mean(record, [](const Outcome& o) { return o.regret; });
  row.energy = figure(Measure::energy);
  if (row.energy.mean != 0) {
    row.energy_ratio = compare(terms_of(Measure::energy, record, reference),
                               terms_of(Measure::energy, reference, record), options.statistics)
                           .ratio;
  }
  count_compute(record, row);
  count_depth(record, options, row);
  row.by_when = slices(record, reference, options.kinds, [](const Kind& k) { return k.when; });
  row.by_size = slices(record, reference, options.kinds, [](const Kind& k) { return k.size; });
  row.by_kind = slices(record, reference, options.kinds, [](const Kind& k) { return k.when + ", " + k.size; });
  return row;
}

}  // namespace

Term term_of(Measure measure, const Outcome& outcome, const Outcome& rival) {
  const bool joint = outcome.success && rival.success;
  switch (measure) {
    case Measure::success: return {outcome.world, outcome.success ? 1.0 : 0.0};
    case Measure::steps: return {outcome.world, joint ? static_cast<double>(outcome.steps) : 0, joint ? 1.0 : 0.0};
    case Measure::all_steps: return {outcome.world, static_cast<double>(outcome.steps)};
    case Measure::violations: return {outcome.world, 1000.0 * outcome.violations, static_cast<double>(outcome.steps)};
    case Measure::regret: return {outcome.world, outcome.regret};
    case Measure::energy: return {outcome.world, outcome.energy};
  }
  return {};
}

std::vector<Term> terms_of(Measure measure, const Record& agent, const Record& rival) {
  std::vector<Term> terms;
  for (std::size_t i = 0; i < agent.outcomes.size(); ++i) {
    terms.push_back(term_of(measure, agent.outcomes[i], rival.outcomes[i]));
  }
  return terms;
}

std::vector<Row> results(std::span<const Record> records, const ResultOptions& options) {
  if (records.empty()) return {};
  auto reference = std::ranges::find(records, options.reference, [](const Record& r) { return r.card.name; });
  if (reference == records.end()) reference = records.begin();
  std::vector<Row> rows;
  std::vector<double> p;
  for (const Record& record : records) {
    rows.push_back(row_of(record, *reference, options));
    const bool itself = &record == &*reference;
    p.push_back(itself ? std::numeric_limits<double>::quiet_NaN()
                       : compare(terms_of(Measure::success, record, *reference),
                                 terms_of(Measure::success, *reference, record), options.statistics)
                             .p);
  }
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].p_value = corrected[i];
  return rows;
}

}  // namespace elastane::benchmark
