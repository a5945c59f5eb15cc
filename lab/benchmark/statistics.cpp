#include "lab/benchmark/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "elastane/core/base/random.h"

namespace elastane::benchmark {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kNormal = 1.959963984540054;  // 97.5 %

// of one agent, or of two that play the same episodes
struct Sums {
  double top = 0, bottom = 0, other_top = 0, other_bottom = 0;

  Sums& operator+=(const Sums& s) {
    top += s.top;
    bottom += s.bottom;
    other_top += s.other_top;
    other_bottom += s.other_bottom;
    return *this;
  }
  Sums exchanged() const { return {other_top, other_bottom, top, bottom}; }
  double mean() const { return top / bottom; }
  double difference() const { return top / bottom - other_top / other_bottom; }
  double ratio() const { return top / bottom / (other_top / other_bottom); }
};

// episodes by their worlds
struct Grouped {
  std::vector<std::vector<Sums>> episodes;
  std::vector<Sums> worlds;
  Sums total;
  int count = 0;  // episodes

  bool few() const { return static_cast<int>(worlds.size()) < kFewWorlds; }
};

Grouped group(std::span<const Term> a, std::span<const Term> b = {}) {
  Grouped g;
  std::map<int, std::size_t> places;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto [at, fresh] = places.try_emplace(a[i].world, g.worlds.size());
    if (fresh) {
      g.worlds.emplace_back();
      g.episodes.emplace_back();
    }
    const Sums sums = b.empty() ? Sums{a[i].top, a[i].bottom} : Sums{a[i].top, a[i].bottom, b[i].top, b[i].bottom};
    g.worlds[at->second] += sums;
    g.episodes[at->second].push_back(sums);
    g.total += sums;
  }
  g.count = static_cast<int>(a.size());
  return g;
}

int below(Random& random, std::size_t n) { return random.below(static_cast<int>(n)); }

std::vector<Sums> resample(const Grouped& g, const StatisticsOptions& options) {
  std::vector<Sums> draws(static_cast<std::size_t>(options.draws));
  Random random(options.seed);
  for (Sums& draw : draws) {
    for (std::size_t i = 0; i < g.worlds.size(); ++i) {
      const auto world = static_cast<std::size_t>(below(random, g.worlds.size()));
      if (!g.few()) {
        draw += g.worlds[world];
        continue;
      }
      const std::vector<Sums>& episodes = g.episodes[world];
      for (std::size_t k = 0; k < episodes.size(); ++k) {
        draw += episodes[static_cast<std::size_t>(below(random, episodes.size()))];
      }
    }
  }
  return draws;
}

// the share to cut off at each end, so that n units give the length of Student's interval    (Hesterberg 2015)
double tail(int n) {
  if (n < 2) return 0;
  return 0.5 * std::erfc(std::sqrt(n / (n - 1.0)) * student_quantile(n - 1) / std::sqrt(2.0));
}

double sorted_at(const std::vector<double>& sorted, double share) {
  const double place =
      std::clamp(share * static_cast<double>(sorted.size() + 1) - 1, 0.0, static_cast<double>(sorted.size() - 1));
  const auto low = static_cast<std::size_t>(place), high = std::min(low + 1, sorted.size() - 1);
  return std::lerp(sorted[low], sorted[high], place - static_cast<double>(low));
}

template <class Figure>
Estimate interval_of(const Grouped& g, const std::vector<Sums>& draws, Figure figure) {
  Estimate e{std::invoke(figure, g.total), {kNone, kNone}};
  std::vector<double> values;
  for (const Sums& draw : draws) {
    const double value = std::invoke(figure, draw);
    if (std::isfinite(value)) values.push_back(value);  // a draw without any joint success has no mean
  }
  if (!std::isfinite(e.mean) || values.empty()) return e.mean = std::isfinite(e.mean) ? e.mean : kNone, e;
  std::ranges::sort(values);
  const double cut = tail(g.worlds.size() > 1 ? static_cast<int>(g.worlds.size()) : g.count);
  e.interval = {sorted_at(values, cut), sorted_at(values, 1 - cut)};
  return e;
}

// exchanges agents in some units, and counts those that differ as much as they did
class ExchangeTest {
 public:
  explicit ExchangeTest(std::vector<Sums> units) : units_(std::move(units)) {
    Sums total;
    for (const Sums& u : units_) total += u;
    found_ = std::abs(total.difference()) * (1 - 1e-12);  // sums in another order round otherwise
  }

  double all() const {
    const std::uint64_t patterns = std::uint64_t{1} << units_.size();
    std::uint64_t extreme = 0;
    for (std::uint64_t pattern = 0; pattern < patterns; ++pattern) {
      extreme += as_large([&](std::size_t i) { return (pattern >> i & 1U) != 0; });
    }
    return static_cast<double>(extreme) / static_cast<double>(patterns);
  }

  double some(int exchanges, std::uint64_t seed) const {
    Random random(seed);
    int extreme = 0;
    for (int k = 0; k < exchanges; ++k) {
      extreme += as_large([&](std::size_t) { return random.sign() > 0; });
    }
    return (extreme + 1.0) / (exchanges + 1.0);
  }

 private:
  template <class Exchanged>
  bool as_large(Exchanged exchanged) const {
    Sums total;
    for (std::size_t i = 0; i < units_.size(); ++i) total += exchanged(i) ? units_[i].exchanged() : units_[i];
    return !(std::abs(total.difference()) < found_);  // one that is undefined counts against us
  }

  std::vector<Sums> units_;
  double found_;
};

}  // namespace

Estimate estimate(std::span<const Term> terms, const StatisticsOptions& options) {
  const Grouped g = group(terms);
  return interval_of(g, resample(g, options), &Sums::mean);
}

Comparison compare(std::span<const Term> a, std::span<const Term> b, const StatisticsOptions& options) {
  const Grouped g = group(a, b);
  const std::vector<Sums> draws = resample(g, options);
  Comparison c{interval_of(g, draws, &Sums::difference), interval_of(g, draws, &Sums::ratio)};
  c.by_world = !g.few();
  std::vector<Sums> units = g.worlds;
  if (!c.by_world) {
    units.clear();
    for (const auto& episodes : g.episodes) units.insert(units.end(), episodes.begin(), episodes.end());
  }
  c.exact = units.size() < 31 && (1 << units.size()) <= options.exchanges;
  const ExchangeTest test(std::move(units));
  c.p = c.exact ? test.all() : test.some(options.exchanges, options.seed + 1);
  return c;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!std::isnan(p[i])) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t i, std::size_t j) { return p[i] < p[j]; });
  std::vector<double> corrected(p.begin(), p.end());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(order.size() - rank) * p[order[rank]]));
    corrected[order[rank]] = largest;
  }
  return corrected;
}

Estimate over_seeds(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return {mean, {kNone, kNone}};
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const double half = student_quantile(static_cast<int>(values.size()) - 1) * std::sqrt(squares / (n - 1) / n);
  return {mean, {mean - half, mean + half}};
}

double student_quantile(int degrees) {
  constexpr std::array kSmall = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281};
  if (degrees <= static_cast<int>(kSmall.size())) return kSmall[static_cast<std::size_t>(std::max(degrees, 1) - 1)];
  // Cornish and Fisher, right to 1e-4 from here on
  const double z = kNormal, z2 = z * z, n = degrees;
  return z + z * (z2 + 1) / (4 * n) + z * ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
         z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n);
}

}  // namespace elastane::benchmark
