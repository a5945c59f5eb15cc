// lab/series/comparison.cpp
#include "lab/series/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "lab/series/synthetic.h"

namespace elastane::series {
namespace {

const DataSplit kSplit{{500}, {200}, {200}};

Dataset stream(std::size_t rows = 900) { return synthetic({.seed = 4, .rows = rows, .channels = 2, .season = 12}); }

ComparisonOptions options(int horizon = 3) {
  ComparisonOptions o;
  o.fit.horizon = horizon;
  o.fit.split = kSplit;
  o.fit.find_price = true;
  return o;
}

ForecastFit fit(const Dataset& data) { return ForecastFitter(options().fit).fit(data).value(); }

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

TEST(Evaluate, no_method_knows_what_comes_after_the_row_it_forecasts_at) {
  constexpr std::size_t kLast = 799;
  const Dataset data = stream(), changed = with_other_future(data, kLast);
  const ForecastFit fitted = fit(data), refitted = fit(changed);
  EXPECT_EQ(fitted.model->start, refitted.model->start);
  const auto one = roster(data, options().fit, fitted), other = roster(changed, options().fit, refitted);
  EXPECT_GE(one.size(), 12U);
  EXPECT_EQ(leaks(one, other, data, changed, fitted, kLast), std::set<std::string>{});
}

TEST(Evaluate, a_planted_leak_is_caught) {
  constexpr std::size_t kLast = 799;
  const Dataset data = stream(), changed = with_other_future(data, kLast);
  const ForecastFit fitted = fit(data);
  const auto peeking = [](const Dataset& d) {
    return std::vector<RosterEntry>{{"peeking", "", [&d] { return std::make_unique<Peeking>(d); }}};
  };
  EXPECT_EQ(leaks(peeking(data), peeking(changed), data, changed, fitted, kLast), std::set<std::string>{"peeking"});
}

TEST(Evaluate, persistence_is_what_a_loop_says) {
  const Dataset data = stream();
  ComparisonOptions o = options(2);
  o.methods = {"persistence"};
  const Comparison e = compare_methods(data, o);
  const Series& s = data.series.front();
  double sum = 0, n = 0;
  for (std::size_t r = 700; r + 2 < 900; ++r) {
    for (std::size_t h = 1; h <= 2; ++h) {
      for (std::size_t c = 0; c < 2; ++c) {
        const double error = (s.row(r + h)[c] - s.row(r)[c]) / e.fit.model->deviation[c];
        sum += error * error;
        n += 1;
      }
    }
  }
  ASSERT_EQ(e.results.size(), 1U);
  EXPECT_NEAR(e.results[0].score.mse, sum / n, 1e-10);
  EXPECT_EQ(e.results[0].score.rows, 200U);
}

TEST(Evaluate, gives_the_same_figures_twice) {
  const Dataset data = stream();
  const Comparison one = compare_methods(data, options()), two = compare_methods(data, options());
  ASSERT_EQ(one.results.size(), two.results.size());
  for (std::size_t i = 0; i < one.results.size(); ++i) {
    EXPECT_EQ(one.results[i].score.mse, two.results[i].score.mse) << one.results[i].method;
    EXPECT_EQ(one.results[i].score.coverage, two.results[i].score.coverage);
  }
}

TEST(Evaluate, goes_on_over_gaps_and_missing_values) {
  Dataset data = stream();
  Series& s = data.series.front();
  for (std::size_t r = 100; r < s.rows(); r += 13) s.values[r * 2 + r % 2] = NAN;
  for (std::size_t r = 400; r < s.rows(); ++r) s.ticks[r] += 9;
  for (std::size_t r = 750; r < s.rows(); ++r) s.ticks[r] += 5000;
  for (const MethodResult& j : compare_methods(data, options()).results) {
    EXPECT_TRUE(std::isfinite(j.score.mse) && j.score.mse < 20) << j.method << j.score.mse;
    EXPECT_GT(j.score.coverage, 0.7) << j.method;
  }
}

TEST(Evaluate, means_over_the_series_of_long_form) {
  Dataset data = stream(), other = synthetic({.seed = 9, .rows = 900, .channels = 2, .season = 12});
  data.series[0].id = "one";
  data.series.push_back(other.series.front());
  data.series[1].id = "two";
  for (double& x : data.series[1].values) x = 100 + 10 * x;
  const Comparison e = compare_methods(data, options());
  for (const MethodResult& j : e.results) {
    EXPECT_TRUE(std::isfinite(j.score.mse) && j.score.mse < 4) << j.method << j.metric << " " << j.score.mse;
    EXPECT_EQ(j.score.rows, 400U);
    EXPECT_LE(j.score.depth, 4) << j.method;  // two read-outs of two targets; rows before the test do not count
  }
}

TEST(Evaluate, a_test_without_rows_is_refused) {
  ComparisonOptions o = options();
  o.fit.split = {{600}, {300}, {100}};
  EXPECT_THROW(compare_methods(stream(), o), std::runtime_error);
}

TEST(Tuning, every_metric_is_tried_equally_often_and_one_setting_is_taken) {
  const ForecastFit fitted = fit(stream());
  std::map<std::string, int> tried, taken;
  for (const FitTrial& trial : fitted.trials) {
    const std::string metric = trial.what.substr(0, trial.what.find(','));
    tried[metric] += 1;
    taken[metric] += trial.taken ? 1 : 0;
  }
  for (const char* metric : {"euclidean", "exact", "latent_covariance"}) {
    EXPECT_EQ(tried[metric], tried["exact"]);
    EXPECT_EQ(taken[metric], 1) << metric;
  }
}

}  // namespace
}  // namespace elastane::series
