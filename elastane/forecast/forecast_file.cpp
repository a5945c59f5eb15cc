#include "elastane/forecast/forecast_file.h"

#include "elastane/io/file.h"
#include "elastane/io/stored_arrays.h"

namespace elastane {
namespace {

constexpr const char* kConfigKey = "elastane_forecast";

std::string to_json(const ForecastModel& m) {
  const ForecastConfig& c = m.config;
  OrderedJson j;
  j["format"] = 1;
  j["names"] = m.names;
  j["targets"] = c.targets;
  j["horizon"] = c.horizon;
  j["scales"] = c.scales;
  j["periods"] = c.periods;
  j["seasons"] = c.seasons;
  j["harmonics"] = c.harmonics;
  j["clock_harmonics"] = c.clock_harmonics;
  j["lags"] = c.lags;
  j["memory"] = c.memory;
  j["neighbours"] = c.neighbours;
  j["forgetting"] = c.forgetting;
  j["prior"] = c.prior;
  j["gradient_rate"] = c.gradient_rate;
  j["damping"] = c.damping;
  j["inflation"] = c.inflation;
  j["time_origin"] = m.grid.origin;
  j["time_step"] = m.grid.step;
  j["alarm_threshold"] = m.alarm_threshold;
  j["calibration_rows"] = m.calibration_rows;
  std::vector<std::string> ids;
  for (const SeriesUnits& u : m.units) ids.push_back(u.id);
  j["ids"] = ids;
  return j.dump();
}

// throws Misfit
void read_json(const Json& json, ForecastModel& m, std::vector<std::string>& ids) {
  Fields f(json, "[forecast] ");
  ForecastConfig& c = m.config;
  int format = 0, calibration = 0;
  f.number("format", format);
  if (format != 1) throw Misfit("[forecast] format: expected 1, found " + std::to_string(format));
  f.list("names", m.names);
  c.channels = static_cast<int>(m.names.size());
  f.number("targets", c.targets);
  f.number("horizon", c.horizon);
  f.list("scales", c.scales);
  f.list("periods", c.periods);
  f.list("seasons", c.seasons);
  f.number("harmonics", c.harmonics);
  f.number("clock_harmonics", c.clock_harmonics);
  f.list("lags", c.lags);
  f.number("memory", c.memory);
  f.number("neighbours", c.neighbours);
  f.list("forgetting", c.forgetting);
  f.number("prior", c.prior);
  f.number("gradient_rate", c.gradient_rate);
  f.number("damping", c.damping);
  f.number("inflation", c.inflation);
  f.number("time_origin", m.grid.origin);
  f.number("time_step", m.grid.step);
  f.number("alarm_threshold", m.alarm_threshold);
  f.number("calibration_rows", calibration);
  m.calibration_rows = static_cast<std::uint64_t>(calibration);
  f.list("ids", ids);
  f.done();
}

void read_units(ArrayReader& reader, const std::vector<std::string>& ids, ForecastModel& m) {
  std::vector<double> mean, deviation;
  reader.take("units.mean", mean);
  reader.take("units.deviation", deviation);
  const std::size_t n = m.names.size();
  if (mean.size() != ids.size() * n || deviation.size() != mean.size())
    throw Misfit("[forecast] units: expected a mean and a deviation for every channel of every series");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    SeriesUnits u{ids[i], {}, {}};
    u.mean.assign(mean.begin() + i * n, mean.begin() + (i + 1) * n);
    u.deviation.assign(deviation.begin() + i * n, deviation.begin() + (i + 1) * n);
    m.units.push_back(std::move(u));
  }
}

void read(const Safetensors& file, const std::string& source, ForecastModel& m) {
  const auto text = file.metadata.find(kConfigKey);
  if (text == file.metadata.end()) {
    throw Misfit("[forecast] " + source + ": expected a forecaster, made by elastane train series; found " +
                 (file.metadata.contains("elastane") ? "a network" : "another safetensors file"));
  }
  const auto json = parse_json(text->second);
  if (!json) throw Misfit("[forecast] " + source + ": the configuration " + json.error());
  std::vector<std::string> ids;
  read_json(*json, m, ids);
  if (const Status fits = validate(m.config); !fits) throw Misfit(fits.error());
  ArrayReader reader(file, "[forecast] " + source + ": ");
  reader.take("mean", m.mean);
  reader.take("deviation", m.deviation);
  reader.take("feature_scale", m.feature_scale);
  reader.take("neighbour", m.neighbour);
  reader.take("frozen", m.frozen);
  reader.take("noise", m.noise);
  reader.take("start", m.start);
  read_units(reader, ids, m);
  reader.done();
  if (m.start.empty()) throw Misfit("[forecast] " + source + ": start: expected a state, found nothing");
  if (const Status fits = validate(m); !fits) throw Misfit(fits.error());
}

}  // namespace

Result<std::vector<std::byte>> format_forecast_model(const ForecastModel& model,
                                                     std::map<std::string, std::string> metadata) {
  metadata[kConfigKey] = to_json(model);
  std::vector<double> mean, deviation;
  for (const SeriesUnits& u : model.units) {
    mean.insert(mean.end(), u.mean.begin(), u.mean.end());
    deviation.insert(deviation.end(), u.deviation.begin(), u.deviation.end());
  }
  const std::vector<StoredTensor> tensors = {stored("mean", model.mean),
                                             stored("deviation", model.deviation),
                                             stored("feature_scale", model.feature_scale),
                                             stored("neighbour", model.neighbour),
                                             stored("frozen", model.frozen),
                                             stored("noise", model.noise),
                                             stored("start", model.start),
                                             stored("units.mean", mean),
                                             stored("units.deviation", deviation)};
  return format_safetensors(metadata, tensors);
}

Result<ForecastModel> parse_forecast_model(std::span<const std::byte> bytes, const std::string& source) {
  const auto file = parse_safetensors(bytes, source);
  if (!file) return Error{file.error()};
  ForecastModel model;
  try {
    read(*file, source, model);
  } catch (const Misfit& misfit) {
    return Error{misfit.what()};
  }
  return model;
}

Status save_forecast_model(const std::string& path, const ForecastModel& model,
                           std::map<std::string, std::string> metadata) {
  const auto bytes = format_forecast_model(model, std::move(metadata));
  if (!bytes) return Error{bytes.error()};
  return write_file(path, *bytes);
}

Result<SharedForecastModel> load_forecast_model(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return Error{file.error()};
  auto model = parse_forecast_model(file->bytes(), path);
  if (!model) return Error{model.error()};
  return SharedForecastModel(std::make_shared<ForecastModel>(*std::move(model)));
}

bool is_forecast_model(std::span<const std::byte> bytes) {
  const auto file = parse_safetensors(bytes, "");
  return file && file->metadata.contains(kConfigKey);
}

}  // namespace elastane
