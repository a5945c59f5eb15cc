// Tests elastane/core/forecast/forecaster.cpp: a row asks nothing of the allocator, of locks or of the system.
#include "elastane/core/forecast/forecaster.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "elastane/core/base/clock.h"
#include "tests/core/forecast/forecasters.h"
#include "tests/realtime/watched_run.h"

namespace elastane {
namespace {

TEST(WatchedForecaster, ARowIsQuietWhateverTheLearningTheGateAndTheBudget) {
  if (!kCanWatch) GTEST_SKIP() << "sanitizers interpose the allocator and the locks themselves";
  const Verdict clock = run_watched([] { return now_micros() > 0; });
  if (clock.system_call == SYS_clock_gettime) GTEST_SKIP() << "this machine cannot tell the time without the system";
  const auto model = blank_forecast_model(small_config());
  ForecastRows rows = made_rows(500, 1);
  for (std::size_t t = 0; t < rows.size(); t += 7) rows[t][t % 2] = t % 3 == 0 ? kGap : 1e9;
  for (const Learning learning :
       {Learning::kalman, Learning::latent_covariance, Learning::exact, Learning::euclidean}) {
    for (const Gate gate : {Gate::always, Gate::gain, Gate::never}) {
      Forecaster f(model, {.learning = learning, .gate = {.kind = gate, .price = 0.01}});
      const Verdict verdict = run_watched([&] {
        for (std::size_t t = 0; t < rows.size(); ++t) {
          const Budget budget = t % 3 == 0 ? Budget{} : t % 3 == 1 ? Budget::micros(20) : Budget::macs(500);
          f.observe_at(t + t / 100, rows[t], budget);
        }
        f.forget_rows();
        return f.observe(rows[0]).labels == 2 || f.rows() > 0;
      });
      EXPECT_EQ(verdict.system_call, -1) << "see asm/unistd_64.h for its name";
      EXPECT_TRUE(verdict.finished && verdict.succeeded);
      EXPECT_EQ(verdict.requests.allocations, 0);
      EXPECT_EQ(verdict.requests.locks, 0);
    }
  }
}

}  // namespace
}  // namespace elastane
