// Tests of elastane/core/gate/, core/allocate.cpp and core/depth_trial.h: what a gate that decides once grants, what it
// looks at and remembers, what it costs, and what each depth would have come to.
#include <gtest/gtest.h>

#include <numeric>

#include "elastane/core/depth_trial.h"
#include "tests/core/gates.h"
#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr int kD = 5, kM = 3, kDepths = 4;

// one whose only say is how much log ℓ exceeds `edge`
LearnedGate loss_gate(double edge, GateReadout readout, GateSight sees = GateSight::loss) {
  LearnedGate gate{.sees = sees, .readout = readout};
  gate.hidden_weight.assign(kOwnGateFeatures, 0.0);
  gate.hidden_weight[0] = 1;
  gate.hidden_bias = {-edge};
  for (int k = 0; k < kDepths; ++k) {
    gate.score_weight.push_back(readout == GateReadout::argmax ? 4.0 * k : -4.0);
    gate.score_bias.push_back(readout == GateReadout::argmax ? -k * k : 1.0 * k);
  }
  return gate;
}

struct Streamed {
  std::vector<StepReport> reports;
  std::vector<Vector> features, latents;
  Vector memory;
};

// a stream of targets, some of them far off
Streamed run(const CorrectorOptions& options, const LearnedGate& gate, int steps = 200, std::uint64_t seed = 3,
             const Budget& budget = Budget::none()) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  LoneCorrector lone(options, model, {}, gate);
  Random random(seed);
  SquaredError objective(Vector(kM, 0.0));
  Streamed all;
  for (int t = 0; t < steps; ++t) {
    objective.target = random_point(random, kM, t % 7 == 0 ? 1.0 : 0.1);
    Vector z = random_point(random, kD, 0.3);
    all.reports.push_back(lone.correct(model, objective, z, budget));
    const auto seen = lone.corrector.gate_features();
    all.features.emplace_back(seen.begin(), seen.end());
    all.latents.push_back(z);
  }
  all.memory = lone.memory;
  return all;
}

CorrectorOptions with(GateOptions gate) { return {.metric = {.kind = Metric::exact}, .gate = std::move(gate)}; }

double share_refined(const Streamed& run) {
  double refined = 0;
  for (const StepReport& report : run.reports) refined += report.granted > 0 ? 1 : 0;
  return refined / static_cast<double>(run.reports.size());
}

// --- what it grants

TEST(LearnedGate, GrantsNoLessWhereTheLossIsHigher) {
  for (const GateReadout readout : {GateReadout::argmax, GateReadout::ponder, GateReadout::act}) {
    const LearnedGate gate = loss_gate(-2, readout);
    double a[1], o[kDepths], f[kOwnGateFeatures] = {};
    int before = 0;
    for (double log_loss = -20; log_loss < 20; log_loss += 0.05) {
      f[0] = log_loss;
      gate.score(f, a, o);
      const int depth = gate.depth(o, gate.threshold());
      EXPECT_GE(depth, before) << name(readout);
      before = depth;
    }
    EXPECT_GT(before, 0) << name(readout);
  }
}

TEST(LearnedGate, GrantsTheDepthOfTheHighestScore) {
  Random random(5);
  const LearnedGate gate = random_gate(1);
  for (int i = 0; i < 1000; ++i) {
    const Vector o = random_point(random, kDepths);
    EXPECT_EQ(gate.depth(o.data(), gate.threshold()), std::max_element(o.begin(), o.end()) - o.begin());
  }
}

TEST(LearnedGate, HaltsWhereHalfOfAllWouldHaveHalted) {
  Random random(5);
  const LearnedGate gate = random_gate(1, {.readout = GateReadout::ponder});
  for (int i = 0; i < 1000; ++i) {
    const Vector o = random_point(random, kDepths);
    double on = 1;  // who has not halted yet
    int expected = 0;
    for (; expected < kDepths - 1; ++expected) {
      on *= 1 - 1 / (1 + std::exp(-o[expected]));
      if (on <= 0.5) break;
    }
    EXPECT_EQ(gate.depth(o.data(), gate.threshold()), expected);
  }
}

TEST(LearnedGate, OfAHigherThresholdRefinesNoMore) {
  Random random(5);
  for (const GateReadout readout : {GateReadout::argmax, GateReadout::ponder, GateReadout::act}) {
    const LearnedGate gate = random_gate(1, {.readout = readout});
    for (int i = 0; i < 200; ++i) {
      const Vector o = random_point(random, kDepths);
      EXPECT_EQ(gate.depth(o.data(), gate.urgency(o.data())), 0);
      EXPECT_GT(gate.depth(o.data(), gate.urgency(o.data()) - 1e-9), 0);
    }
  }
}

TEST(LearnedGate, RefinesTheShareOfStepsThatItIsAskedFor) {
  LearnedGate gate = loss_gate(-2, GateReadout::argmax);
  // quantiles of urgency on a stream like the one below
  std::vector<double> urgencies;
  for (const Vector& f : run(with({.kind = Gate::learned}), gate, 4000, 11).features) {
    double a[1], o[kDepths];
    gate.score(f.data(), a, o);
    urgencies.push_back(gate.urgency(o));
  }
  std::sort(urgencies.begin(), urgencies.end());
  for (int q = 0; q <= 100; ++q) gate.quantiles.push_back(urgencies[q * (urgencies.size() - 1) / 100]);
  double before = -1;
  for (const double share : {0.0, 0.1, 0.3, 0.7, 1.0}) {
    const double found = share_refined(run(with({.kind = Gate::learned, .share = share}), gate, 4000));
    EXPECT_NEAR(found, share, 0.02);
    EXPECT_GT(found, before);
    before = found;
  }
}

TEST(LearnedGate, KeepsItsShareOnAStreamThatIsUnlikeItsLessons) {
  LearnedGate gate = loss_gate(-2, GateReadout::argmax);
  gate.quantiles = {-100, -50};  // of another world
  for (const double share : {0.1, 0.3}) {
    const GateOptions options{.kind = Gate::learned, .share = share};
    EXPECT_GT(share_refined(run(with(options), gate, 4000)), 0.9);
    GateOptions follows = options;
    follows.follow = true;
    EXPECT_NEAR(share_refined(run(with(follows), gate, 20'000)), share, 0.03);
  }
}

TEST(RandomGate, DrawsItsHistogramAndTheSameEachTime) {
  const GateOptions gate{.kind = Gate::random, .depth = 3, .histogram = {6, 0, 3, 1}, .seed = 9};
  const Streamed first = run(with(gate), {}, 5000), second = run(with(gate), {}, 5000);
  std::vector<double> counts(4);
  for (std::size_t t = 0; t < first.reports.size(); ++t) {
    EXPECT_EQ(first.reports[t].granted, second.reports[t].granted);
    counts[static_cast<std::size_t>(first.reports[t].granted)] += 1.0 / 5000;
  }
  EXPECT_NEAR(counts[0], 0.6, 0.03);
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[2], 0.3, 0.03);
  EXPECT_NEAR(counts[3], 0.1, 0.03);
}

TEST(KappaGate, RefinesWhereKappaIsAboveItsThreshold) {
  constexpr double kEdge = 1.0;
  const Streamed all = run(with({.kind = Gate::kappa, .depth = 2, .threshold = kEdge}), {});
  int refined = 0;
  for (std::size_t t = 0; t < all.reports.size(); ++t) {
    if (all.features[t].empty()) continue;
    const bool above = all.features[t][1] > std::log(kEdge);
    EXPECT_EQ(all.reports[t].granted, above ? 2 : 0);
    EXPECT_EQ(all.reports[t].stop == Stop::gate, !above);
    refined += above ? 1 : 0;
  }
  EXPECT_GT(refined, 10);
  EXPECT_LT(refined, 190);
}

// --- what it looks at

TEST(Gatekeeper, LooksAtTheLossAtWhatItCameFromAndAtWhatTheModelAdds) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  model.added = {2.5, std::nan(""), 1e99};
  for (const GateSight sees : {GateSight::loss, GateSight::solve}) {
    LoneCorrector lone(with({.kind = Gate::random, .depth = 2, .sees = sees, .histogram = {0, 0, 1}}), model);
    Random random(4);
    double log_kappa = 0, log_gradient = 0, mean = 0;
    int before = 0;
    Vector last;
    for (int t = 0; t < 50; ++t) {
      const SquaredError objective(random_point(random, kM));
      Vector z = random_point(random, kD, 0.3);
      const Vector proposal = z;
      Vector y(kM);
      model.linearise(z, y);
      const StepReport report = lone.correct(model, objective, z);
      const auto f = lone.corrector.gate_features();
      ASSERT_EQ(f.size(), kOwnGateFeatures + model.added.size());
      const double log_loss = std::log(report.loss_before);
      EXPECT_DOUBLE_EQ(f[0], log_loss);
      if (sees == GateSight::loss) {
        EXPECT_DOUBLE_EQ(f[1], log_kappa);
        EXPECT_DOUBLE_EQ(f[2], log_gradient);
      }
      if (t == 0) {
        EXPECT_DOUBLE_EQ(f[4], log_loss);
        EXPECT_EQ(f[5], 0);
      } else {
        double moved = 0;
        for (int i = 0; i < kD; ++i) moved += (proposal[i] - last[i]) * (proposal[i] - last[i]);
        EXPECT_NEAR(f[3], 0.5 * std::log(moved / kD), 1e-12);
        EXPECT_NEAR(f[4], mean, 1e-12);
        EXPECT_EQ(std::signbit(f[5]), std::signbit(log_loss - mean));
      }
      EXPECT_EQ(f[6], before);
      EXPECT_EQ(f[7], 2.5);
      EXPECT_EQ(f[8], 0);    // no number
      EXPECT_EQ(f[9], 1e6);  // beyond it says no more
      for (const double value : f) EXPECT_TRUE(std::isfinite(value));

      mean += std::max(0.05, 1.0 / (t + 1)) * (log_loss - mean);
      log_kappa = std::log(report.kappa);
      before = report.depth;
      last = z;
      // the gradient's length where the last micro-step began is not in the report
      log_gradient = lone.memory[lone.memory.size() - column_stride(kD) - 3];
    }
  }
}

TEST(Gatekeeper, SeesTheSolveOfThisVeryStepWhereItWaitsForIt) {
  const GateOptions gate{.kind = Gate::random, .depth = 1, .sees = GateSight::solve, .histogram = {0, 1}};
  const Streamed all = run(with(gate), {});
  for (std::size_t t = 0; t < all.reports.size(); ++t) {
    if (all.reports[t].depth != 1) continue;
    EXPECT_DOUBLE_EQ(all.features[t][1], std::log(all.reports[t].kappa));
  }
}

TEST(Gatekeeper, KeepsToFiniteNumbersWhateverItsMemoryHolds) {
  Random random(8);
  TanhLatent model(kD, 6, kM, 3, 1.0);
  LearnedGate gate = random_gate(2);
  gate.quantiles = {-1, 1};
  for (const GateOptions& options : {GateOptions{.kind = Gate::learned, .share = 0.5, .follow = true},
                                     GateOptions{.kind = Gate::random, .depth = 3}}) {
    for (int i = 0; i < 300; ++i) {
      LoneCorrector lone(with(options), model, {}, gate);
      const std::size_t kept = lone.corrector.memory_doubles() - 8 - column_stride(kD);
      for (std::size_t at = kept; at < lone.memory.size(); ++at) {
        lone.memory[at] = random.sign() * std::pow(10.0, random.uniform(-320, 308));
      }
      for (int t = 0; t < 5; ++t) {
        const SquaredError objective(random_point(random, kM));
        Vector z = random_point(random, kD);
        lone.correct(model, objective, z);
        EXPECT_TRUE(all_finite(lone.corrector.gate_features()));
        EXPECT_TRUE(all_finite(lone.memory));
      }
    }
  }
}

TEST(Gatekeeper, LearnsNothingFromAStepWithoutAnObservation) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  LoneCorrector lone(with({.kind = Gate::learned}), model, {}, random_gate(2));
  SquaredError objective(Vector(kM, 0.3));
  Vector z(kD, 0.1);
  lone.correct(model, objective, z);
  const Vector before = lone.memory;
  class Nothing final : public SquaredError {
   public:
    using SquaredError::SquaredError;
    bool empty() const override { return true; }
  } nothing(Vector(kM, 0.3));
  EXPECT_EQ(lone.correct(model, nothing, z).stop, Stop::nothing_observed);
  EXPECT_EQ(lone.memory, before);
}

// --- what a step costs

// says that only every third trial is any good, so that every micro-step uses all it may
class Reluctant final : public SquaredError {
 public:
  using SquaredError::SquaredError;
  double value(std::span<const double> y) const override {
    const double loss = SquaredError::value(y);
    if (calls++ == 0) return loss;  // of the proposal
    return calls % 3 == 1 ? loss : 1e6;
  }
  mutable int calls = 0;
};

TEST(Cost, OfAStepThatUsesAllItMayIsTheStatedBoundExactly) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  for (const GateSight sees : {GateSight::loss, GateSight::solve}) {
    for (const Metric metric : {Metric::euclidean, Metric::exact, Metric::sketch, Metric::conjugate_gradient}) {
      LearnedGate gate = random_gate(2, {.sees = sees});
      gate.score_bias.back() = 1e3;  // always K_max
      CorrectorOptions options = with({.kind = Gate::learned});
      options.metric.kind = metric;
      options.metric.products = 2;
      options.trust.low = 1e-6;
      LoneCorrector lone(options, model, {}, gate);
      const Reluctant objective(Vector{0.9, -0.7, 0.8});
      Vector z(kD, 0.1);
      const StepReport report = lone.correct(model, objective, z);
      EXPECT_EQ(report.granted, kDepths - 1);
      ASSERT_EQ(report.trials, 3 * (kDepths - 1)) << name(metric) << ' ' << name(report.stop);
      EXPECT_EQ(report.total_madds(), lone.corrector.most_madds(model.cost())) << name(metric);
      EXPECT_EQ(report.total_madds(),
                lone.corrector.gate_madds() + (kDepths - 1) * lone.corrector.micro_step_madds(model.cost()));
      EXPECT_EQ(report.madds[static_cast<int>(Stage::gate)], 6 * kOwnGateFeatures + 6 * kDepths + kD);
    }
  }
}

TEST(Cost, OfAStepThatGetsNothingIsItsReadAndTheGate) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  const SquaredError objective(Vector{0.9, -0.7, 0.8});
  for (const GateSight sees : {GateSight::loss, GateSight::solve}) {
    LearnedGate gate = random_gate(2, {.sees = sees});
    gate.score_bias.front() = 1e3;  // never
    LoneCorrector lone(with({.kind = Gate::learned}), model, {}, gate);
    Vector z(kD, 0.1);
    const Vector before = z;
    const StepReport report = lone.correct(model, objective, z);
    EXPECT_EQ(report.stop, Stop::gate);
    EXPECT_EQ(report.granted, 0);
    EXPECT_EQ(report.depth, 0);
    EXPECT_EQ(z, before);
    const std::int64_t look = report.total_madds() - model.cost().read - lone.corrector.gate_madds();
    const bool solves = sees == GateSight::solve;
    EXPECT_EQ(look > 0, solves);
    EXPECT_EQ(report.kappa > 0, solves);
    EXPECT_GE(look, solves ? model.cost().vjp : 0);
  }
}

TEST(Cost, NeverExceedsABudgetOfCountedWork) {
  for (const GateSight sees : {GateSight::loss, GateSight::solve}) {
    const LearnedGate gate = random_gate(4, {.sees = sees});
    const CorrectorOptions options = with({.kind = Gate::learned});
    TanhLatent model(kD, 6, kM, 3, 1.0);
    const LoneCorrector lone(options, model, {}, gate);
    const std::int64_t read = model.cost().read, most = lone.corrector.most_madds(model.cost());
    int cut = 0;
    for (std::int64_t limit = read; limit <= most + 100; limit += 37) {
      for (const StepReport& report : run(options, gate, 20, 3, Budget::madds(static_cast<double>(limit))).reports) {
        ASSERT_LE(report.total_madds(), limit);
        cut += report.cut ? 1 : 0;
      }
    }
    EXPECT_GT(cut, 0);
    for (const StepReport& report : run(options, gate, 50, 3, Budget::madds(static_cast<double>(most))).reports) {
      EXPECT_FALSE(report.cut);
    }
  }
}

// --- what each depth comes to

TEST(DepthTrial, ComesToWhatACorrectorOfThatDepthComesTo) {
  TanhLatent model(kD, 6, kM, 3, 2.0);
  for (const Metric metric : {Metric::euclidean, Metric::exact, Metric::sketch, Metric::kalman}) {
    for (const double drift : {0.0, 0.1}) {
      CorrectorOptions options = {.metric = {.kind = metric, .rank = 3}, .gate = {.depth = 4}};
      options.retraction.drift = drift;
      DepthTrial trial(options, kD, kM, *kernels(test_isa()).value());
      Random random(6);
      for (int t = 0; t < 30; ++t) {
        const SquaredError objective(random_point(random, kM));
        const Vector z = random_point(random, kD);
        LoneCorrector start(options, model);
        int visited = 0;
        trial.run(model, objective, z, start.memory.data(), [&](int depth, auto at, auto y) {
          EXPECT_EQ(depth, visited++);
          CorrectorOptions deep = options;
          deep.gate.depth = depth;
          LoneCorrector lone(deep, model);
          Vector moved = z;
          lone.correct(model, objective, moved);
          EXPECT_EQ(moved, Vector(at.begin(), at.end())) << name(metric) << ", depth " << depth;
          EXPECT_EQ(lone.y, Vector(y.begin(), y.end()));
        });
        EXPECT_EQ(visited, 5);
      }
    }
  }
}

TEST(Drift, HoldsALatentNearerToWhatWasProposed) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  Random random(6);
  double free = 0, held = 0;
  for (int t = 0; t < 50; ++t) {
    const SquaredError objective(random_point(random, kM));
    const Vector start = random_point(random, kD, 0.3);
    for (const double drift : {0.0, 0.2}) {
      CorrectorOptions options = {.metric = {.kind = Metric::euclidean}, .gate = {.depth = 6}};
      options.retraction.drift = drift;
      LoneCorrector lone(options, model);
      Vector z = start;
      const StepReport report = lone.correct(model, objective, z);
      EXPECT_LE(report.loss_after, report.loss_before);
      double away = 0;
      for (int i = 0; i < kD; ++i) away += (z[i] - start[i]) * (z[i] - start[i]);
      (drift > 0 ? held : free) += away;
    }
  }
  EXPECT_LT(held, 0.9 * free);
}

// --- what is refused

TEST(GateOptions, ThatMakeNoSenseAreRefused) {
  const auto refusal = [](GateOptions gate) { return validate(with(std::move(gate))).error(); };
  EXPECT_EQ(refusal({.kind = Gate::learned, .depth = 65}), "[corrector] gate.depth: expected 0 to 64, found 65");
  EXPECT_EQ(refusal({.share = 1.5}), "[corrector] gate.share: expected 0 to 1, or below 0 for as trained, found 1.5");
  EXPECT_NE(refusal({.follow = true}).find("since it is to be followed"), std::string::npos);
  EXPECT_NE(refusal({.threshold = std::nan("")}).find("gate.threshold"), std::string::npos);
  EXPECT_NE(refusal({.kind = Gate::random, .depth = 2, .histogram = {1, 1}}).find("3 weights"), std::string::npos);
  EXPECT_NE(refusal({.kind = Gate::random, .depth = 1, .histogram = {1, -1}}).find("at least 0"), std::string::npos);
  EXPECT_NE(refusal({.kind = Gate::random, .depth = 1, .histogram = {0, 0}}).find("above 0"), std::string::npos);
}

TEST(LearnedGate, WhoseNumbersDoNotFitEachOtherIsRefused) {
  EXPECT_TRUE(validate(random_gate(1)));
  const auto refusal = [](auto change) {
    LearnedGate gate = random_gate(1);
    change(gate);
    return validate(gate).error();
  };
  EXPECT_NE(refusal([](LearnedGate& g) { g.hidden_bias.clear(); }).find("hidden.bias: expected 1 to 64"),
            std::string::npos);
  EXPECT_NE(refusal([](LearnedGate& g) { g.hidden_weight.pop_back(); }).find("hidden.weight"), std::string::npos);
  EXPECT_NE(
      refusal([](LearnedGate& g) { g.score_weight.pop_back(); }).find("score.weight: expected 24 numbers, found 23"),
      std::string::npos);
  EXPECT_NE(refusal([](LearnedGate& g) { g.score_bias.assign(66, 0); }).find("1 to 65 depths, found 66"),
            std::string::npos);
  EXPECT_NE(refusal([](LearnedGate& g) { g.score_bias[1] = std::nan(""); }).find("finite"), std::string::npos);
  EXPECT_NE(refusal([](LearnedGate& g) { g.quantiles = {1, 0}; }).find("ascending"), std::string::npos);
}

}  // namespace
}  // namespace elastane
