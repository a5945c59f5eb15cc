#include "elastane/forecast/forecast_file.h"

#include "elastane/io/stored_file.h"

namespace elastane {
namespace {

constexpr int kFormat = 5;

std::string to_json(const ForecastModel& m) {
  const ForecastConfig& c = m.config;
  OrderedJson j;
  j["format"] = kFormat;
  j["names"] = m.names;
  j["targets"] = c.targets;
  j["horizon"] = c.horizon;
  j["scales"] = c.scales;
  j["periods"] = c.periods;
  j["seasons"] = c.seasons;
  j["harmonics"] = c.harmonics;
  j["clock_harmonics"] = c.clock_harmonics;
  if (!c.calendar.empty()) j["calendar"] = c.calendar;
  if (c.known > 0) j["known"] = c.known;
  j["lags"] = c.lags;
  j["memory"] = c.memory;
  j["neighbours"] = c.neighbours;
  j["forgetting"] = c.forgetting;
  j["prior"] = c.prior;
  j["clockless_lags"] = c.clockless.lags;
  j["clockless_forgetting"] = c.clockless.forgetting;
  j["clockless_prior"] = c.clockless.prior;
  j["guard_outside"] = c.guard.outside;
  j["guard_inside"] = c.guard.inside;
  j["guard_after"] = c.guard.after;
  j["gradient_rate"] = c.gradient_rate;
  j["damping"] = c.damping;
  j["inflation"] = c.inflation;
  j["time_origin"] = m.grid.origin;
  j["time_step"] = m.grid.step;
  j["calibration_rows"] = m.calibration_rows;
  std::vector<std::string> ids;
  for (const SeriesUnits& u : m.units) ids.push_back(u.id);
  j["ids"] = ids;
  return j.dump();
}

// throws Misfit
void read_json(const Json& json, const std::string& where, ForecastModel& m, std::vector<std::string>& ids) {
  Fields f(json, where);
  ForecastConfig& c = m.config;
  int format = 0, calibration = 0;
  f.number("format", format);
  if (format != kFormat) {
    throw Misfit(where + "format: expected " + std::to_string(kFormat) + ", found " + std::to_string(format) +
                 "; train it again with elastane train series");
  }
  f.list("names", m.names);
  c.channels = static_cast<int>(m.names.size());
  f.number("targets", c.targets);
  f.number("horizon", c.horizon);
  f.list("scales", c.scales);
  f.list("periods", c.periods);
  f.list("seasons", c.seasons);
  f.number("harmonics", c.harmonics);
  f.number("clock_harmonics", c.clock_harmonics);
  f.list("calendar", c.calendar);
  f.number("known", c.known);
  f.list("lags", c.lags);
  f.number("memory", c.memory);
  f.number("neighbours", c.neighbours);
  f.list("forgetting", c.forgetting);
  f.number("prior", c.prior);
  f.list("clockless_lags", c.clockless.lags);
  f.number("clockless_forgetting", c.clockless.forgetting);
  f.number("clockless_prior", c.clockless.prior);
  f.number("guard_outside", c.guard.outside);
  f.number("guard_inside", c.guard.inside);
  f.number("guard_after", c.guard.after);
  f.number("gradient_rate", c.gradient_rate);
  f.number("damping", c.damping);
  f.number("inflation", c.inflation);
  f.number("time_origin", m.grid.origin);
  f.number("time_step", m.grid.step);
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
    throw Misfit(reader.where() + "units: expected a mean and a deviation for every channel of every series");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    SeriesUnits u{ids[i], {}, {}};
    u.mean.assign(mean.begin() + i * n, mean.begin() + (i + 1) * n);
    u.deviation.assign(deviation.begin() + i * n, deviation.begin() + (i + 1) * n);
    m.units.push_back(std::move(u));
  }
}

// throws Misfit
ForecastModel read(const std::string& text, ArrayReader& reader) {
  const auto json = parse_json(text);
  if (!json) throw Misfit(reader.where() + "the configuration " + json.error());
  ForecastModel m;
  std::vector<std::string> ids;
  read_json(*json, reader.where(), m, ids);
  if (const Status fits = validate(m.config); !fits) throw Misfit(reader.where() + without_tag(fits.error()));
  reader.take("mean", m.mean);
  reader.take("deviation", m.deviation);
  reader.take("feature_scale", m.feature_scale);
  reader.take("feature_limit", m.feature_limit);
  reader.take("neighbour", m.neighbour);
  reader.take("frozen", m.frozen);
  reader.take("noise", m.noise);
  reader.take("start", m.start);
  read_units(reader, ids, m);
  if (m.start.empty()) throw Misfit(reader.where() + "start: expected a state, found nothing");
  if (const Status fits = validate(m); !fits) throw Misfit(reader.where() + without_tag(fits.error()));
  return m;
}

Status write(const ForecastModel& model, StoredContent& to) {
  to.text = to_json(model);
  std::vector<double> mean, deviation;
  for (const SeriesUnits& u : model.units) {
    mean.insert(mean.end(), u.mean.begin(), u.mean.end());
    deviation.insert(deviation.end(), u.deviation.begin(), u.deviation.end());
  }
  to.add("mean", model.mean);
  to.add("deviation", model.deviation);
  to.add("feature_scale", model.feature_scale);
  to.add("feature_limit", model.feature_limit);
  to.add("neighbour", model.neighbour);
  to.add("frozen", model.frozen);
  to.add("noise", model.noise);
  to.add("start", model.start);
  to.add("units.mean", std::move(mean));
  to.add("units.deviation", std::move(deviation));
  return {};
}

constexpr StoredFile<ForecastModel> kForecastFile = {"elastane_forecast", "forecast",
                                                     "a forecaster, made by elastane train series", write, read};

}  // namespace

Result<std::vector<std::byte>> format_forecast_model(const ForecastModel& model,
                                                     std::map<std::string, std::string> metadata) {
  return format(kForecastFile, model, std::move(metadata));
}
Result<ForecastModel> parse_forecast_model(std::span<const std::byte> bytes, const std::string& source) {
  return parse(kForecastFile, bytes, source);
}
Status save_forecast_model(const std::string& path, const ForecastModel& model,
                           std::map<std::string, std::string> metadata) {
  return save(kForecastFile, path, model, std::move(metadata));
}
Result<SharedForecastModel> load_forecast_model(const std::string& path) {
  auto model = load(kForecastFile, path);
  if (!model) return Error{model.error()};
  return SharedForecastModel(std::make_shared<ForecastModel>(*std::move(model)));
}

bool is_forecast_model(std::span<const std::byte> bytes) {
  const auto file = parse_safetensors(bytes, "");
  return file && file->metadata.contains(kForecastFile.key);
}

}  // namespace elastane
