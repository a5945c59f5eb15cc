// Forecasters.
#include "bindings/c/handles.h"

using elastane::Budget;
using elastane::ForecastReport;
using namespace elastane::c;

namespace {

elastane_status make(elastane::SharedForecastModel model, const elastane_forecaster_options& o,
                     elastane_forecaster** forecaster) {
  if (o.gate < ELASTANE_GATE_NEVER || o.gate > ELASTANE_GATE_GAIN) {
    return fail(ELASTANE_BAD_OPTIONS, "[forecast] gate: unknown");
  }
  elastane::ForecasterOptions options;
  options.adapt = o.adapt != 0;
  options.guard = o.guard != 0;
  options.warm = o.warm != 0;
  options.gate.kind = static_cast<elastane::Gate>(o.gate);
  options.gate.price = o.price;
  options.interval.coverage = o.coverage;
  auto made = elastane::Forecaster::create(model, options);
  if (!made) return fail(ELASTANE_BAD_OPTIONS, made.error());
  *forecaster = new elastane_forecaster{.model = std::move(model), .forecaster = *std::move(made)};
  return ELASTANE_OK;
}

elastane::FitOptions fit_options(const elastane_fit_options& o) {
  elastane::FitOptions options;
  options.horizon = o.horizon;
  options.choose = options.tune_metrics = o.choose != 0;
  options.split = {.learn = {o.learn}, .held_out = {o.held_out}};
  if (o.period > 0) options.periods = {o.period};
  return options;
}

const elastane::ForecastConfig& config_of(const elastane_forecaster* f) { return f->model->config; }

void write(const ForecastReport& r, elastane_forecast_report* to) {
  write_struct({.size = 0,
                .missing = r.missing,
                .refused = r.refused,
                .stuck = r.stuck,
                .moved = r.moved,
                .labels = r.labels,
                .depth = r.depth,
                .accepted = r.accepted,
                .stop = static_cast<std::int32_t>(r.stop),
                .drift = static_cast<std::int32_t>(r.drift),
                .anomaly = r.anomaly,
                .elapsed = r.elapsed},
               to);
}

}  // namespace

elastane_status elastane_forecaster_load(const char* path, const elastane_forecaster_options* given,
                                         elastane_forecaster** forecaster) {
  elastane_forecaster_options o = ELASTANE_FORECASTER_OPTIONS;
  if (path == nullptr || forecaster == nullptr || !read_struct(given, o)) {
    return refuse("[forecast] expected a path, options with their size, and where to put the forecaster");
  }
  *forecaster = nullptr;
  return guarded([&] {
    auto model = elastane::load_forecast_model(path);
    if (!model) return fail(ELASTANE_BAD_FILE, model.error());
    return make(*std::move(model), o, forecaster);
  });
}

elastane_status elastane_forecaster_fit(const double* values, size_t rows, size_t channels,
                                        const elastane_fit_options* fit, const elastane_forecaster_options* given,
                                        elastane_forecaster** forecaster) {
  elastane_fit_options f = ELASTANE_FIT_OPTIONS;
  elastane_forecaster_options o = ELASTANE_FORECASTER_OPTIONS;
  const bool sound = values != nullptr && forecaster != nullptr && rows > 0 && channels > 0 && channels <= 65536 &&
                     rows <= SIZE_MAX / sizeof(double) / channels;
  if (!sound || !read_struct(fit, f) || !read_struct(given, o) || f.targets < 0) {
    return refuse("[forecast] expected rows of values, options with their sizes, and where to put the forecaster");
  }
  *forecaster = nullptr;
  return guarded([&] {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < channels; ++i) names.push_back("channel" + std::to_string(i));
    const auto data = elastane::make_dataset({values, rows * channels}, names, elastane::as_size(f.targets));
    if (!data) return fail(ELASTANE_BAD_DATA, data.error());
    const auto fitted = elastane::ForecastFitter(fit_options(f)).fit(*data);
    if (!fitted) return fail(ELASTANE_BAD_DATA, fitted.error());
    return make(fitted->model, o, forecaster);
  });
}

elastane_status elastane_forecaster_save(const elastane_forecaster* f, const char* path) {
  if (!is_valid(f) || path == nullptr) return refuse("[forecast] expected a forecaster and a path");
  return guarded([&] {
    const auto done = elastane::save_forecast_model(path, *f->model);
    return done ? ELASTANE_OK : fail(ELASTANE_BAD_FILE, done.error());
  });
}

elastane_status elastane_forecaster_clone(const elastane_forecaster* forecaster, elastane_forecaster** fork) {
  if (!is_valid(forecaster) || fork == nullptr) {
    return refuse("[forecast] expected a forecaster, and where to put its fork");
  }
  *fork = nullptr;
  return guarded([&] { return *fork = new elastane_forecaster(*forecaster), ELASTANE_OK; });
}

void elastane_forecaster_free(elastane_forecaster* forecaster) { free_handle(forecaster); }
int32_t elastane_forecaster_channels(const elastane_forecaster* f) { return is_valid(f) ? config_of(f).channels : 0; }
int32_t elastane_forecaster_targets(const elastane_forecaster* f) { return is_valid(f) ? config_of(f).targets : 0; }
int32_t elastane_forecaster_horizon(const elastane_forecaster* f) { return is_valid(f) ? config_of(f).horizon : 0; }

elastane_status elastane_forecaster_observe(elastane_forecaster* f, const double* row, size_t channels,
                                            const elastane_budget* budget, elastane_forecast_report* report) {
  return elastane_forecaster_observe_many(f, row, 1, channels, budget, nullptr, report);
}

elastane_status elastane_forecaster_observe_many(elastane_forecaster* f, const double* values, size_t rows,
                                                 size_t channels, const elastane_budget* budget, double* forecasts,
                                                 elastane_forecast_report* last) {
  Budget limit;
  if (!is_valid(f) || values == nullptr || channels != elastane::as_size(config_of(f).channels) ||
      !read_budget(budget, limit) || !is_writable(last)) {
    return refuse("[observe] expected a forecaster, one value per channel, and a budget and a report with their sizes");
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const ForecastReport report = f->forecaster.observe({values + r * channels, channels}, limit);
    const std::span<const double> y = f->forecaster.forecast();
    if (forecasts != nullptr) std::copy(y.begin(), y.end(), forecasts + r * y.size());
    if (r + 1 == rows) write(report, last);
  }
  return ELASTANE_OK;
}

elastane_status elastane_forecaster_forecast(const elastane_forecaster* f, const double** mean, const double** lower,
                                             const double** upper, size_t* count) {
  if (!is_valid(f)) return refuse("[forecast] expected a forecaster");
  if (mean != nullptr) *mean = f->forecaster.forecast().data();
  if (lower != nullptr) *lower = f->forecaster.lower().data();
  if (upper != nullptr) *upper = f->forecaster.upper().data();
  if (count != nullptr) *count = f->forecaster.forecast().size();
  return ELASTANE_OK;
}

uint64_t elastane_forecaster_rows(const elastane_forecaster* f) { return is_valid(f) ? f->forecaster.rows() : 0; }
double elastane_forecaster_coverage(const elastane_forecaster* f) { return is_valid(f) ? f->forecaster.coverage() : 0; }
uint64_t elastane_forecaster_alarms(const elastane_forecaster* f) { return is_valid(f) ? f->forecaster.alarms() : 0; }

elastane_status elastane_forecaster_reset(elastane_forecaster* f) {
  if (!is_valid(f)) return refuse("[reset] expected a forecaster");
  f->forecaster.reset();
  return ELASTANE_OK;
}

elastane_status elastane_forecaster_snapshot(const elastane_forecaster* f, void* bytes, size_t capacity,
                                             size_t* needed) {
  if (!is_valid(f)) return refuse("[snapshot] expected a forecaster");
  return guarded([&] {
    const std::vector<std::byte> content = format_forecast_snapshot(elastane::snapshot_of(f->forecaster));
    return write_bytes(bytes, capacity, needed, content.size(), [&](std::span<std::byte> to) {
      std::copy(content.begin(), content.end(), to.begin());
      return ELASTANE_OK;
    });
  });
}

elastane_status elastane_forecaster_restore(elastane_forecaster* f, const void* bytes, size_t count) {
  if (!is_valid(f) || bytes == nullptr) return refuse("[snapshot] expected a forecaster and bytes");
  return guarded([&] {
    const auto snapshot = elastane::parse_forecast_snapshot(bytes_of(bytes, count));
    if (!snapshot) return fail(ELASTANE_BAD_SNAPSHOT, snapshot.error());
    const auto done = elastane::restore(*snapshot, f->forecaster);
    return done ? ELASTANE_OK : fail(ELASTANE_BAD_SNAPSHOT, done.error());
  });
}
