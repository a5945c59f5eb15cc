#include "elastane/serve/nats/log_reader.h"

#include <algorithm>
#include <map>
#include <utility>

#include "elastane/serve/stream_id.h"

namespace elastane::serve {
namespace {

constexpr int kPatienceMs = 2000;

std::uint64_t number_of_forecast(std::span<const std::byte> bytes) {
  const auto batch = parse_forecasts(bytes);
  return batch && !batch->forecasts.empty() ? batch->forecasts.back().number : 0;
}

std::uint64_t number_of_row(std::span<const std::byte> bytes) {
  const auto batch = parse_rows(bytes);
  return batch && batch->rows() > 0 ? batch->last() : 0;
}

// The first `most` numbers from `from` on, whatever their order in the log; of equal ones the first.
template <class Value>
class Numbered {
 public:
  Numbered(std::uint64_t from, std::size_t most) : from_(from), most_(most) {}
  bool wants(std::uint64_t number) const {
    return number >= from_ && (values_.size() < most_ || number < values_.rbegin()->first);
  }
  void add(std::uint64_t number, Value value) {
    values_.try_emplace(number, std::move(value));
    if (values_.size() > most_) values_.erase(std::prev(values_.end()));
  }
  bool has_all() const {
    return values_.size() == most_ && values_.begin()->first == from_ && values_.rbegin()->first == from_ + most_ - 1;
  }
  std::map<std::uint64_t, Value>& values() { return values_; }

 private:
  std::uint64_t from_;
  std::size_t most_;
  std::map<std::uint64_t, Value> values_;
};

}  // namespace

LogReader::Place LogReader::place_of_forecasts(const std::string& id) const {
  const int p = partition_of(id, partitions_);
  return {names_.forecasts_stream(p), names_.forecasts(p, id)};
}

LogReader::Place LogReader::place_of_rows(const std::string& id) const {
  const int p = partition_of(id, partitions_);
  return {names_.rows_stream(p), names_.rows(p, id)};
}

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

Result<LogReader::End> LogReader::end_of(const Place& place, const LastNumber& last_number) const {
  ELASTANE_TRY_ASSIGN(const auto last, broker_->last(place.stream, place.subject));
  return last ? End{last->sequence, last_number(last->data)} : End{};
}

Result<bool> LogReader::read(const Place& place, std::uint64_t sequence, std::uint64_t end, const Take& take) const {
  ELASTANE_TRY_ASSIGN(const auto records, broker_->read(place.stream, place.subject, sequence));
  for (std::uint64_t seen = 0; seen < end;) {
    ELASTANE_TRY_ASSIGN(const auto message, records->next(kPatienceMs));
    if (!message) return Error{"[nats] " + place.stream + ": records stopped coming"};
    seen = message->sequence;
    if (take(message->data)) return true;
  }
  return false;
}

Status LogReader::collect(const Place& place, std::uint64_t from, std::uint64_t end, const LastNumber& last_number,
                          const Take& take) const {
  ELASTANE_TRY_ASSIGN(const std::uint64_t sequence, search(place, from, last_number));
  ELASTANE_TRY_ASSIGN(const bool has_all, read(place, sequence, end, take));
  if (has_all) return {};
  ELASTANE_TRY_ASSIGN(const auto first, broker_->first_from(place.stream, place.subject, 1));
  if (!first || first->sequence >= sequence) return {};
  ELASTANE_TRY(read(place, first->sequence, end, take));
  return {};
}

Result<std::vector<ForecastRecord>> LogReader::forecasts(const std::string& id, std::uint64_t from,
                                                         std::size_t most) const {
  const Place place = place_of_forecasts(id);
  // a page of the newest ones ends with the log
  ELASTANE_TRY_ASSIGN(const End end, end_of(place, number_of_forecast));
  if (end.number < from || most == 0) return std::vector<ForecastRecord>();
  most = static_cast<std::size_t>(std::min<std::uint64_t>(most, end.number - from + 1));
  Numbered<ForecastRecord> numbered(from, most);
  ELASTANE_TRY(collect(place, from, end.sequence, number_of_forecast, [&](std::span<const std::byte> bytes) {
    auto batch = parse_forecasts(bytes);
    for (std::size_t i = 0; batch && i < batch->forecasts.size(); ++i) {
      ForecastRecord& each = batch->forecasts[i];
      if (numbered.wants(each.number)) numbered.add(each.number, std::move(each));
    }
    return numbered.has_all();
  }));
  std::vector<ForecastRecord> found;
  for (auto& [number, record] : numbered.values()) found.push_back(std::move(record));
  return found;
}

Result<std::vector<ForecastRecord>> LogReader::last_forecast(const std::string& id) const {
  const Place place = place_of_forecasts(id);
  ELASTANE_TRY_ASSIGN(const auto message, broker_->last(place.stream, place.subject));
  std::vector<ForecastRecord> found;
  if (!message) return found;
  ELASTANE_TRY_ASSIGN(ForecastBatch batch, parse_forecasts(message->data));
  if (!batch.forecasts.empty()) found.push_back(std::move(batch.forecasts.back()));
  return found;
}

Result<RowBatch> LogReader::rows(const std::string& id, std::uint64_t from, std::size_t most) const {
  const Place place = place_of_rows(id);
  RowBatch found{.id = id};
  ELASTANE_TRY_ASSIGN(const End end, end_of(place, number_of_row));
  if (end.number < from || most == 0) return found;
  struct Row {
    double time;
    std::vector<double> values;
  };
  Numbered<Row> numbered(from, static_cast<std::size_t>(std::min<std::uint64_t>(most, end.number - from + 1)));
  ELASTANE_TRY(collect(place, from, end.sequence, number_of_row, [&](std::span<const std::byte> bytes) {
    const auto batch = parse_rows(bytes);
    for (std::size_t i = 0; batch && i < batch->rows(); ++i) {
      if (!numbered.wants(batch->first + i)) continue;
      found.has_dates = batch->has_dates;
      const auto values = batch->row(i);
      numbered.add(batch->first + i, {batch->times[i], {values.begin(), values.end()}});
    }
    return numbered.has_all();
  }));
  for (const auto& [number, row] : numbered.values()) {
    if (found.rows() == 0) found.first = number;
    if (number != found.first + found.rows()) break;
    found.times.push_back(row.time);
    found.values.insert(found.values.end(), row.values.begin(), row.values.end());
  }
  return found;
}

}  // namespace elastane::serve
