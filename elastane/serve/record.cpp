#include "elastane/serve/record.h"

#include "elastane/forecast/forecast_lines.h"
#include "elastane/io/byte_fields.h"

namespace elastane::serve {

template <class Batch, class Each>
requires std::is_same_v<std::remove_const_t<Batch>, RowBatch>
void fields(Batch& b, Each& each) {
  each(b.id);
  each(b.first);
  each(b.has_dates);
  each(b.times);
  each(b.values);
}

template <class Record, class Each>
requires std::is_same_v<std::remove_const_t<Record>, ForecastRecord>
void fields(Record& r, Each& each) {
  each(r.number);
  each(r.time);
  each(r.has_dates);
  each(r.forecast);
  each(r.lower);
  each(r.upper);
  each(r.report);
}

template <class Batch, class Each>
requires std::is_same_v<std::remove_const_t<Batch>, ForecastBatch>
void fields(Batch& b, Each& each) {
  each(b.id);
  each(b.forecasts);
}

template <class C, class Each>
requires std::is_same_v<std::remove_const_t<C>, Control>
void fields(C& c, Each& each) {
  each(c.id);
  each(c.data);
}

namespace {

// the first byte says what it is
enum class Kind : unsigned char { rows = 1, forecasts = 2, forecast = 3, erase = 4, restore = 5, model = 6 };

constexpr std::size_t kUsualSize = 384;  // bytes of a forecast a few rows ahead

template <class T>
std::vector<std::byte> packed(Kind kind, const T& value) {
  std::vector<std::byte> bytes;
  bytes.reserve(kUsualSize);
  bytes.push_back(static_cast<std::byte>(kind));
  ByteWriter writer(bytes);
  fields(value, writer);
  return bytes;
}

template <class T>
bool unpack(Kind kind, std::span<const std::byte> bytes, T& value) {
  if (bytes.empty() || bytes[0] != static_cast<std::byte>(kind)) return false;
  ByteReader reader(bytes.subspan(1));
  fields(value, reader);
  return reader.is_whole();
}

Kind kind_of(Control::Kind kind) {
  return static_cast<Kind>(static_cast<unsigned char>(Kind::erase) + static_cast<unsigned char>(kind));
}

bool is_valid(const ForecastRecord& r) {
  return r.number > 0 && r.lower.size() == r.forecast.size() && r.upper.size() == r.forecast.size();
}

}  // namespace

std::vector<std::byte> to_bytes(const RowBatch& batch) { return packed(Kind::rows, batch); }
std::vector<std::byte> to_bytes(const ForecastBatch& batch) { return packed(Kind::forecasts, batch); }
std::vector<std::byte> to_bytes(const ForecastRecord& record) { return packed(Kind::forecast, record); }
std::vector<std::byte> to_bytes(const Control& control) { return packed(kind_of(control.kind), control); }

Result<RowBatch> parse_rows(std::span<const std::byte> bytes, std::size_t channels) {
  RowBatch batch;
  if (!unpack(Kind::rows, bytes, batch)) return Error{"[rows] expected a record of rows, found other bytes"};
  const std::size_t rows = batch.rows();
  const bool fits = rows > 0 && batch.first > 0 && batch.first <= UINT64_MAX - rows &&
                    batch.values.size() % rows == 0 && (channels == 0 || batch.values.size() == rows * channels) &&
                    !batch.id.empty() && batch.id.size() <= kLongestId;
  if (!fits) return Error{"[rows] expected numbered rows of one stream, found a record that does not fit"};
  return batch;
}

Result<ForecastBatch> parse_forecasts(std::span<const std::byte> bytes) {
  ForecastBatch batch;
  bool fits = unpack(Kind::forecasts, bytes, batch) && !batch.forecasts.empty();
  for (const ForecastRecord& each : batch.forecasts) fits = fits && is_valid(each);
  if (!fits) return Error{"[forecasts] expected a record of forecasts, found other bytes"};
  return batch;
}

Result<ForecastRecord> parse_forecast(std::span<const std::byte> bytes) {
  ForecastRecord record;
  if (!unpack(Kind::forecast, bytes, record) || !is_valid(record)) {
    return Error{"[forecasts] expected the record of a forecast, found other bytes"};
  }
  return record;
}

bool is_control(std::span<const std::byte> bytes) {
  return !bytes.empty() && bytes[0] >= static_cast<std::byte>(Kind::erase) &&
         bytes[0] <= static_cast<std::byte>(Kind::model);
}

Result<Control> parse_control(std::span<const std::byte> bytes) {
  Control control;
  for (const auto kind : {Control::Kind::erase, Control::Kind::restore, Control::Kind::model}) {
    control.kind = kind;
    if (unpack(kind_of(kind), bytes, control)) return control;
  }
  return Error{"[log] expected a record of control, found other bytes"};
}

void append_line(const std::string& id, const ForecastRecord& r, std::size_t targets, std::string& text) {
  append_json_line({.row = r.number,
                    .id = &id,
                    .time = r.time,
                    .has_dates = r.has_dates,
                    .targets = targets,
                    .forecast = r.forecast,
                    .lower = r.lower,
                    .upper = r.upper,
                    .report = r.report},
                   text);
}

}  // namespace elastane::serve
