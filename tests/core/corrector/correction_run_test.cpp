// Tests of elastane/core/corrector/correction_run.cpp: whatever an objective or a label brings, the state stays what it
// was or gets better, the report says why, and the stream continues (law G13).
#include <gtest/gtest.h>

#include "elastane/core/corrector/corrector.h"
#include "tests/core/corrected.h"

namespace elastane {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = HUGE_VAL;

// one objective now, another one ahead
class Ahead final : public Objective {
 public:
  Ahead(const Objective& now, const Objective& then) : now_(now), then_(then) {}
  double value(std::span<const double> y) const override { return now_.value(y); }
  void gradient(std::span<const double> y, std::span<double> gradient) const override { now_.gradient(y, gradient); }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    now_.gauss_newton(y, u, wu);
  }
  const Objective& at(int h) const override { return h == 0 ? *this : then_; }

 private:
  const Objective &now_, &then_;
};

// does not depend on the output
class Flat final : public Objective {
 public:
  double value(std::span<const double>) const override { return 3.0; }
  void gradient(std::span<const double>, std::span<double> gradient) const override {
    std::fill(gradient.begin(), gradient.end(), 0.0);
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows, DoubleRows wu) const override {
    for (int r = 0; r < wu.count; ++r) std::fill_n(wu[r], y.size(), 0.0);
  }
};

// forbids what lowers its loss: the first output must not rise
class Forbidding final : public Objective {
 public:
  Forbidding(const Objective& loss, bool forbids) : loss_(loss), forbids_(forbids) {}
  double value(std::span<const double> y) const override { return loss_.value(y); }
  void gradient(std::span<const double> y, std::span<double> gradient) const override { loss_.gradient(y, gradient); }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    loss_.gauss_newton(y, u, wu);
  }
  double violation(std::span<const double> y) const override { return forbids_ ? 100 + y[0] : 0; }

 private:
  const Objective& loss_;
  bool forbids_;
};

class RefinedStream : public testing::TestWithParam<CorrectedModel> {
 protected:
  const CorrectedModel& of = GetParam();
  const Model model = of.model();

  Stream stream_with(Metric metric, int horizon, Retraction retraction = Retraction::second_order) const {
    StreamOptions options = with_metric(metric, of.latent);
    options.corrector->trust.horizon = horizon;
    options.corrector->retraction.kind = retraction;
    options.corrector->gate.depth = 2;
    Stream stream(model, options);
    for (int t = 0; t < 6; ++t) live(stream, t);
    return stream;
  }

  // the step that is spoilt: nothing changes but the corrector's memory; returns why
  static Stop expect_kept(Stream& stream, const Objective& objective) {
    const Given given(stream.model(), 6);
    stream.advance(given.x, given.present, given.dt);
    const std::vector<std::byte> state = copy(network_part(stream));
    const std::vector<float> output = copy(stream.output());
    const StepReport report = stream.correct(objective);
    EXPECT_EQ(report.accepted, 0) << name(report.stop);
    EXPECT_TRUE(same_bytes(network_part(stream), state));
    EXPECT_TRUE(same_bits(stream.output(), output));
    EXPECT_TRUE(is_sound(stream)) << name(report.stop);
    for (const double value : {report.kappa, report.predicted, report.alpha, report.length, report.radius,
                               report.damping, report.condition}) {
      EXPECT_TRUE(std::isfinite(value));
    }
    return report.stop;
  }
  static void expect_normal_life(Stream& stream, int steps = 20) {
    int accepted = 0;
    for (int t = 7; t < 7 + steps; ++t) {
      accepted += live(stream, t).accepted;
      ASSERT_TRUE(is_sound(stream));
    }
    EXPECT_GE(accepted, 5);
  }
};

std::vector<CorrectedModel> some_models() {
  std::vector<CorrectedModel> models = corrected_models();
  std::erase_if(models, [](const CorrectedModel& of) {
    return of.name != "gru" && of.name != "mamba" && of.name != "attention" && of.name != "gru_persistent";
  });
  return models;
}
INSTANTIATE_TEST_SUITE_P(Of, RefinedStream, testing::ValuesIn(some_models()),
                         [](const auto& test) { return test.param.name; });

using Part = Spoilt::Part;

TEST_P(RefinedStream, IsKeptWhereTheObjectiveIsNotFinite) {
  const Given given(model, 6);
  const Gaussian inner = given.gaussian();
  for (const Metric metric : of.metrics()) {
    for (const double with : {kNan, kInfinity, -kInfinity}) {
      SCOPED_TRACE(std::string(name(metric)) + ", " + std::to_string(with));
      for (const int horizon : {1, 3}) {
        for (const Part part : {Part::value, Part::gradient}) {
          Stream stream = stream_with(metric, horizon), spared = stream;
          EXPECT_EQ(expect_kept(stream, Spoilt(inner, part, with)), Stop::not_finite);
          // not even memory has changed
          spared.advance(given.x, given.present, given.dt);
          EXPECT_TRUE(same_stream(stream, spared));
        }
        Stream weighed = stream_with(metric, horizon), tried = stream_with(metric, horizon);
        const Stop why = expect_kept(weighed, Spoilt(inner, Part::gauss_newton, with));
        EXPECT_TRUE(why == Stop::singular || why == Stop::not_finite) << name(why);
        expect_normal_life(weighed);
        EXPECT_EQ(expect_kept(tried, Spoilt(inner, Part::trial, with)), Stop::rejected);
        expect_normal_life(tried);
      }
    }
  }
}

TEST_P(RefinedStream, IsKeptWhereTheObjectiveIsNotFiniteAheadOnly) {
  const Given given(model, 6);
  const Gaussian now = given.gaussian();
  for (const Metric metric : of.metrics()) {
    for (const double with : {kNan, kInfinity, -kInfinity}) {
      SCOPED_TRACE(std::string(name(metric)) + ", " + std::to_string(with));
      for (const Part part : {Part::value, Part::gradient, Part::gauss_newton, Part::trial}) {
        Stream stream = stream_with(metric, 3);
        const Spoilt then(now, part, with);
        const Stop why = expect_kept(stream, Ahead(now, then));
        EXPECT_EQ(why, part == Part::trial ? Stop::rejected : Stop::not_finite);
        expect_normal_life(stream);
        // who does not look ahead does not see it
        Stream near = stream_with(metric, 1), plain = near;
        near.correct(Ahead(now, then));
        plain.correct(Ahead(now, now));
        EXPECT_TRUE(same_stream(near, plain));
      }
    }
  }
}

TEST_P(RefinedStream, SurvivesACurvatureThatIsNotOne) {
  const Given given(model, 6);
  const Gaussian inner = given.gaussian();
  for (const Metric metric : of.metrics()) {
    for (const double times : {-1.0, -1e-3, 0.0, 1e-30, 1e12, -1e30, 1e60}) {
      for (const int horizon : {1, 3}) {
        SCOPED_TRACE(std::string(name(metric)) + " times " + std::to_string(times));
        Stream stream = stream_with(metric, horizon);
        stream.advance(given.x, given.present, given.dt);
        const std::vector<std::byte> state = copy(network_part(stream));
        const StepReport report = stream.correct(Spoilt(inner, Part::gauss_newton, times));
        ASSERT_TRUE(is_sound(stream));
        if (report.accepted == 0) {
          EXPECT_TRUE(same_bytes(network_part(stream), state));
        } else if (metric != Metric::literal) {
          EXPECT_LE(report.loss_after, report.loss_before);
        }
        expect_normal_life(stream, 100);
      }
    }
  }
}

TEST_P(RefinedStream, NeverRaisesAViolationHoweverMuchItWouldGain) {
  for (const int horizon : {1, 3}) {
    Stream free = stream_with(Metric::exact, horizon), bound = free;
    const Given given(model, 6);
    for (Stream* stream : {&free, &bound}) stream->advance(given.x, given.present, given.dt);
    std::vector<float> target = copy(free.output());
    target[0] += 0.5F;  // only by a rise of the first output can the loss fall
    const std::vector<float> noises(target.size(), 0.5F);
    const Gaussian loss(Target{.values = std::span(target).first(1), .noises = noises});
    const double before = bound.output()[0];
    free.correct(Forbidding(loss, false));
    const StepReport refused = bound.correct(Forbidding(loss, true));
    EXPECT_LE(bound.output()[0], before + 1e-6);
    EXPECT_TRUE(refused.accepted == 0) << "horizon " << horizon;
    if (horizon == 1) {
      EXPECT_GT(free.output()[0], before);
    }
  }
}

TEST_P(RefinedStream, IsKeptWhereThereIsNothingToGain) {
  for (const Metric metric : of.metrics()) {
    for (const int horizon : {1, 3}) {
      SCOPED_TRACE(name(metric));
      Stream stream = stream_with(metric, horizon);
      EXPECT_EQ(expect_kept(stream, Flat()), Stop::zero_gradient);
      expect_normal_life(stream);
    }
  }
}

TEST_P(RefinedStream, IsKeptWhereEveryChannelIsMissing) {
  const float inf = HUGE_VALF, nan = std::nanf("");
  for (const Metric metric : of.metrics()) {
    SCOPED_TRACE(name(metric));
    for (const std::vector<float>& label : {std::vector<float>{nan, nan}, {inf, -inf}, {nan, 3e38F}, {}}) {
      Stream stream = stream_with(metric, 1), spared = stream;
      EXPECT_EQ(expect_kept(stream, Gaussian({.values = label})), Stop::nothing_observed);
      EXPECT_EQ(expect_kept(spared, Huber({.values = label})), Stop::nothing_observed);
      EXPECT_TRUE(same_stream(stream, spared));
      expect_normal_life(stream);
    }
  }
}

TEST_P(RefinedStream, IsKeptWhereTheOutputDoesNotDependOnTheLatent) {
  if (of.latent.persistent.coordinates.output_bias) GTEST_SKIP() << "it depends on what lasts";
  std::vector<Tensor> tensors = tensors_of(of.config);
  const std::string head = "head." + std::to_string(of.config.head.hidden.size()) + ".weight";
  for (Tensor& tensor : tensors) {
    if (tensor.name == head) std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
  }
  const Model blind = Model::create(of.config, tensors, {.isa = test_isa()}).value();
  for (const Metric metric : of.metrics()) {
    Stream stream(blind, with_metric(metric));
    for (int t = 0; t < 6; ++t) {
      stream.advance(Given(blind, t).x);
      if (t % 2 == 0) stream.anticipate();
      const StepReport report = stream.correct(Given(blind, t).gaussian());
      EXPECT_EQ(report.stop, Stop::zero_gradient) << name(metric);
      EXPECT_TRUE(is_sound(stream));
    }
  }
}

TEST_P(RefinedStream, TakesLabelsOfAnySizeAndNoise) {
  for (const Metric metric : of.metrics()) {
    for (const float label : {0.0F, 1e3F, -1e6F, 1e18F, 1e-30F}) {
      for (const double noise : {1.0, 1e-3, 1e-9, 1e-30, 1e6, 1e30, 1e150}) {
        SCOPED_TRACE(std::string(name(metric)) + ", label " + std::to_string(label) + ", noise " +
                     std::to_string(noise));
        Stream stream = stream_with(metric, 1);
        const std::vector<float> labels(static_cast<std::size_t>(model.outputs()), label);
        for (int t = 6; t < 10; ++t) {
          const Given given(model, t);
          stream.advance(given.x, given.present, given.dt);
          const StepReport report = stream.correct(Gaussian({.values = labels, .noise = noise}));
          ASSERT_TRUE(is_sound(stream)) << name(report.stop);
          ASSERT_LE(report.loss_after, report.loss_before);
        }
        // what is frozen after its first steps stays as they were
        if (metric != Metric::fixed && noise < 2 && noise > 1e-10) expect_normal_life(stream, 100);
      }
    }
  }
}

}  // namespace
}  // namespace elastane
