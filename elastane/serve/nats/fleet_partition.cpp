#include "elastane/serve/nats/fleet_partition.h"

#include <algorithm>
#include <utility>

#include "elastane/core/base/checksum.h"

namespace elastane::serve {
namespace {

constexpr std::size_t kPiece = 512 << 10;  // bytes of a snapshot in one message
constexpr auto kPause = std::chrono::milliseconds(200);
constexpr auto kAskAgain = std::chrono::milliseconds(500);
constexpr int kWaitMs = 10;

SessionOptions without_limit(SessionOptions options) {
  options.most_streams = SIZE_MAX;  // what a source was allowed to send is taken
  return options;
}

// a difference that no second try can heal
struct Difference {
  static constexpr const char* kMark = "[replay]";
};

}  // namespace

FleetPartition::FleetPartition(int number, std::shared_ptr<Broker> broker, SharedForecastModel model,
                               const FleetPartitionOptions& options, Figures& figures)
    : number_(number),
      broker_(std::move(broker)),
      names_(broker_->prefix()),
      model_(std::move(model)),
      options_(options),
      figures_(figures),
      thread_([this] { run(); }) {}

void FleetPartition::stop() {
  is_ending_ = true;
  if (thread_.joinable()) thread_.join();
}

void FleetPartition::set_state(std::string state) {
  const std::lock_guard lock(mutex_);
  state_ = std::move(state);
}

PartitionStatus FleetPartition::status() const {
  const std::lock_guard lock(mutex_);
  return {.number = number_,
          .state = state_,
          .streams = stream_count_,
          .rows = rows_,
          .lag = lag_,
          .replayed = replayed_,
          .takeovers = takeovers_};
}

void FleetPartition::run() {
  while (!is_ending_) {
    const Status held = hold();
    if (held) continue;
    if (held.error().starts_with(Difference::kMark)) {
      set_state("stopped: " + held.error());
      is_stopped_ = true;
      return;
    }
    set_state("again: " + held.error());
    figures_.fenced += 1;
    std::this_thread::sleep_for(kPause);
  }
}

Status FleetPartition::hold() {
  const std::uint64_t reconnects = broker_->reconnects();
  ELASTANE_TRY(take_over());
  ELASTANE_TRY(restore());
  set_state("replaying");
  ELASTANE_TRY_ASSIGN(const auto rows, broker_->read(names_.rows_stream(number_), names_.all_rows(number_),
                                                     std::max(floor_ + 1, rows_state_.first)));
  const std::uint64_t end = rows_state_.last;
  auto heard = std::chrono::steady_clock::now();
  while (!is_ending_) {
    ELASTANE_TRY_ASSIGN(const auto message, rows->next(kWaitMs));
    // now and then is enough: what a broken connection lost breaks the chain, and the next record is refused
    if ((!message || position_ % 64 == 0) && broker_->reconnects() != reconnects) {
      return Error{"[nats] the connection was lost"};
    }
    if (message) {
      heard = std::chrono::steady_clock::now();
      ELASTANE_TRY(take(*message));
    } else if (position_ < end && std::chrono::steady_clock::now() - heard > std::chrono::seconds(3)) {
      return Error{"[nats] rows stopped coming"};
    }
    if (position_ >= end) set_state("ready");
    lag_ = position_ < end ? end - position_ : 0;
    ELASTANE_TRY(forecasts_->collect(0));
    ELASTANE_TRY(snapshots_->collect(0));
    ELASTANE_TRY(continue_snapshots());
  }
  return {};
}

// --- restore

Status FleetPartition::take_over() {
  set_state("taking over");
  takeovers_ += 1;
  figures_.takeovers += 1;
  forecasts_ = std::make_unique<ChainedWriter>(broker_, names_.forecasts_stream(number_),
                                               names_.forecasts_fence(number_), options_.rules);
  snapshots_ = std::make_unique<ChainedWriter>(broker_, names_.snapshots_stream(number_),
                                               names_.snapshots_fence(number_), options_.rules);
  ELASTANE_TRY(forecasts_->take_over());
  ELASTANE_TRY(snapshots_->take_over());
  ELASTANE_TRY_ASSIGN(rows_state_, broker_->state(names_.rows_stream(number_)));
  ELASTANE_TRY_ASSIGN(forecasts_state_, broker_->state(names_.forecasts_stream(number_)));
  return {};
}

Status FleetPartition::restore() {
  session_ = std::make_unique<Session>(model_, without_limit(options_.session));
  streams_.clear();
  stored_.clear();
  stored_last_.clear();
  entries_.clear();
  due_.clear();
  is_round_ = is_rebuilt_ = false;
  rows_since_round_ = 0;
  ELASTANE_TRY_ASSIGN(const auto message, broker_->last(names_.snapshots_stream(number_), names_.manifest(number_)));
  if (message) {
    const auto manifest = parse_manifest(message->data);
    if (manifest && manifest->rows_last > 0) {
      ELASTANE_TRY_ASSIGN(const bool fits, restore_manifest(*manifest));
      if (fits) return {};
      figures_.rebuilt += 1;
    }
  }
  return rebuild();
}

// From the first row kept. An empty manifest comes first: what is stored from now on would make the old one look right.
Status FleetPartition::rebuild() {
  session_ = std::make_unique<Session>(model_, without_limit(options_.session));
  streams_.clear();
  entries_.clear();
  is_rebuilt_ = true;
  ELASTANE_TRY(snapshots_->publish(names_.manifest(number_), to_bytes(Manifest{})));
  ELASTANE_TRY(snapshots_->wait_for_all());
  position_ = floor_ = 0;
  return read_stored(1);
}

// What is stored from this sequence on, up to the fence.
Status FleetPartition::read_stored(std::uint64_t from) {
  stored_.clear();
  const std::uint64_t fence = forecasts_->fence_sequence();
  from = std::max(from, forecasts_state_.first);
  if (from >= fence) return {};
  const std::string stream = names_.forecasts_stream(number_);
  ELASTANE_TRY_ASSIGN(const auto records, broker_->read(stream, names_.all_forecasts(number_), from));
  std::uint64_t seen = 0;
  while (seen < fence) {
    ELASTANE_TRY_ASSIGN(const auto message, records->next(3000));
    if (!message) return Error{"[nats] forecasts stopped coming"};
    seen = message->sequence;
    if (seen >= fence || message->subject == names_.forecasts_fence(number_)) continue;
    ELASTANE_TRY_ASSIGN(const ForecastBatch batch, parse_forecasts(message->data));
    for (const ForecastRecord& each : batch.forecasts) {
      stored_[batch.id][each.number] = {hash64(to_bytes(each)), seen};
      stored_last_[batch.id] = std::max(stored_last_[batch.id], each.number);
    }
  }
  return {};
}

// False if it does not fit: a snapshot is missing or damaged, or the logs lost records that it counts on.
Result<bool> FleetPartition::restore_manifest(const Manifest& m) {
  const bool is_behind = m.rows_last <= rows_state_.last && m.forecasts_last < forecasts_->fence_sequence() &&
                         m.rows_deleted == rows_state_.deleted && m.forecasts_deleted == forecasts_state_.deleted;
  if (!is_behind && !options_.rules.ahead) return false;
  for (const Manifest::Entry& entry : m.entries) {
    std::vector<std::byte> bytes;
    for (std::size_t piece = 0; piece < entry.pieces; ++piece) {
      const std::string subject = names_.snapshot(number_, entry.id, static_cast<int>(entry.slot), piece);
      ELASTANE_TRY_ASSIGN(const auto message, broker_->last(names_.snapshots_stream(number_), subject));
      if (!message) return false;
      bytes.insert(bytes.end(), message->data.begin(), message->data.end());
    }
    const auto id = session_->restore(bytes);
    if (!id || *id != entry.id || session_->last_row(entry.id) != entry.number) return false;
    streams_[entry.id].slot = static_cast<int>(entry.slot);
    stored_last_[entry.id] = entry.number;
    entries_[entry.id] = entry;
  }
  position_ = floor_ = m.rows_floor;
  ELASTANE_TRY(read_stored(m.forecasts_floor + 1));
  stream_count_ = session_->size();
  return true;
}

// --- rows

Status FleetPartition::take(const BrokerMessage& message) {
  position_ = std::max(position_, message.sequence);
  auto batch = parse_rows(message.data, session_->channels());
  if (!batch) {
    figures_.refuse(Refusal::malformed);
    return {};
  }
  const std::uint64_t last = session_->last_row(batch->id);
  if (options_.rules.repeat && batch->first <= last) batch->first = last + 1;
  if (options_.rules.hole && batch->first > last + 1) batch->first = last + 1;
  Fed fed = session_->feed(*batch);
  if (fed.outcome == Fed::Outcome::repeated) {
    figures_.repeated += batch->rows();
    const bool is_stored = streams_[batch->id].last_record <= forecasts_->stored();
    if (is_stored && position_ >= rows_state_.last) notify_source(batch->id, false);
    return {};
  }
  if (fed.outcome == Fed::Outcome::gap) return notify_source(batch->id, true), Status();
  if (fed.outcome != Fed::Outcome::fed) return figures_.refuse(Refusal::malformed), Status();
  return store(*batch, message.sequence, std::move(fed));
}

Status FleetPartition::store(const RowBatch& batch, std::uint64_t sequence, Fed fed) {
  const std::string& id = batch.id;
  OneStream& stream = streams_[id];
  stream_count_ = session_->size();
  rows_ += fed.forecasts.size();
  rows_since_round_ += fed.forecasts.size();
  figures_.rows += fed.forecasts.size();
  figures_.count(fed.figures);
  if (stream.first_dirty_row == 0) stream.first_dirty_row = sequence;
  ForecastBatch fresh{.id = id, .forecasts = {}};
  const std::uint64_t stored = options_.rules.stored ? 0 : stored_last_[id];
  for (ForecastRecord& each : fed.forecasts) {
    // a record that the broker lost in the middle of the log is stored again, late rather than never
    const bool is_lost = is_rebuilt_ && each.number <= stored && !stored_[id].contains(each.number);
    if (each.number > stored || is_lost) {
      fresh.forecasts.push_back(std::move(each));
      continue;
    }
    ELASTANE_TRY(compare(id, each));
    replayed_ += 1;
    figures_.replayed += 1;
  }
  if (fresh.forecasts.empty()) return {};
  ELASTANE_TRY(forecasts_->publish(names_.forecasts(number_, id), to_bytes(fresh)));
  stream.last_record = forecasts_->sent();
  if (stream.first_dirty_forecast == 0) stream.first_dirty_forecast = forecasts_->sequence(forecasts_->sent());
  return {};
}

Status FleetPartition::compare(const std::string& id, const ForecastRecord& record) {
  OneStream& stream = streams_[id];
  auto& known = stored_[id];
  const auto at = known.find(record.number);
  if (at == known.end()) return {};
  if (stream.first_dirty_forecast == 0) stream.first_dirty_forecast = at->second.sequence;
  const bool is_same = hash64(to_bytes(record)) == at->second.hash;
  if (is_same) return known.erase(at), Status();
  std::string before, now;
  append_line(id, record, session_->targets(), now);
  const auto message = broker_->at(names_.forecasts_stream(number_), at->second.sequence);
  const auto batch = message ? parse_forecasts(message->data) : Result<ForecastBatch>(Error{"cannot be read"});
  if (batch) {
    for (const ForecastRecord& each : batch->forecasts) {
      if (each.number == record.number) append_line(id, each, session_->targets(), before);
    }
  }
  return Error{std::string(Difference::kMark) +
               " a recomputed forecast differs from the stored one; stored: " + before + "recomputed: " + now};
}

// A row before the one that came is missing: the broker lost it, or it comes again behind that one. Or all came before,
// and their forecasts are stored; a source that did not notice would send them for ever.
void FleetPartition::notify_source(const std::string& id, bool is_missing) {
  const auto now = std::chrono::steady_clock::now();
  auto& asked = asked_[id];
  if (now - asked < kAskAgain) return;
  asked = now;
  const std::uint64_t last = session_->last_row(id);
  const RowBatch news{.id = id, .first = is_missing ? last + 1 : last, .times = {is_missing ? 1.0 : 0.0}, .values = {}};
  (void)broker_->publish(names_.wanted(), to_bytes(news));
}

// --- snapshots

Status FleetPartition::continue_snapshots() {
  if (!is_round_) {
    if (rows_since_round_ < options_.snapshot_rows) return {};
    is_round_ = true;
    rows_since_round_ = 0;
    for (const auto& [id, stream] : streams_) {
      if (stream.first_dirty_row > 0) due_.insert(id);
    }
  }
  // one whose forecasts are all stored; under load another one comes first
  for (const std::string& id : due_) {
    if (streams_[id].last_record > forecasts_->stored()) continue;
    ELASTANE_TRY(save_snapshot(id));
    due_.erase(id);
    return {};
  }
  if (!due_.empty() || snapshots_->stored() < snapshots_->sent()) return {};
  is_round_ = false;
  return save_manifest();
}

Status FleetPartition::save_snapshot(const std::string& id) {
  const auto bytes = session_->snapshot(id);
  if (!bytes) return {};
  OneStream& stream = streams_[id];
  stream.slot = 1 - stream.slot;
  std::uint64_t pieces = 0;
  for (std::size_t at = 0; at < bytes->size(); at += kPiece) {
    const auto piece = std::span(*bytes).subspan(at, std::min(kPiece, bytes->size() - at));
    ELASTANE_TRY(snapshots_->publish(names_.snapshot(number_, id, stream.slot, pieces++), piece));
  }
  entries_[id] = {
      .id = id, .number = session_->last_row(id), .slot = static_cast<std::uint64_t>(stream.slot), .pieces = pieces};
  stream.first_dirty_row = stream.first_dirty_forecast = 0;
  figures_.snapshots += 1;
  return {};
}

Status FleetPartition::save_manifest() {
  Manifest m{.rows_floor = position_,
             .forecasts_floor = forecasts_->sequence(forecasts_->stored()),
             .rows_last = position_,
             .forecasts_last = forecasts_->sequence(forecasts_->stored()),
             .rows_deleted = rows_state_.deleted,
             .forecasts_deleted = forecasts_state_.deleted};
  for (const auto& [id, stream] : streams_) {
    if (stream.first_dirty_row > 0) m.rows_floor = std::min(m.rows_floor, stream.first_dirty_row - 1);
    if (stream.first_dirty_forecast > 0)
      m.forecasts_floor = std::min(m.forecasts_floor, stream.first_dirty_forecast - 1);
  }
  for (const auto& [id, entry] : entries_) m.entries.push_back(entry);
  return snapshots_->publish(names_.manifest(number_), to_bytes(m));
}

}  // namespace elastane::serve
