// Tests of bindings/c/streams.cpp: the same numbers as the library's, bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "bindings/c/objectives.h"
#include "tests/paths.h"

namespace elastane {
namespace {

struct Pair {  // one stream of each interface
  elastane_model* model = nullptr;
  elastane_stream* stream = nullptr;
  Model twin_model;
  Stream twin;

  Pair()
      : twin_model(Model::load(path()).value()),
        twin(twin_model, {.history = 8, .corrector = CorrectorOptions{.metric = {.kind = Metric::exact}}}) {
    EXPECT_EQ(elastane_model_load(path().c_str(), &model), ELASTANE_OK) << elastane_last_error();
    elastane_stream_options options = ELASTANE_STREAM_OPTIONS;
    options.history = 8;
    options.corrects = 1;
    options.metric = "exact";
    EXPECT_EQ(elastane_stream_create(model, &options, &stream), ELASTANE_OK) << elastane_last_error();
  }
  ~Pair() {
    elastane_stream_free(stream);
    elastane_model_free(model);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  static std::string path() { return std::string(ELASTANE_MODELS) + "/lorenz.safetensors"; }
  static std::vector<float> row(int t) {
    return {std::sin(0.1F * static_cast<float>(t)), std::cos(0.2F * static_cast<float>(t)), 0.3F};
  }
  void expect_same(int t) const {
    std::size_t n = 0;
    const float* y = elastane_stream_output(stream, &n);
    ASSERT_EQ(n, twin.output().size());
    EXPECT_EQ(std::memcmp(y, twin.output().data(), n * sizeof(float)), 0) << t;
    EXPECT_EQ(elastane_stream_position(stream), twin.position());
  }
};

TEST(CStream, StepsAsTheLibraryDoes) {
  Pair pair;
  for (int t = 0; t < 50; ++t) {
    const std::vector<float> x = Pair::row(t), label = Pair::row(t + 1);
    const std::uint8_t present[3] = {1, static_cast<std::uint8_t>(t % 3), 1};
    ASSERT_EQ(elastane_stream_advance(pair.stream, x.data(), 3, present, 0.5F, nullptr), ELASTANE_OK);
    pair.twin.advance(x, present, 0.5F);
    pair.expect_same(t);
    elastane_objective huber = ELASTANE_OBJECTIVE;
    huber.kind = t % 2 == 0 ? ELASTANE_HUBER : ELASTANE_GAUSSIAN;
    huber.target = label.data();
    huber.count = 3;
    huber.noise = 0.2;
    elastane_step_report report = ELASTANE_STEP_REPORT;
    ASSERT_EQ(elastane_stream_correct(pair.stream, &huber, nullptr, &report), ELASTANE_OK) << elastane_last_error();
    const Target target{.values = label, .noise = 0.2};
    const StepReport expected = t % 2 == 0 ? pair.twin.correct(Huber(target)) : pair.twin.correct(Gaussian(target));
    EXPECT_EQ(report.loss_after, expected.loss_after);
    EXPECT_EQ(report.accepted, expected.accepted);
    pair.expect_same(t);
  }
}

TEST(CStream, ObservesRewindsAndRestoresAsTheLibraryDoes) {
  Pair pair;
  for (int t = 0; t < 10; ++t) {
    const std::vector<float> x = Pair::row(t);
    elastane_stream_advance(pair.stream, x.data(), 3, nullptr, 1, nullptr);
    pair.twin.advance(x);
  }
  const std::vector<float> late = Pair::row(8);
  ASSERT_EQ(elastane_stream_observe(pair.stream, late.data(), 3, 8, nullptr, nullptr), ELASTANE_OK);
  pair.twin.observe(late, 8);
  pair.expect_same(10);

  std::size_t needed = 0;
  ASSERT_EQ(elastane_stream_snapshot(pair.stream, nullptr, 0, &needed), ELASTANE_OK);
  std::vector<std::byte> bytes(needed);
  EXPECT_EQ(elastane_stream_snapshot(pair.stream, bytes.data(), needed - 1, nullptr), ELASTANE_BAD_ARGUMENT);
  ASSERT_EQ(elastane_stream_snapshot(pair.stream, bytes.data(), needed, nullptr), ELASTANE_OK);
  EXPECT_TRUE(pair.twin.restore(bytes)) << "one format for both";
  EXPECT_EQ(elastane_stream_rewind(pair.stream, 99), ELASTANE_NO_HISTORY);
  ASSERT_EQ(elastane_stream_rewind(pair.stream, 1), ELASTANE_OK);
  EXPECT_EQ(elastane_stream_position(pair.stream), 9U);
  ASSERT_EQ(elastane_stream_restore(pair.stream, bytes.data(), needed), ELASTANE_OK);
  pair.expect_same(10);
  bytes[70] ^= std::byte{1};
  EXPECT_EQ(elastane_stream_restore(pair.stream, bytes.data(), needed), ELASTANE_BAD_SNAPSHOT);
  pair.expect_same(10);
}

// --- the caller's own functions

struct Squared {
  std::vector<double> target;
  int calls = 0;
};
double squared_value(void* context, const double* y, std::size_t n) {
  auto& s = *static_cast<Squared*>(context);
  s.calls += 1;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += 0.5 * 25.0 * (y[i] - s.target[i]) * (y[i] - s.target[i]);
  return sum;
}
void squared_gradient(void* context, const double* y, std::size_t n, double* g) {
  for (std::size_t i = 0; i < n; ++i) g[i] = 25.0 * (y[i] - static_cast<Squared*>(context)->target[i]);
}
void squared_curvature(void*, const double*, std::size_t n, double* w) {
  for (std::size_t i = 0; i < n; ++i) w[i] = 25.0;
}

TEST(CStream, CorrectsTowardsTheCallersFunctions) {
  Pair pair;
  for (int t = 0; t < 20; ++t) {
    const std::vector<float> x = Pair::row(t), label = Pair::row(t + 1);
    Squared squared{.target = {label.begin(), label.end()}};
    elastane_objective own = ELASTANE_OBJECTIVE;
    own.kind = ELASTANE_CALLBACK;
    own.context = &squared;
    own.value = squared_value;
    own.gradient = squared_gradient;
    own.curvature = squared_curvature;
    elastane_step_report report = ELASTANE_STEP_REPORT;
    ASSERT_EQ(elastane_stream_step(pair.stream, x.data(), 3, &own, nullptr, &report), ELASTANE_OK);
    const StepReport expected = pair.twin.step(x, Gaussian({.values = label, .noise = 0.2}));
    EXPECT_GT(squared.calls, 0);
    EXPECT_NEAR(report.loss_after, expected.loss_after, 1e-9 + 1e-6 * expected.loss_after) << t;
    own.gradient = nullptr;
    EXPECT_EQ(elastane_stream_correct(pair.stream, &own, nullptr, nullptr), ELASTANE_BAD_ARGUMENT);
  }
}

}  // namespace
}  // namespace elastane
