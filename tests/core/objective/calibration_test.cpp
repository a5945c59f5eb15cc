// Tests of elastane/core/objective/calibration.h: the temperature makes the normalised innovation what it should be.
#include "elastane/core/objective/calibration.h"

#include <array>

#include "elastane/core/objective/gaussian.h"
#include "tests/core/objective/laws.h"

namespace elastane {
namespace {

constexpr int kChannels = 6;
const std::array<float, kChannels> kNoise = {0.1F, 1.0F, 3.0F, 0.5F, 2.0F, 0.02F};

// innovations whose noise is `excess` times what the target says, some channels missing
struct Innovations {
  Random random;
  double excess;
  double missing = 0.0;
  std::array<float, kChannels> target{};
  Vector y = Vector(kChannels);

  Target next() {
    for (std::size_t i = 0; i < kChannels; ++i) {
      y[i] = random.normal();
      target[i] = static_cast<float>(y[i] + excess * kNoise[i] * random.normal());
      if (random.uniform() < missing) target[i] = NAN;
    }
    return {.values = target, .noises = kNoise};
  }
};

TEST(TemperatureCalibration, StartsAtOne) { EXPECT_EQ(TemperatureCalibration().temperature(), 1.0); }

TEST(TemperatureCalibration, FindsHowMuchLargerTheNoiseIs) {
  for (const double excess : {0.2, 1.0, 5.0}) {
    for (const double missing : {0.0, 0.4}) {
      Innovations innovations{Random(1), excess, missing};
      TemperatureCalibration calibration;
      for (int n = 0; n < 4000; ++n) {
        const Target target = innovations.next();
        calibration.observe(innovations.y, target);
      }
      // τ² is a mean of squares of normal numbers, each of variance 2
      const double error = std::sqrt(2.0 / static_cast<double>(calibration.channels()));
      EXPECT_NEAR(calibration.temperature() / (excess * excess), 1.0, 4.0 * error);
    }
  }
}

// property G11: calibrated on one half, the other half's mean NIS is m, within three standard errors
TEST(TemperatureCalibration, MakesTheHeldOutInnovationAsLargeAsItsChannels) {
  for (const double excess : {0.3, 4.0}) {
    Innovations innovations{Random(2), excess};
    TemperatureCalibration calibration;
    for (int n = 0; n < 20'000; ++n) {
      const Target target = innovations.next();
      calibration.observe(innovations.y, target);
    }
    double sum = 0.0, squares = 0.0;
    constexpr int kHeldOut = 2000;
    for (int n = 0; n < kHeldOut; ++n) {
      Target target = innovations.next();
      target.temperature = calibration.temperature();
      const double nis = 2.0 * Gaussian(target).value(innovations.y);
      sum += nis;
      squares += nis * nis;
    }
    const double mean = sum / kHeldOut, error = std::sqrt((squares / kHeldOut - mean * mean) / kHeldOut);
    EXPECT_NEAR(mean, kChannels, 3.0 * error);
  }
}

TEST(TemperatureCalibration, IsExactOnWhatItHasSeen) {
  constexpr int kSeen = 50;
  TemperatureCalibration calibration;
  Innovations innovations{Random(3), 2.5}, again = innovations;
  for (int n = 0; n < kSeen; ++n) {
    const Target target = innovations.next();
    calibration.observe(innovations.y, target);
  }
  double sum = 0.0;
  for (int n = 0; n < kSeen; ++n) {
    Target target = again.next();
    target.temperature = calibration.temperature();
    sum += 2.0 * Gaussian(target).value(again.y);
  }
  EXPECT_NEAR(sum / kSeen, kChannels, 1e-9);
}

TEST(TemperatureCalibration, DoesNotCountTheTemperatureItAlreadyHas) {
  Innovations innovations{Random(4), 2.0};
  TemperatureCalibration cold, warm;
  for (int n = 0; n < 100; ++n) {
    Target target = innovations.next();
    cold.observe(innovations.y, target);
    target.temperature = 7.0;
    warm.observe(innovations.y, target);
  }
  EXPECT_EQ(cold.temperature(), warm.temperature());
}

TEST(TemperatureCalibration, LeavesOutWhatIsNotFinite) {
  TemperatureCalibration calibration;
  calibration.add(NAN, 3);
  calibration.add(HUGE_VAL, 3);
  calibration.add(-1.0, 3);
  calibration.add(5.0, 0);
  calibration.add(5.0, -1);
  calibration.observe(Vector{NAN}, {kNoise});
  calibration.observe(Vector{HUGE_VAL}, {kNoise});
  calibration.observe(Vector{1.0}, Target{});
  EXPECT_EQ(calibration.channels(), 0);
  EXPECT_EQ(calibration.temperature(), 1.0);
}

TEST(TemperatureCalibration, NeverSaysZero) {
  TemperatureCalibration calibration;
  calibration.observe(Vector{static_cast<double>(kNoise[0])}, {kNoise});
  EXPECT_EQ(calibration.channels(), 1);
  EXPECT_GT(calibration.temperature(), 0.0);
}

}  // namespace
}  // namespace elastane
