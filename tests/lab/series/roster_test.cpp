// lab/series/roster.cpp
#include "lab/series/roster.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "lab/series/synthetic.h"

namespace elastane::series {
namespace {

const DataSplit kSplit{{500}, {200}, {200}};

Dataset stream() { return synthetic({.seed = 4, .rows = 900, .channels = 2, .season = 12}); }

FitOptions options() { return {.horizon = 3, .split = kSplit, .find_price = true}; }

ForecastFit fit(const Dataset& data) { return ForecastFitter(options()).fit(data).value(); }

// what every method said, by method and metric in the order of the table, and tick
using Said = std::map<std::pair<std::size_t, std::uint64_t>, std::vector<double>>;

Said listen(const std::vector<RosterEntry>& all, const Dataset& data, const ForecastFit& fit) {
  Said said;
  for (std::size_t e = 0; e < all.size(); ++e) {
    const auto issued = [&](std::uint64_t tick, std::span<const double> y) {
      said[{e, tick}].assign(y.begin(), y.end());
    };
    evaluate_method(*all[e].make(), *fit.model, data, kSplit, issued).value();
  }
  return said;
}

// the same data, but another future after `last`
Dataset with_other_future(Dataset data, std::size_t last) {
  Series& s = data.series.front();
  for (std::size_t i = (last + 1) * s.channels; i < s.values.size(); ++i) s.values[i] += 5;
  return data;
}

// entries whose forecasts up to `last` depend on what comes after it
std::set<std::string> leaks(const std::vector<RosterEntry>& one, const std::vector<RosterEntry>& other,
                            const Dataset& data, const Dataset& changed, const ForecastFit& fit, std::size_t last) {
  const Said before = listen(one, data, fit), after = listen(other, changed, fit);
  std::set<std::string> found;
  for (const auto& [key, y] : before) {
    if (key.second <= last && after.at(key) != y) found.insert(one[key.first].method + one[key.first].metric);
  }
  return found;
}

// knows the row after the one that it was given
class Peeking final : public ForecastMethod {
 public:
  explicit Peeking(const Dataset& data) : data_(data), y_(3 * data.targets) {}
  std::unique_ptr<ForecastMethod> clone() const override { return std::make_unique<Peeking>(*this); }
  void start_series(std::size_t, std::uint64_t) override {}
  void observe(std::uint64_t tick, std::span<const double>) override {
    const Series& s = data_.series.front();
    const std::size_t next = std::min<std::size_t>(tick + 1, s.rows() - 1);
    for (std::size_t j = 0; j < y_.size(); ++j) y_[j] = s.row(next)[j % data_.targets];
  }
  std::span<const double> forecast() const override { return y_; }
  std::span<const double> lower() const override { return y_; }
  std::span<const double> upper() const override { return y_; }

 private:
  const Dataset& data_;
  std::vector<double> y_;
};

TEST(Roster, no_method_knows_what_comes_after_the_row_it_forecasts_at) {
  constexpr std::size_t kLast = 799;
  const Dataset data = stream(), changed = with_other_future(data, kLast);
  const ForecastFit fitted = fit(data), refitted = fit(changed);
  EXPECT_EQ(fitted.model->start, refitted.model->start);
  const auto one = roster(data, options(), fitted), other = roster(changed, options(), refitted);
  EXPECT_GE(one.size(), 12U);
  EXPECT_EQ(leaks(one, other, data, changed, fitted, kLast), std::set<std::string>{});
}

TEST(Roster, a_planted_leak_is_caught) {
  constexpr std::size_t kLast = 799;
  const Dataset data = stream(), changed = with_other_future(data, kLast);
  const ForecastFit fitted = fit(data);
  const auto peeking = [](const Dataset& d) {
    return std::vector<RosterEntry>{{"peeking", "", [&d] { return std::make_unique<Peeking>(d); }}};
  };
  EXPECT_EQ(leaks(peeking(data), peeking(changed), data, changed, fitted, kLast), std::set<std::string>{"peeking"});
}

}  // namespace
}  // namespace elastane::series
