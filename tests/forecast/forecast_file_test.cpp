// Tests elastane/forecast/forecast_file.cpp: what is written is read back to the last bit; what is damaged is refused.
#include "elastane/forecast/forecast_file.h"

#include <gtest/gtest.h>

#include "elastane/io/safetensors.h"
#include "tests/core/forecast/forecasters.h"

namespace elastane {
namespace {

ForecastModel learned_model() {
  const auto blank = blank_forecast_model(small_config());
  Forecaster f(blank);
  for (const auto& row : made_rows(100, 1)) f.observe(row);
  ForecastModel model = *blank;
  model.start.assign(f.state().begin(), f.state().end());
  model.grid = {1.7e9, 900};
  model.units = {{"north", {1, 2}, {3, 4}}, {"süd, \"2\"", {5, 6}, {7, 8}}};
  model.calibration_rows = 314;
  model.calibration_rows = 77;
  return model;
}

std::vector<std::byte> bytes_of(const ForecastModel& model) { return format_forecast_model(model).value(); }

TEST(ForecastFile, HoldsEveryBit) {
  const ForecastModel model = learned_model();
  const ForecastModel read = parse_forecast_model(bytes_of(model), "test").value();
  EXPECT_EQ(weights_hash(read), weights_hash(model));
  EXPECT_EQ(read.names, model.names);
  EXPECT_EQ(read.start, model.start);
  EXPECT_EQ(read.config.scales, model.config.scales);
  EXPECT_EQ(read.config.forgetting, model.config.forgetting);
  EXPECT_EQ(read.config.prior, model.config.prior);
  EXPECT_EQ(read.grid.origin, model.grid.origin);
  EXPECT_EQ(read.grid.step, model.grid.step);
  EXPECT_EQ(read.calibration_rows, model.calibration_rows);
  EXPECT_EQ(read.calibration_rows, model.calibration_rows);
  ASSERT_EQ(read.units.size(), 2U);
  EXPECT_EQ(read.units[1].id, model.units[1].id);
  EXPECT_EQ(read.units[1].deviation, model.units[1].deviation);

  Forecaster a(std::make_shared<ForecastModel>(model), {.warm = true});
  Forecaster b(std::make_shared<ForecastModel>(read), {.warm = true});
  for (const auto& row : made_rows(20, 2)) {
    a.observe(row);
    b.observe(row);
    ASSERT_TRUE(std::equal(a.forecast().begin(), a.forecast().end(), b.forecast().begin()));
  }
}

TEST(ForecastFile, RefusesEveryTruncation) {
  const std::vector<std::byte> bytes = bytes_of(learned_model());
  for (std::size_t n = 0; n < bytes.size(); n += 1 + n / 50) {
    EXPECT_FALSE(parse_forecast_model(std::span(bytes).first(n), "test")) << n;
  }
}

TEST(ForecastFile, RefusesWhatDoesNotFitAndSaysWhy) {
  const auto refused = [](void (*spoil)(ForecastModel&)) {
    ForecastModel model = learned_model();
    spoil(model);
    const auto read = parse_forecast_model(bytes_of(model), "test");
    return read ? std::string("taken") : read.error();
  };
  using M = ForecastModel&;
  EXPECT_NE(refused([](M m) { m.start.pop_back(); }).find("start: expected"), std::string::npos);
  EXPECT_NE(refused([](M m) { m.start.clear(); }).find("expected a state"), std::string::npos);
  EXPECT_NE(refused([](M m) { m.config.horizon = 5; }).find("expected"), std::string::npos);
  EXPECT_NE(refused([](M m) { m.config.prior = -1; }).find("prior: expected above 0"), std::string::npos);
  EXPECT_NE(refused([](M m) { m.neighbour[0] = -1; }).find("neighbour"), std::string::npos);
  EXPECT_NE(refused([](M m) { m.frozen[0] = NAN; }).find("frozen"), std::string::npos);
  EXPECT_NE(refused([](M m) { m.start[0] = NAN; }).find("start"), std::string::npos);
  EXPECT_NE(refused([](M m) { m.units[0].mean.pop_back(); }).find("units"), std::string::npos);
  EXPECT_NE(refused([](M m) { m.names.pop_back(); }).find("expected"), std::string::npos);
}

TEST(ForecastFile, TellsForecastersFromOtherFiles) {
  EXPECT_TRUE(is_forecast_model(bytes_of(learned_model())));
  const std::vector<StoredTensor> none;
  const auto network = format_safetensors({{"elastane", "{}"}}, none).value();
  EXPECT_FALSE(is_forecast_model(network));
  EXPECT_NE(parse_forecast_model(network, "net").error().find("found a network"), std::string::npos);
  const auto missing = load_forecast_model("/nowhere/at/all");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().find("/nowhere/at/all"), std::string::npos);
}

}  // namespace
}  // namespace elastane
