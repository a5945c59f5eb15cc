// elastane/core/forecast/feature_bank.cpp
#include "elastane/core/forecast/feature_bank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "tests/core/forecast/forecasters.h"

namespace elastane {
namespace {

// a bank of one channel with a state of its own
struct LoneBank {
  explicit LoneBank(const ForecastConfig& config)
      : bank(config),
        mean(bank.shape().scales),
        re(bank.shape().poles),
        im(bank.shape().poles),
        past(bank.shape().past) {
    state = {&value, &origin, mean.data(), &level, &spread, re.data(), im.data(), past.data()};
  }
  FeatureBank bank;
  double value = 0, origin = 0, level = 0, spread = 0;
  std::vector<double> mean, re, im, past;
  BankState state{};
};

TEST(FeatureBank, TheClocklessReadOutSeesDifferencesToTheLastValueAndNoClock) {
  ForecastConfig config = small_config();
  config.channels = config.targets = 1;
  LoneBank lone(config);
  lone.bank.begin(0, 0, lone.state);
  std::vector<double> past, phi(static_cast<std::size_t>(lone.bank.shape().clockless));
  for (int t = 0; t < 40; ++t) {
    past.insert(past.begin(), lone.value = std::sin(0.7 * t) + (t == 30 ? 100 : 0));
    lone.bank.turn(static_cast<std::uint64_t>(3 * t));
    lone.bank.advance(0, lone.state);
    lone.bank.clockless_features(0, lone.state, phi.data());
    if (t < 10) continue;
    EXPECT_EQ(phi[0], 1);
    for (std::size_t j = 0; j < config.clockless.lags.size(); ++j) {
      const double difference = past[static_cast<std::size_t>(config.clockless.lags[j])] - past[0];
      EXPECT_EQ(phi[j + 1], std::clamp(difference, -16.0, 16.0)) << t << ", lag " << config.clockless.lags[j];
    }
  }
}

TEST(FeatureBank, StatesFollowTheirPoles) {
  ForecastConfig config = small_config();
  config.channels = config.targets = 1;
  config.seasons = {3, 9};
  LoneBank lone(config);
  Random random(1);
  std::vector<std::complex<double>> s(lone.re.size());
  std::vector<double> m(lone.mean.size());
  double first = 0;
  for (int t = 0; t < 100; ++t) {
    const double x = random.normal();
    if (t == 0) {
      first = x;
      lone.bank.begin(0, x, lone.state);
      m.assign(m.size(), x);
    }
    lone.value = x;
    lone.bank.advance(0, lone.state);
    std::size_t p = 0;
    for (const double season : config.seasons) {
      for (int k = 1; k <= config.harmonics; ++k, ++p) {
        const double rows = season * config.periods[0];
        s[p] = std::exp(std::complex(-1 / rows, 2 * M_PI * k / config.periods[0])) * s[p] +
               (1 - std::exp(-1 / rows)) * (x - first);
        ASSERT_NEAR(lone.re[p], s[p].real(), 1e-12);
        ASSERT_NEAR(lone.im[p], s[p].imag(), 1e-12);
      }
    }
    for (std::size_t j = 0; j < m.size(); ++j) {
      m[j] += (1 - std::exp(-1 / config.scales[j])) * (x - m[j]);
      ASSERT_NEAR(lone.mean[j], m[j], 1e-12);
    }
  }
}

TEST(FeatureBank, OfAChannelThatStandsStillOnlyConstantsAndTheClockAreLeft) {
  ForecastConfig config = small_config();
  config.channels = config.targets = config.neighbours = 1;
  LoneBank lone(config);
  lone.bank.begin(0, 5.0, lone.state);
  const std::int32_t self[] = {0};
  std::vector<double> phi(lone.bank.shape().features);
  for (int t = 0; t < 50; ++t) {
    lone.bank.advance(0, lone.state);
    lone.bank.turn(static_cast<std::uint64_t>(t));
    lone.bank.features(0, self, lone.state, phi.data());
    EXPECT_EQ(phi[0], 1);
    for (int i = 1; i <= lone.bank.shape().scales + 2 * lone.bank.shape().poles; ++i) EXPECT_EQ(phi[i], 0);
    EXPECT_EQ(phi[phi.size() - 1], 0);
  }
}

TEST(FeatureBank, LagsAreTheValuesOfRowsBefore) {
  ForecastConfig config = small_config();
  config.channels = config.targets = 1;
  config.neighbours = 0;
  config.periods.clear();
  config.lags = {1, 3, 7};
  LoneBank lone(config);
  const ForecastRows rows = made_rows(30, 3, 1);
  std::vector<double> phi(lone.bank.shape().features);
  for (int t = 0; t < 30; ++t) {
    if (t == 0) lone.bank.begin(0, rows[0][0], lone.state);
    lone.value = rows[t][0];
    lone.bank.advance(0, lone.state);
    lone.bank.features(0, {}, lone.state, phi.data());
    for (std::size_t i = 0; i < 3; ++i) {
      const int from = std::max(0, t - config.lags[i]);
      EXPECT_EQ(phi[phi.size() - 3 + i], rows[from][0] - rows[t][0]) << t;
    }
  }
}

TEST(FeatureBank, TheClockRepeatsWithTheSeasonHoweverLateItIs) {
  ForecastConfig config = small_config();
  config.channels = config.targets = 1;
  config.neighbours = 0;
  LoneBank lone(config);
  lone.bank.begin(0, 0.0, lone.state);
  std::vector<double> early(lone.bank.shape().features), late(early);
  lone.bank.turn(3);
  lone.bank.features(0, {}, lone.state, early.data());
  lone.bank.turn(3 + 8ULL * 1'000'000'000'000);
  lone.bank.features(0, {}, lone.state, late.data());
  EXPECT_EQ(early, late);
}

}  // namespace
}  // namespace elastane
