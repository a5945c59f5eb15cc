// elastane inspect of forecasters and of snapshots of their runs.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/elastane/verbs.h"
#include "elastane/core/forecast/forecast_state.h"
#include "elastane/core/forecast/forecaster.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/forecast/forecast_snapshot.h"
#include "elastane/io/number_text.h"
#include "elastane/io/safetensors.h"

namespace elastane::app {

void inspect_forecast_model(const std::string& path, std::span<const std::byte> bytes, bool list) {
  const Safetensors stored = parse_safetensors(bytes, path).value();
  const auto model = std::make_shared<const ForecastModel>(parse_forecast_model(bytes, path).value());
  const Forecaster forecaster(model, {.warm = true});
  const ForecastConfig& c = model->config;
  fmt::print("{}: a forecaster, complete\n", path);
  fmt::print("  model     {:016x}\n", weights_hash(*model));
  fmt::print("  series    {} target{}, {} channels, {} rows ahead", c.targets, c.targets == 1 ? "" : "s", c.channels,
             c.horizon);
  if (!model->units.empty()) fmt::print("; {} series, each with its own units", model->units.size());
  fmt::print("\n  channels  {}\n", fmt::join(model->names, ", "));
  if (const TimeGrid& grid = model->grid; grid.step > 0) {
    fmt::print("  time      one row every {:g} s; the last row learned from is number {} since {}\n", grid.step,
               forecaster.tick(), date_text(grid.origin));
  }
  fmt::print("  season    {}\n", c.periods.empty() ? "none" : fmt::format("{:g} rows", fmt::join(c.periods, " and ")));
  std::vector<double> remembered;
  for (const double f : c.forgetting) remembered.push_back(1 / (1 - f));
  fmt::print("  features  {} per target; adaptive read-outs remember {:.6g} rows\n", forecaster.sizes().shape.features,
             fmt::join(remembered, " and "));
  if (!c.clockless.lags.empty()) {
    fmt::print("            one more sees the last {} values and no clock; it remembers {:.6g} rows\n",
               c.clockless.lags.back() + 1, 1 / (1 - c.clockless.forgetting));
  }
  fmt::print("  alarms    calibrated on {} rows\n", model->calibration_rows);
  fmt::print("  state     {} bytes per stream\n", forecaster.state().size_bytes());
  for (const auto& [key, value] : stored.metadata) {
    if (key != "elastane_forecast") fmt::print("  {:<9} {}\n", key, value);
  }
  if (!list) return;
  for (const StoredTensor& t : stored.tensors) fmt::print("  {:<5} {:<18} {}\n", t.dtype, to_string(t.shape), t.name);
}

void inspect_forecast_snapshot(const std::string& path, std::span<const std::byte> bytes) {
  const ForecastSnapshot s = parse_forecast_snapshot(bytes).value();
  fmt::print("{}: a snapshot of elastane run, version {}, checksum good\n", path, kForecastSnapshotVersion);
  fmt::print("  model     {:016x}, with --learning {}\n", s.fingerprint, name(s.learning));
  fmt::print("  rows      {}, {} of them invalid\n", s.rows, s.invalid_rows);
  fmt::print("  input     {}\n", s.format == RowFormat::csv ? "separated values" : "JSON lines");
  for (const std::string& line : s.header) fmt::print("  header    {}\n", line);
  std::size_t bytes_of_state = 0, kept = 0;
  for (const SeriesStreamSnapshot& each : s.streams) {
    bytes_of_state = std::max(bytes_of_state, each.state.size() * sizeof(double));
    kept += each.late.rows.size();
  }
  fmt::print("  streams   {}, {} bytes each\n", s.streams.size(), bytes_of_state);
  if (kept > 0) fmt::print("  late      {} rows are kept, so that late rows can be inserted\n", kept);
}

}  // namespace elastane::app
