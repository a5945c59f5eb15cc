#include "elastane/serve/session.h"

#include <algorithm>
#include <map>
#include <utility>

#include "elastane/core/forecast/drift_alarm.h"
#include "elastane/forecast/forecast_lines.h"
#include "elastane/forecast/series_stream.h"

namespace elastane::serve {
namespace {

struct OneStream {
  SeriesStream series;
  ForecastRecord last;  // number 0: no row yet
};

ForecasterOptions cold(ForecasterOptions options) {
  options.warm = false;
  return options;
}

// the forecast after a row, as it is stored
ForecastRecord record_of(const RowBatch& batch, std::size_t i, const RowResult& result, const Forecaster& forecaster) {
  RowOutcome outcome{
      .time = batch.times[i], .report = result.report, .invalid = result.rejected, .is_late = result.is_late};
  outcome.report.drift = forecaster.alarm().on();
  ForecastRecord record{.number = batch.first + i, .time = batch.times[i], .has_dates = batch.has_dates};
  record.forecast.assign(forecaster.forecast().begin(), forecaster.forecast().end());
  record.lower.assign(forecaster.lower().begin(), forecaster.lower().end());
  record.upper.assign(forecaster.upper().begin(), forecaster.upper().end());
  append_report(outcome, false, record.report);
  return record;
}

RowFigures figures_of(const RowResult& result, const Forecaster& forecaster) {
  const ForecastReport& r = result.report;
  return {.depth = r.depth,
          .accepted = r.accepted,
          .labels = r.labels,
          .micros = r.elapsed,
          .drift = forecaster.alarm().on() != DriftKind::none,
          .is_refused = r.refused > 0,
          .is_bad = !result.rejected.empty()};
}

}  // namespace

struct StreamsById : std::map<std::string, OneStream, std::less<>> {};

Session::Session(SharedForecastModel model, const SessionOptions& options)
    : model_(std::move(model)),
      options_(options),
      budget_(options.macs > 0 ? Budget::macs(options.macs) : Budget::none()),
      cold_(model_, cold(options.forecaster)),
      streams_(Owned<StreamsById>::make()) {}

Fed Session::feed(const RowBatch& batch) {
  if (batch.rows() == 0 || batch.values.size() != batch.rows() * channels()) return {.outcome = Fed::Outcome::misfit};
  auto at = streams_->find(batch.id);
  const std::uint64_t last = at == streams_->end() ? 0 : at->second.last.number;
  if (batch.last() <= last) return {.outcome = Fed::Outcome::repeated};
  if (batch.first > last + 1) return {.outcome = Fed::Outcome::gap};
  if (at == streams_->end()) {
    if (streams_->size() >= options_.most_streams) return {.outcome = Fed::Outcome::full};
    Forecaster forecaster = cold_;
    set_units_of(batch.id, forecaster);
    at = streams_
             ->emplace(batch.id,
                       OneStream{SeriesStream(std::move(forecaster), model_->grid.step > 0, options_.late), {}})
             .first;
  }
  OneStream& stream = at->second;
  Fed fed;
  for (std::size_t i = last + 1 - batch.first; i < batch.rows(); ++i) {
    const RowResult result = stream.series.observe_row(batch.times[i], batch.row(i), budget_);
    fed.figures.push_back(figures_of(result, stream.series.forecaster()));
    fed.forecasts.push_back(record_of(batch, i, result, stream.series.forecaster()));
  }
  stream.last = fed.forecasts.back();
  return fed;
}

std::uint64_t Session::last_row(std::string_view id) const {
  const auto at = streams_->find(id);
  return at == streams_->end() ? 0 : at->second.last.number;
}

std::optional<ForecastRecord> Session::forecast(std::string_view id) const {
  const auto at = streams_->find(id);
  if (at == streams_->end()) return {};
  return at->second.last;
}

std::vector<std::string> Session::ids() const {
  std::vector<std::string> ids;
  for (const auto& [id, stream] : *streams_) ids.push_back(id);
  return ids;
}

std::size_t Session::size() const { return streams_->size(); }

bool Session::erase(std::string_view id) {
  const auto at = streams_->find(id);
  if (at == streams_->end()) return false;
  streams_->erase(at);
  return true;
}

std::optional<Session::StreamFigures> Session::figures(std::string_view id) const {
  const auto at = streams_->find(id);
  if (at == streams_->end()) return {};
  const Forecaster& forecaster = at->second.series.forecaster();
  return StreamFigures{
      .rows = at->second.last.number, .alarms = forecaster.alarms(), .coverage = forecaster.coverage()};
}

// --- snapshots: those of elastane run, with one series; the last forecast takes the place of lines that wait

std::optional<std::vector<std::byte>> Session::snapshot(std::string_view id) const {
  const auto at = streams_->find(id);
  if (at == streams_->end()) return {};
  const std::vector<std::byte> last = to_bytes(at->second.last);
  ForecastSnapshot s;
  s.fingerprint = cold_.fingerprint();
  s.learning = cold_.options().learning;
  s.rows = at->second.last.number;
  s.pending.assign(reinterpret_cast<const char*>(last.data()), last.size());
  s.streams.emplace_back().id = id;
  at->second.series.save(s.streams.back());
  return format_forecast_snapshot(s);
}

Result<std::string> Session::restore(std::span<const std::byte> bytes) {
  ELASTANE_TRY_ASSIGN(const ForecastSnapshot s, parse_forecast_snapshot(bytes));
  ELASTANE_TRY(check_origin(s, cold_));
  if (s.streams.size() != 1) return Error{"[snapshot] expected one stream, found " + std::to_string(s.streams.size())};
  const std::string& id = s.streams[0].id;
  ELASTANE_TRY_ASSIGN(ForecastRecord last, parse_forecast(std::as_bytes(std::span(s.pending))));
  if (last.number != s.rows || id.empty() || id.size() > kLongestId) {
    return Error{"[snapshot] expected the last forecast of its stream, found another"};
  }
  if (!streams_->contains(id) && streams_->size() >= options_.most_streams) {
    return Error{"[snapshot] expected at most " + std::to_string(options_.most_streams) + " streams, found another"};
  }
  Forecaster forecaster = cold_;
  set_units_of(id, forecaster);
  SeriesStream series(std::move(forecaster), model_->grid.step > 0, options_.late);
  ELASTANE_TRY(series.restore(s.streams[0]));
  streams_->insert_or_assign(id, OneStream{std::move(series), std::move(last)});
  return id;
}

}  // namespace elastane::serve
