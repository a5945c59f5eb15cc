// Fuzzes elastane/forecast/row_stream.cpp and what it uses: no input may crash or stop a run, every row has its line,
// valid rows among invalid ones are forecast, and a snapshot taken anywhere continues with the same lines.
#include <cstdint>
#include <cstdlib>

#include "elastane/forecast/forecast_lines.h"
#include "tests/forecast/small_forecaster.h"

namespace elastane {
namespace {

struct Case {
  RowFormat format;
  bool is_timed;
  const char* header;
  const char* good;
};
constexpr Case kCases[] = {
    {RowFormat::csv, false, "unique_id,b,a", "x,1,2"},
    {RowFormat::csv, true, "time,a,b,other", "3000,1,2,text"},
    {RowFormat::jsonl, false, "", R"({"a":1,"b":2})"},
    {RowFormat::jsonl, true, "", R"({"unique_id":"x","t":3000,"a":1,"b":2})"},
};

// the line, without the time it took; "": the row is not complete
std::string line_of(RowStream& stream, ForecastLines& lines, std::string_view line) {
  const std::uint64_t before = stream.rows();
  if (!stream.feed_line(line).value()) return stream.rows() == before ? "" : (std::abort(), "");
  if (stream.rows() != before + 1 || stream.outcome().row != stream.rows()) std::abort();
  std::string text;
  lines.append_line(stream, text);
  if (text.empty() || text.back() != '\n' || text.find('\n') != text.size() - 1) std::abort();
  const std::size_t micros = text.rfind("\"micros\"");
  return text.erase(micros, text.find("\"drift\"", micros) - micros);
}

void follow(const Case& c, const SharedForecastModel& model, std::string_view text) {
  const RowStreamOptions options = {.format = c.format, .late = 4, .most_series = 3};
  RowStream stream(model, options);
  ForecastLines lines(RowFormat::jsonl, *model, true);
  if (*c.header != '\0' && !line_of(stream, lines, c.header).empty()) std::abort();
  if (line_of(stream, lines, c.good).empty() || !stream.outcome().invalid.empty()) std::abort();
  std::optional<RowStream> twin;  // restored from a snapshot after the first line
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string found = line_of(stream, lines, line);
    if (twin && line_of(*twin, lines, line) != found) std::abort();
    // inside the quoted id of a series no row ends; and where rows have times, theirs may be past
    if (!stream.is_inside_row() && !c.is_timed) {
      const std::string good = line_of(stream, lines, c.good);
      if (good.empty() || !stream.outcome().invalid.empty() || stream.outcome().forecaster == nullptr) std::abort();
      if (twin && line_of(*twin, lines, c.good) != good) std::abort();
    }
    if (!twin && !stream.is_inside_row()) {
      const auto bytes = format_forecast_snapshot(stream.snapshot());
      twin.emplace(model, options);
      twin->restore(parse_forecast_snapshot(bytes).value(), RowStream::Input::later_rows).value();
      // a header that is repeated here, and only here, would be skipped
      const std::string same = line_of(stream, lines, c.good);
      if (line_of(*twin, lines, c.good) != same) std::abort();
    }
  }
  stream.finish().value();
}

// without a valid row first: anything may be wrong with the columns, and an error says so
void follow_raw(const SharedForecastModel& model, std::string_view text) {
  RowStream stream(model, {});
  ForecastLines lines(RowFormat::csv, *model, true);
  std::string out;
  const auto is_refused = [](const Result<bool>& row) {
    return !row && (row.error().starts_with('[') || (std::abort(), true));
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Result<bool> row = stream.feed_line(text.substr(0, end));
    if (is_refused(row)) return;
    if (*row) lines.append_line(stream, out);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const Result<bool> row = stream.finish();
  if (is_refused(row)) return;
  if (*row) lines.append_line(stream, out);
  lines.finish(stream, out);
}

}  // namespace
}  // namespace elastane

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elastane;
  static const SharedForecastModel timed = small_forecaster(60), untimed = small_forecaster(0);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Case& c : kCases) follow(c, c.is_timed ? timed : untimed, text);
  follow_raw(timed, text);
  return 0;
}
