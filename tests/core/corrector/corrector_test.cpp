// Tests of elastane/core/corrector/corrector.cpp: gates, memory and copies. The laws of its steps are in tests/laws.
#include "elastane/core/corrector/corrector.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "tests/isa.h"
#include "tests/laws/latents.h"

namespace elastane {
namespace {

constexpr int kD = 7, kM = 4;

const Kernels& machine() { return *kernels(test_isa()).value(); }

Vector random_point(Random& random, int n) {
  Vector z(n);
  for (double& v : z) v = random.normal();
  return z;
}

bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

// a learned metric of rank two
struct Learned {
  Learned() : diagonal(kD, 1.5), factor(2 * double_stride(kD)) {
    for (int i = 0; i < kD; ++i) factor[i] = 0.1 * i, factor[double_stride(kD) + i] = 0.3;
  }
  LearnedMetric view() const { return {diagonal.data(), {factor.data(), 2, double_stride(kD)}}; }
  Vector diagonal, factor;
};

constexpr Metric kPlainMetrics[] = {
    Metric::euclidean, Metric::fixed, Metric::latent_covariance,  Metric::learned, Metric::literal,
    Metric::sketch,    Metric::exact, Metric::conjugate_gradient, Metric::kalman,
};

// T corrections from one start; the same objectives for the same seed
struct Course {
  explicit Course(const CorrectorOptions& options, std::uint64_t seed = 3)
      : corrector(options, kD, kM, machine(), learned.view()), memory(corrector.memory_doubles()), random(seed, 500) {
    corrector.reset(memory.data());
    z = random_point(random, kD);
  }
  StepReport step() {
    const SquaredError objective(random_point(random, kM));
    return corrector.correct(model, objective, Budget::none(), z, y, memory.data());
  }

  Learned learned;
  TanhLatent model{kD, 12, kM, 5, 1.5};
  Corrector corrector;
  Vector memory, z, y = Vector(kM);
  Random random;
};

CorrectorOptions of(Metric kind) { return {.metric = {.kind = kind, .rank = 3, .warm_up = 5}}; }

TEST(Corrector, ChoosesItsMetricBySizeWhenLeftTo) {
  EXPECT_EQ(Corrector({}, 500, 8, machine()).metric(), Metric::exact);
  EXPECT_EQ(Corrector({}, 8, 500, machine()).metric(), Metric::exact);
  EXPECT_EQ(Corrector({}, 500, 500, machine()).metric(), Metric::conjugate_gradient);
  EXPECT_EQ(Corrector(of(Metric::sketch), 500, 8, machine()).metric(), Metric::sketch);
}

TEST(Corrector, GivesTheSameBitsFromTheSameStart) {
  for (const Metric kind : kPlainMetrics) {
    Course first(of(kind)), second(of(kind));
    for (int t = 0; t < 30; ++t) {
      const StepReport a = first.step(), b = second.step();
      ASSERT_TRUE(same_bits(first.z, second.z) && same_bits(first.y, second.y)) << name(kind) << ", step " << t;
      ASSERT_TRUE(same_bits(first.memory, second.memory)) << name(kind) << ", step " << t;
      ASSERT_EQ(a.stop, b.stop);
      ASSERT_EQ(a.kappa, b.kappa);
      ASSERT_EQ(a.total_macs(), b.total_macs());
    }
  }
}

TEST(Corrector, ForgetsAllWhenReset) {
  for (const Metric kind : kPlainMetrics) {
    Course used(of(kind)), fresh(of(kind));
    for (int t = 0; t < 20; ++t) used.step();
    used.corrector.reset(used.memory.data());
    ASSERT_TRUE(same_bits(used.memory, fresh.memory)) << name(kind);
    used.z = fresh.z;
    used.random = fresh.random;
    for (int t = 0; t < 20; ++t) used.step(), fresh.step();
    EXPECT_TRUE(same_bits(used.z, fresh.z) && same_bits(used.memory, fresh.memory)) << name(kind);
  }
}

TEST(Corrector, KeepsAllThatLastsInTheCallersMemory) {
  // two latents take turns on one corrector, each with a memory of its own: as if each had its own corrector
  for (const Metric kind : kPlainMetrics) {
    Course alone(of(kind), 3), other_alone(of(kind), 4), shared(of(kind), 3), guest(of(kind), 4);
    for (int t = 0; t < 20; ++t) {
      alone.step();
      other_alone.step();
      shared.step();
      const SquaredError objective(random_point(guest.random, kM));
      shared.corrector.correct(shared.model, objective, Budget::none(), guest.z, guest.y, guest.memory.data());
    }
    EXPECT_TRUE(same_bits(alone.z, shared.z) && same_bits(alone.memory, shared.memory)) << name(kind);
    EXPECT_TRUE(same_bits(other_alone.z, guest.z) && same_bits(other_alone.memory, guest.memory)) << name(kind);
  }
}

TEST(Corrector, ContinuesFromACopyOfItsMemoryWhereverThatLies) {
  for (const Metric kind : kPlainMetrics) {
    Course run(of(kind)), restored(of(kind));
    for (int t = 0; t < 10; ++t) run.step();
    restored.memory = run.memory;
    restored.z = run.z;
    restored.random = run.random;
    for (int t = 0; t < 10; ++t) {
      run.step();
      restored.step();
      Vector moved = restored.memory;  // another place in every step
      std::swap(restored.memory, moved);
    }
    EXPECT_TRUE(same_bits(run.z, restored.z) && same_bits(run.memory, restored.memory)) << name(kind);
  }
}

TEST(Corrector, CopiesAndMovesWorkOnTheirOwn) {
  for (const Metric kind : kPlainMetrics) {
    Course run(of(kind)), twin(of(kind));
    for (int t = 0; t < 5; ++t) run.step(), twin.step();
    // a copy, while the original continues with something else
    Corrector copy(run.corrector);
    Course noise(of(kind), 9);
    for (int t = 0; t < 5; ++t) {
      const SquaredError objective(random_point(noise.random, kM));
      run.corrector.correct(noise.model, objective, Budget::none(), noise.z, noise.y, noise.memory.data());
    }
    run.corrector = copy;
    run.step(), twin.step();
    Corrector moved(std::move(copy));
    run.corrector = std::move(moved);
    run.step(), twin.step();
    EXPECT_TRUE(same_bits(run.z, twin.z) && same_bits(run.memory, twin.memory)) << name(kind);
  }
}

TEST(Corrector, AnticipationChangesNothingButTheCost) {
  for (const Metric kind : kPlainMetrics) {
    Course plain(of(kind)), ahead(of(kind));
    for (int t = 0; t < 20; ++t) {
      ahead.corrector.anticipate(ahead.model, ahead.z, ahead.memory.data());
      const StepReport whole = plain.step(), rest = ahead.step();
      ASSERT_TRUE(same_bits(plain.z, ahead.z) && same_bits(plain.memory, ahead.memory)) << name(kind) << ", " << t;
      ASSERT_EQ(whole.stop, rest.stop);
      ASSERT_LT(rest.total_macs(), whole.total_macs());
    }
  }
}

TEST(Corrector, DoesNotUseWhatWasAnticipatedElsewhere) {
  for (const Metric kind : kPlainMetrics) {
    Course plain(of(kind)), ahead(of(kind));
    Random random(77);
    const Vector elsewhere = random_point(random, kD);
    ahead.corrector.anticipate(ahead.model, elsewhere, ahead.memory.data());
    const StepReport whole = plain.step(), same = ahead.step();
    EXPECT_TRUE(same_bits(plain.z, ahead.z) && same_bits(plain.memory, ahead.memory)) << name(kind);
    EXPECT_EQ(whole.total_macs(), same.total_macs());
  }
}

TEST(Gate, OfNeverIsAFrozenModel) {
  CorrectorOptions options = of(Metric::exact);
  options.gate = {.kind = Gate::never, .depth = 5};
  Course run(options);
  const Vector before = run.z, memory = run.memory;
  const StepReport report = run.step();
  EXPECT_EQ(report.stop, Stop::completed);
  EXPECT_EQ(report.depth, 0);
  EXPECT_TRUE(same_bits(run.z, before) && same_bits(run.memory, memory));
  Vector y(kM);
  run.model.output(run.z, y);
  EXPECT_EQ(run.y, y) << "the outputs are there all the same";
}

TEST(Gate, OfAlwaysTakesItsDepthWhileStepsAreAccepted) {
  CorrectorOptions options = of(Metric::exact);
  options.gate.depth = 6;
  int completed = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Course run(options, seed);
    const StepReport report = run.step();
    EXPECT_LE(report.depth, 6);
    if (report.stop == Stop::completed) {
      EXPECT_EQ(report.depth, 6);
      EXPECT_EQ(report.accepted, 6);
      ++completed;
    } else {
      EXPECT_EQ(report.accepted, report.depth - 1) << name(report.stop);
    }
  }
  EXPECT_GT(completed, 10);
}

TEST(Gate, OfGainStopsBelowItsPrice) {
  CorrectorOptions options = of(Metric::exact);
  options.gate = {.kind = Gate::gain, .depth = 20, .price = 0.01};
  int by_loss = 0, by_gain = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Course run(options, seed);
    const StepReport report = run.step();
    if (report.stop != Stop::gate) continue;
    if (report.loss_after <= 0.01) {
      EXPECT_EQ(report.accepted, report.depth) << "not worth looking at the gradient";
      ++by_loss;
    } else {
      EXPECT_EQ(report.accepted, report.depth - 1);
      EXPECT_LE(report.predicted, 0.01);
      ++by_gain;
    }
  }
  EXPECT_GT(by_loss, 5);
  EXPECT_GT(by_gain, 5);
}

TEST(Gate, OfGainWithAHighPriceDoesNothing) {
  CorrectorOptions options = of(Metric::exact);
  options.gate = {.kind = Gate::gain, .depth = 3, .price = 1e6};
  Course run(options);
  const Vector before = run.z, memory = run.memory;
  const StepReport report = run.step();
  EXPECT_EQ(report.stop, Stop::gate);
  EXPECT_EQ(report.depth, 0);
  EXPECT_TRUE(same_bits(run.z, before) && same_bits(run.memory, memory));
}

TEST(Report, SaysWhatWasDone) {
  Course run(of(Metric::exact));
  for (int t = 0; t < 20; ++t) {
    const Vector before = run.z;
    const StepReport report = run.step();
    EXPECT_EQ(report.metric, Metric::exact);
    EXPECT_EQ(report.radius, run.memory[0]);
    EXPECT_EQ(report.accepted > 0, !same_bits(before, run.z));
    EXPECT_EQ(report.horizon_before, report.loss_before) << "H = 1";
    EXPECT_EQ(report.horizon_after, report.loss_after);
    EXPECT_GE(report.condition, 1.0);
    EXPECT_GE(report.elapsed, 0.0);
    double micros = 0;
    for (const double stage : report.micros) micros += stage;
    EXPECT_NEAR(micros, report.elapsed, 1e-6 * (1 + report.elapsed)) << "every moment belongs to a stage";
    EXPECT_EQ(report.overrun, 0.0);
  }
}

TEST(Report, HasANameForEveryReasonAndStage) {
  for (int i = 0; i <= static_cast<int>(Stop::not_replayable); ++i) EXPECT_FALSE(name(static_cast<Stop>(i)).empty());
  for (int i = 0; i < kStages; ++i) EXPECT_FALSE(name(static_cast<Stage>(i)).empty());
  EXPECT_EQ(name(Stop::not_replayable), "not_replayable");
  EXPECT_EQ(name(Stage::other), "other");
}

TEST(MetricNames, AreReadBack) {
  for (int i = 0; i <= static_cast<int>(Metric::native); ++i) {
    const auto kind = static_cast<Metric>(i);
    EXPECT_EQ(parse_metric(name(kind)).value(), kind);
  }
  const auto unknown = parse_metric("riemann");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("\"riemann\""), std::string::npos) << unknown.error();
  EXPECT_NE(unknown.error().find("sketch"), std::string::npos) << unknown.error();
}

}  // namespace
}  // namespace elastane
