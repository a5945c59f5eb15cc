#include "elastane/forecast/forecast_lines.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "elastane/io/number_text.h"

namespace elastane {
namespace {

std::string quoted_json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// a spreadsheet would run a text that begins like a formula; a quote in front of it makes it text
std::string quoted_csv(std::string text) {
  const bool is_signed = text.starts_with('+') || text.starts_with('-');
  const bool is_number = is_signed && text.find_first_not_of("+-.0123456789") == std::string::npos;
  if (text.starts_with('=') || text.starts_with('@') || (is_signed && !is_number)) text.insert(0, "'");
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

// three digits are enough
void append_probability(double p, std::string& text) {
  char digits[24];
  text.append(digits, static_cast<std::size_t>(std::snprintf(digits, sizeof digits, "%.3g", p)));
}

// `otherwise` where the number is not finite
void append_finite(double value, const char* otherwise, std::string& text) {
  if (std::isfinite(value)) {
    append_number(value, text);
  } else {
    text += otherwise;
  }
}

// ,"key":[[…], …], one list per row ahead
void append_steps(const char* key, std::span<const double> values, std::size_t targets, std::string& text) {
  ((text += ",\"") += key) += "\":[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += i % targets == 0 ? (i == 0 ? "[" : ",[") : ",";
    append_finite(values[i], "null", text);
    if (i % targets == targets - 1) text += ']';
  }
  text += ']';
}

std::string time_text(double time, bool is_date) { return is_date ? date_text(time) : number_text(time); }

}  // namespace

void append_json_line(const ForecastLine& line, std::string& text) {
  text += "{\"row\":" + std::to_string(line.row);
  if (line.id != nullptr) text += ",\"id\":" + (line.id->empty() ? "null" : quoted_json(*line.id));
  if (!std::isnan(line.time)) {
    const char* quote = line.has_dates ? "\"" : "";
    text += ",\"time\":" + (quote + time_text(line.time, line.has_dates) + quote);
  }
  if (!line.forecast.empty()) {
    append_steps("forecast", line.forecast, line.targets, text);
    append_steps("lower", line.lower, line.targets, text);
    append_steps("upper", line.upper, line.targets, text);
  } else {
    text += R"(,"forecast":null,"lower":null,"upper":null)";
  }
  (text += line.report) += "}\n";
}

void append_report(const RowOutcome& o, bool has_micros, std::string& text) {
  append_probability(o.report.anomaly, text += ",\"anomaly\":");
  text += ",\"learned\":" + std::to_string(o.report.accepted);
  if (has_micros) append_fixed(o.report.elapsed, 1, text += ",\"micros\":");
  const bool has_drift = o.report.drift != DriftKind::none;
  text += has_drift ? ",\"drift\":\"" + std::string(name(o.report.drift)) + '"' : ",\"drift\":null";
  if (o.report.is_unusual) text += ",\"unusual\":true";
  if (o.report.is_cold) text += ",\"cold\":true";
  if (o.is_late) text += ",\"late\":true";
  if (o.report.refused > 0) text += ",\"refused\":true";
  if (o.report.stuck > 0) text += ",\"stuck\":true";
  if (o.report.moved > 0) text += ",\"changed\":true";
  if (!o.invalid.empty()) text += ",\"bad\":true";
}

ForecastLines::ForecastLines(RowFormat format, const ForecastModel& model, bool has_header)
    : format_(format), model_(model), needs_header_(has_header) {}

void ForecastLines::append_line(const RowStream& stream, std::string& text) {
  if (format_ == RowFormat::jsonl) return append_json(stream.outcome(), stream, text);
  if (needs_header_ && !stream.has_columns()) return waiting_.push_back(stream.outcome());
  finish(stream, text);
  append_csv(stream.outcome(), stream, text);
}

void ForecastLines::finish(const RowStream& stream, std::string& text) {
  if (format_ == RowFormat::jsonl) return;
  if (needs_header_ && stream.rows() > 0) append_header(stream, text);
  for (const RowOutcome& each : std::exchange(waiting_, {})) append_csv(each, stream, text);
}

void ForecastLines::append_json(const RowOutcome& o, const RowStream& stream, std::string& text) const {
  std::string report;
  append_report(o, true, report);
  ForecastLine line{.row = o.row,
                    .id = stream.has_ids() ? &o.id : nullptr,
                    .time = o.time,
                    .has_dates = stream.has_dates(),
                    .targets = static_cast<std::size_t>(model_.config.targets),
                    .report = report};
  if (o.forecaster != nullptr) {
    line.forecast = o.forecaster->forecast();
    line.lower = o.forecaster->lower();
    line.upper = o.forecaster->upper();
  }
  append_json_line(line, text);
}

void ForecastLines::append_csv(const RowOutcome& o, const RowStream& stream, std::string& text) const {
  text += std::to_string(o.row);
  if (stream.has_ids()) text += ',' + quoted_csv(o.id);
  if (stream.has_times()) text += ',' + (std::isnan(o.time) ? "" : time_text(o.time, stream.has_dates()));
  const int values = model_.config.targets * model_.config.horizon;
  for (int i = 0; i < values; ++i) {
    if (o.forecaster == nullptr) {
      text += ",,,";
      continue;
    }
    const auto at = static_cast<std::size_t>(i);
    for (const double value : {o.forecaster->forecast()[at], o.forecaster->lower()[at], o.forecaster->upper()[at]}) {
      text += ',';
      append_finite(value, "", text);
    }
  }
  append_probability(o.report.anomaly, text += ',');
  text += ',' + std::to_string(o.report.accepted) + ',';
  append_fixed(o.report.elapsed, 1, text);
  text += ',';
  if (o.report.drift != DriftKind::none) text += name(o.report.drift);
  text += ',';
  text += !o.invalid.empty()     ? "bad"
          : o.is_late            ? "late"
          : o.report.refused > 0 ? "refused"
          : o.report.stuck > 0   ? "stuck"
          : o.report.moved > 0   ? "changed"
          : o.report.is_unusual  ? "unusual"
          : o.report.is_cold     ? "cold"
                                 : "";
  text += '\n';
}

void ForecastLines::append_header(const RowStream& stream, std::string& text) {
  needs_header_ = false;
  text += "row";
  if (stream.has_ids()) text += ",id";
  if (stream.has_times()) text += ",time";
  for (int h = 1; h <= model_.config.horizon; ++h) {
    for (int i = 0; i < model_.config.targets; ++i) {
      const std::string name = model_.names[static_cast<std::size_t>(i)] + ".h" + std::to_string(h);
      for (const char* bound : {"", ".lower", ".upper"}) text += ',' + quoted_csv(name + bound);
    }
  }
  text += ",anomaly,learned,micros,drift,note\n";
}

}  // namespace elastane
