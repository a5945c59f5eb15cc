#include "elastane/serve/nats/log_reader.h"

#include <algorithm>
#include <utility>

#include "elastane/serve/stream_id.h"

namespace elastane::serve {
namespace {

constexpr int kPatienceMs = 2000;

std::uint64_t last_forecast(std::span<const std::byte> bytes) {
  const auto batch = parse_forecasts(bytes);
  return batch && !batch->forecasts.empty() ? batch->forecasts.back().number : 0;
}

std::uint64_t last_row(std::span<const std::byte> bytes) {
  const auto batch = parse_rows(bytes);
  return batch && batch->rows() > 0 ? batch->last() : 0;
}

// a row behind those that are there already, unless it is one of them: sources send rows again
void append_row(const RowBatch& batch, std::size_t i, RowBatch& found) {
  const std::uint64_t number = batch.first + i;
  if (found.rows() == 0) found.first = number;
  if (number != found.first + found.rows()) return;
  found.has_dates = batch.has_dates;
  found.times.push_back(batch.times[i]);
  const auto values = batch.row(i);
  found.values.insert(found.values.end(), values.begin(), values.end());
}

bool is_contiguous(const std::vector<ForecastRecord>& found, std::uint64_t from) {
  return std::ranges::all_of(found, [&](const ForecastRecord& each) { return each.number == from++; });
}

}  // namespace

Result<std::uint64_t> LogReader::search(const Place& place, std::uint64_t from, const LastNumber& last_number) const {
  ELASTANE_TRY_ASSIGN(const StreamState state, broker_->state(place.stream));
  std::uint64_t low = state.first, high = state.last + 1, found = 0;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    ELASTANE_TRY_ASSIGN(const auto message, broker_->first_from(place.stream, place.subject, middle));
    if (message && last_number(message->data) < from) {
      low = message->sequence + 1;
    } else {
      if (message) found = message->sequence;
      high = middle;
    }
  }
  return found;
}

Status LogReader::read(const Place& place, std::uint64_t sequence, const Each& each) const {
  ELASTANE_TRY_ASSIGN(const auto last, broker_->last(place.stream, place.subject));
  if (!last) return {};
  ELASTANE_TRY_ASSIGN(const auto records, broker_->read(place.stream, place.subject, sequence));
  for (std::uint64_t seen = 0; seen < last->sequence;) {
    ELASTANE_TRY_ASSIGN(const auto message, records->next(kPatienceMs));
    if (!message) return Error{"[nats] " + place.stream + ": records stopped coming"};
    seen = message->sequence;
    if (!each(message->data)) return {};
  }
  return {};
}

Result<std::vector<ForecastRecord>> LogReader::forecasts_from(const Place& place, std::uint64_t sequence,
                                                              std::uint64_t from, std::size_t most) const {
  std::vector<ForecastRecord> found;
  Status parsed;
  const Status is_read = read(place, sequence, [&](std::span<const std::byte> bytes) {
    auto batch = parse_forecasts(bytes);
    if (!batch) return parsed = Error{batch.error()}, false;
    for (ForecastRecord& each : batch->forecasts) {
      if (each.number >= from && found.size() < most) found.push_back(std::move(each));
    }
    return found.size() < most;
  });
  ELASTANE_TRY(is_read);
  ELASTANE_TRY(parsed);
  return found;
}

Result<std::vector<ForecastRecord>> LogReader::forecasts(const std::string& id, std::uint64_t from,
                                                         std::size_t most) const {
  const int p = partition_of(id, partitions_);
  const Place place{names_.forecasts_stream(p), names_.forecasts(p, id)};
  ELASTANE_TRY_ASSIGN(const std::uint64_t sequence, search(place, from, last_forecast));
  if (sequence == 0) return std::vector<ForecastRecord>();
  ELASTANE_TRY_ASSIGN(auto found, forecasts_from(place, sequence, from, most));
  ELASTANE_TRY_ASSIGN(const auto first, broker_->first_from(place.stream, place.subject, 1));
  // unless those before are too old to be kept: what the broker had lost was stored again, behind later ones
  if (found.empty() || !first || is_contiguous(found, first->sequence == sequence ? found.front().number : from))
    return found;
  ELASTANE_TRY_ASSIGN(found, forecasts_from(place, first->sequence, from, SIZE_MAX));
  std::ranges::sort(found, {}, &ForecastRecord::number);
  if (found.size() > most) found.resize(most);
  return found;
}

Result<RowBatch> LogReader::rows(const std::string& id, std::uint64_t from, std::size_t most) const {
  const int p = partition_of(id, partitions_);
  const Place place{names_.rows_stream(p), names_.rows(p, id)};
  ELASTANE_TRY_ASSIGN(const std::uint64_t sequence, search(place, from, last_row));
  RowBatch found{.id = id};
  if (sequence == 0) return found;
  ELASTANE_TRY(read(place, sequence, [&](std::span<const std::byte> bytes) {
    const auto batch = parse_rows(bytes);
    for (std::size_t i = 0; batch && i < batch->rows() && found.rows() < most; ++i) {
      if (batch->first + i >= from) append_row(*batch, i, found);
    }
    return found.rows() < most;
  }));
  return found;
}

}  // namespace elastane::serve
