#include "lab/benchmark/findings.h"

#include <algorithm>

namespace elastane::benchmark {
namespace {

const Record* find(std::span<const Record> records, const std::string& name) {
  const auto at = std::ranges::find(records, name, [](const Record& r) { return r.card.name; });
  return at == records.end() ? nullptr : &*at;
}

auto successes(const Record& record) { return std::ranges::count(record.outcomes, true, &Outcome::success); }

// the most successful of those that took part; the first of equals
const Record* best(std::span<const Record> records, const std::vector<std::string>& names) {
  const Record* chosen = nullptr;
  for (const std::string& name : names) {
    const Record* record = find(records, name);
    if (record != nullptr && (chosen == nullptr || successes(*record) > successes(*chosen))) chosen = record;
  }
  return chosen;
}

bool reached(const Claim& claim, const Comparison& c) {
  if (claim.measure == Measure::success) return c.difference.mean > 0 && c.difference.mean >= claim.aim;
  return c.difference.mean < 0 && c.ratio.mean <= claim.aim;
}

}  // namespace

std::vector<Finding> findings(std::span<const Record> records, std::span<const Claim> claims,
                              const StatisticsOptions& options) {
  std::vector<Finding> found;
  std::vector<double> p;
  for (const Claim& claim : claims) {
    const Record *agent = best(records, claim.agents), *rival = find(records, claim.rival);
    if (agent == nullptr || rival == nullptr || agent == rival) continue;
    const Comparison measured =
        compare(terms_of(claim.measure, *agent, *rival), terms_of(claim.measure, *rival, *agent), options);
    found.push_back({claim, agent->card.name, measured});
    p.push_back(std::min(1.0, measured.p * static_cast<double>(claim.agents.size())));
  }
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].p_value = corrected[i];
    found[i].met = reached(found[i].claim, found[i].measured) && corrected[i] < kSure;
  }
  return found;
}

}  // namespace elastane::benchmark
