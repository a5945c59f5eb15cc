// Tests of bindings/c/handles.cpp: errors by code and text, structs of other sizes, and calls that the contract refuses.
#include "bindings/c/handles.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "elastane/core/base/random.h"
#include "tests/paths.h"

namespace elastane {
namespace {

std::string lorenz() { return std::string(ELASTANE_MODELS) + "/lorenz.safetensors"; }

// every kind of handle, alive
struct Handles {
  elastane_model* model = nullptr;
  elastane_stream* stream = nullptr;
  elastane_fleet* fleet = nullptr;
  elastane_forecaster* forecaster = nullptr;

  Handles() {
    EXPECT_EQ(elastane_model_load(lorenz().c_str(), &model), ELASTANE_OK) << elastane_last_error();
    elastane_stream_options options = ELASTANE_STREAM_OPTIONS;
    options.corrects = 1;
    options.history = 3;
    EXPECT_EQ(elastane_stream_create(model, &options, &stream), ELASTANE_OK) << elastane_last_error();
    EXPECT_EQ(elastane_fleet_create(model, 3, &fleet), ELASTANE_OK);
    std::vector<double> rows(400);
    for (std::size_t t = 0; t < rows.size(); ++t) rows[t] = std::sin(0.3 * static_cast<double>(t));
    elastane_fit_options fit = ELASTANE_FIT_OPTIONS;
    fit.choose = 0;
    fit.horizon = 2;
    EXPECT_EQ(elastane_forecaster_fit(rows.data(), rows.size(), 1, &fit, nullptr, &forecaster), ELASTANE_OK)
        << elastane_last_error();
  }
  ~Handles() {
    elastane_model_free(model);
    elastane_stream_free(stream);
    elastane_fleet_free(fleet);
    elastane_forecaster_free(forecaster);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
};

TEST(CErrors, SayWhatIsWrongByCodeAndText) {
  elastane_model* model = nullptr;
  EXPECT_EQ(elastane_model_load("no such file", &model), ELASTANE_BAD_FILE);
  EXPECT_EQ(model, nullptr);
  EXPECT_NE(std::string(elastane_last_error()).find("no such file"), std::string::npos);
  EXPECT_EQ(elastane_model_load(nullptr, &model), ELASTANE_BAD_ARGUMENT);
  EXPECT_STREQ(elastane_status_name(ELASTANE_BAD_FILE), "bad file");
  EXPECT_STREQ(elastane_stop_name(0), "completed");
  EXPECT_STREQ(elastane_stop_name(-1), "unknown");
  EXPECT_EQ(elastane_abi(), ELASTANE_ABI);
}

TEST(CStructs, OfAnOlderProgramAreShorterAndTheRestIsTheDefault) {
  const Handles h;
  elastane_stream_options options = ELASTANE_STREAM_OPTIONS;
  options.history = 2;
  options.radius = -1;  // beyond the size that is given, so it does not count
  options.size = offsetof(elastane_stream_options, depth);
  options.corrects = 1;
  elastane_stream* stream = nullptr;
  EXPECT_EQ(elastane_stream_create(h.model, &options, &stream), ELASTANE_OK) << elastane_last_error();
  elastane_stream_free(stream);
  options.size = sizeof options;
  EXPECT_EQ(elastane_stream_create(h.model, &options, &stream), ELASTANE_BAD_OPTIONS);
  EXPECT_NE(std::string(elastane_last_error()).find("trust.radius"), std::string::npos);
  options.size = 3;
  EXPECT_EQ(elastane_stream_create(h.model, &options, &stream), ELASTANE_BAD_ARGUMENT);
}

TEST(CStructs, OfReportsAreWrittenAsFarAsTheyReach) {
  const Handles h;
  const float x[3] = {0.1F, 0.2F, 0.3F};
  elastane_advance_report report = ELASTANE_ADVANCE_REPORT;
  report.size = offsetof(elastane_advance_report, macs);
  report.macs = -7;
  EXPECT_EQ(elastane_stream_advance(h.stream, x, 3, nullptr, 1, &report), ELASTANE_OK);
  EXPECT_EQ(report.macs, -7);
  report.size = sizeof report;
  EXPECT_EQ(elastane_stream_advance(h.stream, x, 3, nullptr, 1, &report), ELASTANE_OK);
  EXPECT_GT(report.macs, 0);
  EXPECT_EQ(report.size, sizeof report);
}

TEST(CDefaults, AreThoseOfTheLibrary) {
  const elastane_stream_options o = ELASTANE_STREAM_OPTIONS;
  const CorrectorOptions c;
  EXPECT_EQ(o.depth, c.gate.depth);
  EXPECT_EQ(static_cast<Gate>(o.gate), c.gate.kind);
  EXPECT_EQ(o.rank, c.metric.rank);
  EXPECT_EQ(o.price, c.gate.price);
  EXPECT_EQ(parse_metric(o.metric).value(), c.metric.kind);
  EXPECT_EQ(o.damping, c.metric.damping);
  EXPECT_EQ(o.radius, c.trust.radius);
  EXPECT_EQ(o.horizon, c.trust.horizon);
  EXPECT_EQ(o.process_noise, c.metric.process_noise);
  const elastane_forecaster_options f = ELASTANE_FORECASTER_OPTIONS;
  const ForecasterOptions g;
  EXPECT_EQ(f.adapt != 0, g.adapt);
  EXPECT_EQ(f.guard != 0, g.guard);
  EXPECT_EQ(f.warm != 0, g.warm);
  EXPECT_EQ(static_cast<Gate>(f.gate), g.gate.kind);
  EXPECT_EQ(f.coverage, g.interval.coverage);
  const elastane_fit_options t = ELASTANE_FIT_OPTIONS;
  EXPECT_EQ(t.horizon, FitOptions().horizon);
  EXPECT_EQ(t.learn, FitOptions().split.learn.amount);
  EXPECT_EQ(t.held_out, FitOptions().split.held_out.amount);
}

// --- what the contract refuses: NULL, handles of another kind, wrong lengths, damaged bytes

// one call with handles and sizes drawn at random; whether it succeeds does not matter, only that it returns
struct RandomCalls {
  Handles& h;
  Random random;
  std::vector<float> floats = std::vector<float>(64, 0.25F);
  std::vector<double> doubles = std::vector<double>(64, 0.5);
  std::vector<std::byte> bytes = std::vector<std::byte>(1 << 16);

  template <class Handle>
  Handle* any() {
    switch (random.below(6)) {
      case 0: return nullptr;
      case 1: return reinterpret_cast<Handle*>(h.model);
      case 2: return reinterpret_cast<Handle*>(h.fleet);
      case 3: return reinterpret_cast<Handle*>(h.forecaster);
      default: return reinterpret_cast<Handle*>(h.stream);
    }
  }
  std::size_t size() { return static_cast<std::size_t>(random.below(5) == 0 ? random.below(64) : random.below(4)); }
  template <class T>
  T* maybe(T* pointer) {
    return random.below(8) == 0 ? nullptr : pointer;
  }

  void call() {
    elastane_budget budget{static_cast<std::uint32_t>(random.below(40)), static_cast<std::uint32_t>(random.below(5)),
                           random.normal()};
    elastane_step_report report = ELASTANE_STEP_REPORT;
    report.size = static_cast<std::uint32_t>(random.below(sizeof report + 1));
    elastane_objective objective = ELASTANE_OBJECTIVE;
    objective.kind = static_cast<std::uint32_t>(random.below(5));
    objective.target = maybe(floats.data());
    objective.count = size();
    objective.label = random.below(9) - 4;
    objective.classes = random.below(9) - 4;
    std::size_t needed = 0;
    switch (random.below(14)) {
      case 0: elastane_stream_advance(any<elastane_stream>(), maybe(floats.data()), size(), nullptr, 1, nullptr); break;
      case 1: elastane_stream_correct(any<elastane_stream>(), maybe(&objective), maybe(&budget), &report); break;
      case 2:
        elastane_stream_step(any<elastane_stream>(), floats.data(), size(), maybe(&objective), &budget, &report);
        break;
      case 3:
        elastane_stream_observe(any<elastane_stream>(), maybe(floats.data()), size(), random.bits(), &budget, &report);
        break;
      case 4: elastane_stream_rewind(any<elastane_stream>(), random.below(9) - 4); break;
      case 5:
        elastane_stream_snapshot(any<elastane_stream>(), maybe(bytes.data()), random.below(2) * bytes.size(), &needed);
        break;
      case 6:
        elastane_stream_restore(any<elastane_stream>(), maybe(bytes.data()),
                                static_cast<std::size_t>(random.below(65537)));
        break;
      case 7:
        elastane_fleet_advance(any<elastane_fleet>(), maybe(floats.data()), 9 * size(), nullptr, nullptr, nullptr);
        break;
      case 8: elastane_fleet_reset(any<elastane_fleet>(), random.below(9) - 4); break;
      case 9: elastane_fleet_output(any<elastane_fleet>(), random.below(9) - 4, maybe(&needed)); break;
      case 10:
        elastane_fleet_restore(any<elastane_fleet>(), random.below(5) - 1, bytes.data(),
                               static_cast<std::size_t>(random.below(9999)));
        break;
      case 11:
        elastane_forecaster_observe(any<elastane_forecaster>(), maybe(doubles.data()), size(), maybe(&budget), nullptr);
        break;
      case 12:
        elastane_forecaster_restore(any<elastane_forecaster>(), maybe(bytes.data()),
                                    static_cast<std::size_t>(random.below(65537)));
        break;
      default: elastane_stream_output(any<elastane_stream>(), maybe(&needed)); break;
    }
    if (random.below(20) == 0) bytes[random.bits() % bytes.size()] = static_cast<std::byte>(random.below(256));
  }
};

TEST(CContract, HoldsForRandomHandlesAndSizes) {
  Handles h;
  RandomCalls calls{.h = h, .random = Random(5)};
  for (int i = 0; i < 20'000; ++i) calls.call();
  const float x[3] = {0.1F, 0.2F, 0.3F};
  EXPECT_EQ(elastane_stream_advance(h.stream, x, 3, nullptr, 1, nullptr), ELASTANE_OK) << "handles are alive";
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(std::isfinite(elastane_stream_output(h.stream, nullptr)[i]));
}

}  // namespace
}  // namespace elastane
