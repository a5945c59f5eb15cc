#include "apps/elastane/run/forecast_lines.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace elastane::app {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string quoted_json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string quoted_csv(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

// what is not finite is null, or empty
void append_number(double value, const char* otherwise, std::string& text) {
  if (std::isfinite(value)) {
    fmt::format_to(Out(text), "{}", value);
  } else {
    text += otherwise;
  }
}

// [[…], …], a list a step ahead
void append_steps(const char* key, std::span<const double> values, std::size_t targets, std::string& text) {
  fmt::format_to(Out(text), ",\"{}\":[", key);
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += i % targets == 0 ? (i == 0 ? "[" : ",[") : ",";
    append_number(values[i], "null", text);
    if (i % targets == targets - 1) text += ']';
  }
  text += ']';
}

}  // namespace

std::string date_of(double seconds) {
  const double whole = std::floor(seconds);
  if (!(std::fabs(whole) < 2e11)) return fmt::format("{}", seconds);  // years of more than four digits
  const std::chrono::sys_seconds at{std::chrono::seconds(static_cast<std::int64_t>(whole))};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(at - day);
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                                 clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  const auto micros = static_cast<int>((seconds - whole) * 1e6);
  if (micros > 0) text += fmt::format(".{:06}", micros);
  return text + 'Z';
}

ForecastLines::ForecastLines(RowFormat format, const ForecastModel& model, bool has_header)
    : format_(format), model_(model), needs_header_(has_header) {}

void ForecastLines::append(const RowStream& stream, std::string& text) {
  if (format_ == RowFormat::jsonl) return append_json(stream.outcome(), stream, text);
  if (needs_header_ && !stream.has_begun()) return waiting_.push_back(stream.outcome());
  finish(stream, text);
  append_csv(stream.outcome(), stream, text);
}

void ForecastLines::finish(const RowStream& stream, std::string& text) {
  if (format_ == RowFormat::jsonl) return;
  if (needs_header_ && stream.rows() > 0) append_header(stream, text);
  for (const RowOutcome& each : std::exchange(waiting_, {})) append_csv(each, stream, text);
}

void ForecastLines::append_json(const RowOutcome& o, const RowStream& stream, std::string& text) const {
  fmt::format_to(Out(text), "{{\"row\":{}", o.row);
  if (stream.has_ids()) text += ",\"id\":" + (o.id.empty() ? "null" : quoted_json(o.id));
  if (!std::isnan(o.time)) {
    text += ",\"time\":" + (stream.has_dates() ? '"' + date_of(o.time) + '"' : fmt::format("{}", o.time));
  }
  const auto targets = static_cast<std::size_t>(model_.config.targets);
  if (o.forecaster != nullptr) {
    append_steps("forecast", o.forecaster->forecast(), targets, text);
    append_steps("lower", o.forecaster->lower(), targets, text);
    append_steps("upper", o.forecaster->upper(), targets, text);
  } else {
    text += R"(,"forecast":null,"lower":null,"upper":null)";
  }
  fmt::format_to(Out(text), ",\"depth\":{},\"accepted\":{},\"micros\":{:.1f},\"drift\":{}", o.report.depth,
                 o.report.accepted > 0, o.report.elapsed, o.report.drift);
  if (o.is_late) text += ",\"late\":true";
  if (!o.bad.empty()) text += ",\"bad\":true";
  text += "}\n";
}

void ForecastLines::append_csv(const RowOutcome& o, const RowStream& stream, std::string& text) const {
  fmt::format_to(Out(text), "{}", o.row);
  if (stream.has_ids()) text += ',' + quoted_csv(o.id);
  if (stream.has_times()) {
    text += ',';
    if (!std::isnan(o.time)) text += stream.has_dates() ? date_of(o.time) : fmt::format("{}", o.time);
  }
  const int values = model_.config.targets * model_.config.horizon;
  for (int i = 0; i < values; ++i) {
    if (o.forecaster == nullptr) {
      text += ",,,";
      continue;
    }
    const auto at = static_cast<std::size_t>(i);
    for (const double value : {o.forecaster->forecast()[at], o.forecaster->lower()[at], o.forecaster->upper()[at]}) {
      text += ',';
      append_number(value, "", text);
    }
  }
  fmt::format_to(Out(text), ",{},{:d},{:.1f},{:d},{}\n", o.report.depth, o.report.accepted > 0, o.report.elapsed,
                 o.report.drift,
                 o.is_late       ? "late"
                 : o.bad.empty() ? ""
                                 : "bad");
}

void ForecastLines::append_header(const RowStream& stream, std::string& text) {
  needs_header_ = false;
  text += "row";
  if (stream.has_ids()) text += ",id";
  if (stream.has_times()) text += ",time";
  for (int h = 1; h <= model_.config.horizon; ++h) {
    for (int i = 0; i < model_.config.targets; ++i) {
      const std::string& name = model_.names[static_cast<std::size_t>(i)];
      for (const char* bound : {"", ".lower", ".upper"})
        text += ',' + quoted_csv(fmt::format("{}.h{}{}", name, h, bound));
    }
  }
  text += ",depth,accepted,micros,drift,note\n";
}

}  // namespace elastane::app
