#include "elastane/serve/nats/fleet_partition.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "elastane/core/base/checksum.h"

namespace elastane::serve {
namespace {

constexpr std::size_t kPiece = 512 << 10;  // bytes of a snapshot in one message
constexpr auto kPause = std::chrono::milliseconds(200);
constexpr auto kAskAgain = std::chrono::milliseconds(500);
constexpr int kWaitMs = 10;
constexpr int kSnapshotMs = 3000;
constexpr std::uint64_t kLookAfterEvery = 16;  // messages of rows

double thread_seconds() {  // of the processor
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

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
      names_(broker_->prefix(), options.rows_of),
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
    if (options_.log) options_.log("partition " + std::to_string(number_) + ": again: " + held.error());
    broker_->send();
    figures_.fenced += 1;
    std::this_thread::sleep_for(kPause);
  }
}

Status FleetPartition::hold() {
  const std::uint64_t reconnects = broker_->reconnects();
  ELASTANE_TRY(take_over());
  ELASTANE_TRY(restore());
  set_state("replaying");
  ELASTANE_TRY_ASSIGN(const auto rows,
                      broker_->read(names_.rows_stream(number_), "", std::max(floor_ + 1, rows_state_.first)));
  const std::uint64_t end = rows_state_.last;
  bool is_ready = false, is_idle = false;
  auto heard = std::chrono::steady_clock::now();
  while (!is_ending_) {
    if (!is_ready && position_ >= end) {
      is_ready = true;
      is_replayed();
    }
    ELASTANE_TRY_ASSIGN(const auto message, rows->next(!is_idle ? 0 : is_round_ ? 1 : kWaitMs));
    if (!message) ELASTANE_TRY(forecasts_->flush());
    if (!message || taken_ % kLookAfterEvery == 0) {
      // what a broken connection lost breaks the chain, and the next record is refused
      if (broker_->reconnects() != reconnects) return Error{"[nats] the connection was lost"};
      ELASTANE_TRY(look_after());
    }
    if (message) {
      ELASTANE_TRY(take(*message));
      if (!is_ready) heard = std::chrono::steady_clock::now();
    } else if (!is_ready && std::chrono::steady_clock::now() - heard > std::chrono::seconds(3)) {
      return Error{"[nats] rows stopped coming"};
    }
    if (is_round_) ELASTANE_TRY(forecasts_->flush());  // a forecast does not wait for a snapshot
    ELASTANE_TRY(continue_snapshots());
    is_idle = !message;
    lag_ = position_ < end ? end - position_ : 0;
  }
  return forecasts_->flush();
}

// what is done now and then, and whenever no row waits
Status FleetPartition::look_after() {
  ELASTANE_TRY(forecasts_->collect(0));
  return snapshots_->collect(0);
}

void FleetPartition::is_replayed() {
  set_state("ready");
  takeover_.replayed = seconds_since(takeover_.began);
  takeover_.rows = replayed_ - takeover_.rows;
  takeover_.is_new = true;
}

void FleetPartition::log_takeover() {
  takeover_.is_new = false;
  if (!options_.log) return;
  char text[200];
  std::snprintf(text, sizeof text,
                "partition %d: fenced after %.3f s, restored after %.3f s, %llu rows replayed after %.3f s, "
                "the first new forecast after %.3f s; %.3f s of processor",
                number_, takeover_.fenced, takeover_.restored, static_cast<unsigned long long>(takeover_.rows),
                takeover_.replayed, seconds_since(takeover_.began), thread_seconds() - takeover_.processor);
  options_.log(text);
}

// --- restore

Status FleetPartition::take_over() {
  set_state("taking over");
  takeover_ = {.began = std::chrono::steady_clock::now(), .processor = thread_seconds(), .rows = replayed_};
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
  takeover_.fenced = seconds_since(takeover_.began);
  return {};
}

Status FleetPartition::restore() {
  session_ = std::make_unique<Session>(model_, without_limit(options_.session));
  streams_.clear();
  room_ = {};
  entries_.clear();
  due_.clear();
  is_round_ = is_last_round_ = is_rebuilt_ = false;
  rows_since_round_ = 0;
  ELASTANE_TRY_ASSIGN(const auto message, broker_->last(names_.snapshots_stream(number_), names_.manifest(number_)));
  if (message) {
    const auto manifest = parse_manifest(message->data);
    if (manifest && manifest->rows_last > 0) {
      ELASTANE_TRY_ASSIGN(const bool fits, restore_manifest(*manifest));
      takeover_.restored = seconds_since(takeover_.began);
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
  room_ = {};
  entries_.clear();
  is_rebuilt_ = true;
  ELASTANE_TRY(snapshots_->publish(names_.manifest(number_), to_bytes(Manifest{})));
  ELASTANE_TRY(snapshots_->wait_for_all());
  position_ = floor_ = 0;
  return read_stored(1);
}

// What is stored from this sequence on, up to the fence.
Status FleetPartition::read_stored(std::uint64_t from) {
  const std::uint64_t fence = forecasts_->fence_sequence();
  stored_floor_ = from - 1;
  from = std::max(from, forecasts_state_.first);
  if (from >= fence) return {};
  ELASTANE_TRY_ASSIGN(const auto records, broker_->read(names_.forecasts_stream(number_), "", from));
  std::uint64_t seen = 0;
  while (seen < fence) {
    ELASTANE_TRY_ASSIGN(const auto message, records->next(3000));
    if (!message) return Error{"[nats] forecasts stopped coming"};
    seen = message->sequence;
    if (seen >= fence || message->subject == names_.forecasts_fence(number_)) continue;
    ELASTANE_TRY_ASSIGN(const ForecastBatch batch, parse_forecasts(message->data));
    OneStream& stream = stream_of(batch.id);
    for (const ForecastRecord& each : batch.forecasts) {
      stream.stored.add(each.number, {hash64(to_bytes(each)), seen}, room_);
      stream.last_stored = std::max(stream.last_stored, each.number);
    }
  }
  return {};
}

// False if it does not fit: a snapshot is missing or damaged, or the logs lost records that it counts on.
Result<bool> FleetPartition::restore_manifest(const Manifest& m) {
  const bool is_behind = m.rows_last <= rows_state_.last && m.forecasts_last < forecasts_->fence_sequence() &&
                         m.rows_deleted == rows_state_.deleted && m.forecasts_deleted == forecasts_state_.deleted;
  if (!is_behind && !options_.rules.ahead) return false;
  for (const int slot : {0, 1}) {
    ELASTANE_TRY_ASSIGN(const bool is_whole, restore_slot(m, slot));
    if (!is_whole) return false;
  }
  position_ = floor_ = m.rows_floor;
  ELASTANE_TRY(read_stored(m.forecasts_floor + 1));
  stream_count_ = session_->size();
  return true;
}

// All snapshots of one slot, as the broker has them one after the other. To ask for each took a second for 28 MB of them: one
// at a time, and as text in JSON.
Result<bool> FleetPartition::restore_slot(const Manifest& m, int slot) {
  std::map<std::string, const Manifest::Entry*> wanted;  // by the subject of its first piece
  for (const Manifest::Entry& entry : m.entries) {
    if (static_cast<int>(entry.slot) == slot) wanted[names_.snapshot(number_, entry.id, slot, 0)] = &entry;
  }
  if (wanted.empty()) return true;
  ELASTANE_TRY_ASSIGN(const auto pieces,
                      broker_->read(names_.snapshots_stream(number_), names_.snapshots_of_slot(number_, slot), 1));
  const Manifest::Entry* entry = nullptr;
  std::vector<std::byte> bytes;
  std::uint64_t count = 0;
  while (!wanted.empty()) {
    ELASTANE_TRY_ASSIGN(const auto message, pieces->next(kSnapshotMs));
    if (!message) return false;
    if (const auto at = wanted.find(std::string(message->subject)); at != wanted.end()) {
      entry = at->second;
      bytes.clear();
      count = 0;
    } else if (entry == nullptr || message->subject != names_.snapshot(number_, entry->id, slot, count)) {
      continue;  // of another stream, or an old piece of a snapshot that had more of them
    }
    bytes.insert(bytes.end(), message->data.begin(), message->data.end());
    if (++count < entry->pieces) continue;
    if (!restore_stream(*entry, bytes)) return false;
    wanted.erase(names_.snapshot(number_, entry->id, slot, 0));
    entry = nullptr;
  }
  return true;
}

bool FleetPartition::restore_stream(const Manifest::Entry& entry, std::span<const std::byte> bytes) {
  const auto id = session_->restore(bytes);
  if (!id || *id != entry.id || session_->last_row(entry.id) != entry.number) return false;
  OneStream& stream = stream_of(entry.id);
  stream.slot = static_cast<int>(entry.slot);
  stream.last_stored = entry.number;
  entries_[entry.id] = entry;
  return true;
}

// --- rows

Status FleetPartition::take(const BrokerMessage& message) {
  position_ = std::max(position_, message.sequence);
  taken_ += 1;
  auto batch = parse_rows(message.data, session_->channels());
  if (!batch) {
    figures_.refuse(Refusal::malformed);
    return {};
  }
  if (options_.rules.repeat || options_.rules.hole) {
    const std::uint64_t last = session_->last_row(batch->id);
    if (options_.rules.repeat && batch->first <= last) batch->first = last + 1;
    if (options_.rules.hole && batch->first > last + 1) batch->first = last + 1;
  }
  Fed fed = session_->feed(*batch);
  if (fed.outcome == Fed::Outcome::repeated) {
    figures_.repeated += batch->rows();
    const bool is_stored = stream_of(batch->id).last_record <= forecasts_->stored();
    if (is_stored && position_ >= rows_state_.last) notify_source(batch->id, false);
    return {};
  }
  if (fed.outcome == Fed::Outcome::gap) return notify_source(batch->id, true), Status();
  if (fed.outcome != Fed::Outcome::fed) return figures_.refuse(Refusal::malformed), Status();
  return store(*batch, message.sequence, std::move(fed));
}

FleetPartition::OneStream& FleetPartition::stream_of(const std::string& id) {
  OneStream& stream = streams_[id];
  if (stream.subject.empty()) stream.subject = names_.forecasts(number_, id);
  return stream;
}

Status FleetPartition::store(const RowBatch& batch, std::uint64_t sequence, Fed fed) {
  const std::string& id = batch.id;
  OneStream& stream = stream_of(id);
  stream_count_ = session_->size();
  rows_ += fed.forecasts.size();
  rows_since_round_ += fed.forecasts.size();
  figures_.count(fed.figures);
  if (stream.first_dirty_row == 0) stream.first_dirty_row = sequence;
  ForecastBatch fresh{.id = id, .forecasts = {}};
  const std::uint64_t stored = options_.rules.stored ? 0 : stream.last_stored;
  for (ForecastRecord& each : fed.forecasts) {
    // a record that the broker lost in the middle of the log is stored again, late rather than never
    const bool is_lost = is_rebuilt_ && each.number <= stored && !stream.stored.contains(each.number);
    if (each.number > stored || is_lost) {
      fresh.forecasts.push_back(std::move(each));
      continue;
    }
    ELASTANE_TRY(compare(id, stream, each));
    replayed_ += 1;
    figures_.replayed += 1;
  }
  if (fresh.forecasts.empty()) return {};
  ELASTANE_TRY(forecasts_->publish(stream.subject, to_bytes(fresh)));
  stream.last_record = forecasts_->sent();
  if (stream.first_dirty_forecast == 0) stream.first_dirty_forecast = forecasts_->sequence(forecasts_->sent());
  if (takeover_.is_new) log_takeover();
  return {};
}

Status FleetPartition::compare(const std::string& id, OneStream& stream, const ForecastRecord& record) {
  const auto known = stream.stored.take(record.number, room_);
  if (!known && !stream.stored.contains(record.number)) return {};
  // The next manifest must not be beyond any of them; one that was stored late is behind later ones. Of one without a hash it
  // is not known where it is.
  const std::uint64_t at = known ? known->sequence : std::max<std::uint64_t>(1, forecasts_state_.first);
  stream.first_dirty_forecast = stream.first_dirty_forecast == 0 ? at : std::min(stream.first_dirty_forecast, at);
  if (!known || hash64(to_bytes(record)) == known->hash) return {};
  std::string before, now;
  append_line(id, record, session_->targets(), now);
  const auto message = broker_->at(names_.forecasts_stream(number_), known->sequence);
  const auto batch = message ? parse_forecasts(message->data) : Result<ForecastBatch>(Error{"cannot be read"});
  if (batch) {
    for (const ForecastRecord& each : batch->forecasts) {
      if (each.number == record.number) append_line(id, each, session_->targets(), before);
    }
  }
  return Error{std::string(Difference::kMark) + " a recomputed forecast differs from the stored one; stored: " +
               before + "recomputed: " + now + "do all workers have the same model, options and instruction set?"};
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
    is_last_round_ = is_last_round_ && is_leaving_;
    is_saved_ = is_last_round_ && snapshots_->stored() == snapshots_->sent();
    const bool leaves = is_leaving_ && !is_last_round_;
    if (rows_since_round_ < options_.snapshot_rows && !leaves) return {};
    is_round_ = true;
    is_last_round_ = leaves;
    rows_since_round_ = 0;
    for (const auto& [id, stream] : streams_) {
      if (stream.first_dirty_row > 0) due_.push_back(id);
    }
  }
  // one whose forecasts are all stored; under load another one comes first
  for (int tries = 4; tries > 0 && !due_.empty(); --tries) {
    const std::string id = std::move(due_.front());
    due_.pop_front();
    if (stream_of(id).last_record <= forecasts_->stored()) return save_snapshot(id);
    due_.push_back(id);
  }
  if (!due_.empty() || snapshots_->stored() < snapshots_->sent()) return {};
  is_round_ = false;
  return save_manifest();
}

Status FleetPartition::save_snapshot(const std::string& id) {
  const auto bytes = session_->snapshot(id);
  if (!bytes) return {};
  OneStream& stream = stream_of(id);
  stream.slot = 1 - stream.slot;
  std::uint64_t pieces = 0;
  for (std::size_t at = 0; at < bytes->size(); at += kPiece) {
    const auto piece = std::span(*bytes).subspan(at, std::min(kPiece, bytes->size() - at));
    ELASTANE_TRY(
        snapshots_->publish(names_.snapshot(number_, id, stream.slot, pieces++), {piece.begin(), piece.end()}));
  }
  ELASTANE_TRY(snapshots_->flush());
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
    // forecasts that are stored, of rows that a replay has not reached, or that the broker lost and a source sends again
    if (stream.last_stored > session_->last_row(id)) m.forecasts_floor = std::min(m.forecasts_floor, stored_floor_);
  }
  for (const auto& [id, entry] : entries_) m.entries.push_back(entry);
  ELASTANE_TRY(snapshots_->publish(names_.manifest(number_), to_bytes(m)));
  return snapshots_->flush();
}

}  // namespace elastane::serve
