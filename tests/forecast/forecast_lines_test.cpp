// elastane/forecast/forecast_lines.cpp
#include "elastane/forecast/forecast_lines.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/forecast/small_forecaster.h"

namespace elastane {
namespace {

struct Writer {
  explicit Writer(RowFormat format, double step = 0)
      : model(small_forecaster(step)), stream(model, {}), lines(format, *model) {}
  std::string operator()(std::string_view line) {
    std::string text;
    if (stream.feed_line(line).value()) lines.append_line(stream, text);
    return text;
  }

  SharedForecastModel model;
  RowStream stream;
  ForecastLines lines;
};

TEST(ForecastLines, JsonHasTheKeysInTheirOrder) {
  Writer write(RowFormat::jsonl, 60);
  write("time,a,b");
  const std::string line = write("3000,1,2");
  EXPECT_TRUE(line.starts_with("{\"row\":1,\"time\":3000,\"forecast\":[[")) << line;
  EXPECT_TRUE(line.ends_with("}\n"));
  std::string keys;
  const auto json = nlohmann::ordered_json::parse(line);
  for (const auto& [key, value] : json.items()) keys += key + " ";
  EXPECT_EQ(keys, "row time forecast lower upper anomaly learned micros drift ");
}

TEST(ForecastLines, NumbersAreExactWhenReadBack) {
  Writer write(RowFormat::jsonl);
  write("a,b");
  for (int t = 0; t < 20; ++t) {
    const auto json = nlohmann::json::parse(write("0.1,0.7"));
    const auto forecast = write.stream.outcome().forecaster->forecast();
    for (std::size_t h = 0; h < 3; ++h) ASSERT_EQ(json["forecast"][h][0].get<double>(), forecast[h]);
  }
}

TEST(ForecastLines, InvalidRowsAreMarkedAndUnknownSeriesHaveNoForecast) {
  Writer write(RowFormat::jsonl);
  write("unique_id,a,b");
  write("x,1,2");
  const std::string line = write("\"y\"\"\",1,rubbish");
  EXPECT_TRUE(line.starts_with(R"({"row":2,"id":"y\"","forecast":null,"lower":null,"upper":null,"anomaly":1,)"))
      << line;
  EXPECT_TRUE(line.ends_with(",\"drift\":null,\"bad\":true}\n")) << line;
}

TEST(ForecastLines, SeparatedValuesWaitForTheirHeader) {
  Writer write(RowFormat::csv, 60);
  write("time,a,b");
  EXPECT_EQ(write("2024-05-01T12:30:00Z,x,2"), "");
  const std::string text = write("2024-05-01T12:31:00Z,1,2");
  EXPECT_TRUE(
      text.starts_with("row,time,a.h1,a.h1.lower,a.h1.upper,a.h2,a.h2.lower,a.h2.upper,a.h3,a.h3.lower,"
                       "a.h3.upper,anomaly,learned,micros,drift,note\n1,2024-05-01T12:30:00Z,,,,,,,,,,1,0,0.0,,bad\n"
                       "2,2024-05-01T12:31:00Z,"))
      << text;
}

TEST(ForecastLines, WhatStillWaitsIsWrittenAtTheEnd) {
  Writer write(RowFormat::csv);
  write("a,b");
  EXPECT_EQ(write("x,y"), "");
  std::string text;
  write.lines.finish(write.stream, text);
  EXPECT_EQ(text.substr(text.find('\n') + 1), "1,,,,,,,,,,1,0,0.0,,bad\n");
}

}  // namespace
}  // namespace elastane
