#include "elastane/serve/local_partition.h"

#include <algorithm>
#include <utility>

namespace elastane::serve {
namespace {

constexpr std::size_t kTogether = 256;  // requests that share a sync

SessionOptions without_limit(SessionOptions options) {
  options.most_streams = SIZE_MAX;  // the partitions share one
  return options;
}

// all but the first rows of a batch
RowBatch without_first(const RowBatch& batch, std::size_t count) {
  const std::size_t channels = batch.values.size() / batch.rows();
  RowBatch rest{.id = batch.id, .first = batch.first + count, .has_dates = batch.has_dates};
  rest.times.assign(batch.times.begin() + static_cast<std::ptrdiff_t>(count), batch.times.end());
  rest.values.assign(batch.values.begin() + static_cast<std::ptrdiff_t>(count * channels), batch.values.end());
  return rest;
}

}  // namespace

// a request whose rows have numbers
struct LocalPartition::Admitted {
  FeedRequest request;
  RowBatch fresh;  // rows that are new; none: all were repeated
  std::vector<ForecastRecord> forecasts;
};

LocalPartition::LocalPartition(int number, StreamLog log, SharedForecastModel model, const PartitionOptions& options,
                               Figures& figures, std::atomic<std::size_t>& streams)
    : number_(number),
      log_(std::move(log)),
      options_(options),
      figures_(figures),
      streams_(streams),
      session_(std::make_shared<Session>(std::move(model), without_limit(options.session))) {}

// --- start

Status LocalPartition::catch_up() {
  std::map<std::string, std::uint64_t> known;
  log_.load_snapshots([&](std::uint64_t position, std::span<const std::byte> bytes) {
    const auto id = session_->restore(bytes);
    if (!id) return;  // of another model, or damaged: its rows are replayed
    if (log_.is_current(*id, position) && session_->last_row(*id) <= log_.last_row(*id)) {
      known[*id] = position;
    } else {
      session_->erase(*id);
    }
  });
  const StreamLog::Replay again{
      .rows = [&](const RowBatch& batch, bool is_compared) { return feed_replayed(*session_, batch, is_compared); },
      .restore = [&](const Control& control) -> Status {
        ELASTANE_TRY(session_->restore(std::as_bytes(std::span(control.data))));
        return {};
      }};
  ELASTANE_TRY(log_.replay(0, log_.end(), log_.begins(known), again));
  ELASTANE_TRY(log_.write_forecasts());
  for (const std::string& id : session_->ids()) activity_.know(id, session_->last_row(id));
  streams_ += session_->size();
  return {};
}

// A row whose forecast is stored is compared, others are stored now.
Status LocalPartition::feed_replayed(Session& session, const RowBatch& batch, bool is_compared) {
  Fed fed = session.feed(batch);
  if (fed.outcome == Fed::Outcome::repeated) return {};
  if (fed.outcome != Fed::Outcome::fed) return Error{"[replay] rows of " + batch.id + " do not fit the model"};
  replayed_ += fed.forecasts.size();
  figures_.replayed += fed.forecasts.size();
  dirty_[batch.id] += fed.forecasts.size();
  if (!is_compared) return {};
  ELASTANE_TRY(compare(batch.id, fed.forecasts));
  const std::uint64_t stored = log_.last_forecast(batch.id);
  std::erase_if(fed.forecasts, [&](const ForecastRecord& each) { return each.number <= stored; });
  if (!fed.forecasts.empty()) log_.append(ForecastBatch{.id = batch.id, .forecasts = std::move(fed.forecasts)});
  return {};
}

Status LocalPartition::compare(const std::string& id, const std::vector<ForecastRecord>& recomputed) {
  ELASTANE_TRY_ASSIGN(const auto stored, log_.read(id, recomputed.front().number, recomputed.size()));
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (to_bytes(stored[i]) == to_bytes(recomputed[i])) continue;
    std::string before, now;
    append_line(id, stored[i], session_->targets(), before);
    append_line(id, recomputed[i], session_->targets(), now);
    return Error{
        "[replay] a recomputed forecast differs from the stored one; stored: " + before + "recomputed: " + now +
        "start with the options of before; or was the program built for another processor, or the log changed?"};
  }
  return {};
}

void LocalPartition::start(Service::Listener listener) {
  listener_ = std::move(listener);
  thread_ = std::thread([this] { run(); });
}

void LocalPartition::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wakes_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (builder_.joinable()) builder_.join();
}

// --- queue

bool LocalPartition::post(FeedRequest request) {
  const std::unique_lock lock(mutex_);
  if (is_ending_ || queue_.size() >= options_.queue) return false;
  queue_.push_back({.feed = std::move(request), .task = {}});
  wakes_.notify_one();
  return true;
}

bool LocalPartition::post(std::function<void(LocalPartition&)> task) {
  const std::unique_lock lock(mutex_);
  if (is_ending_ || queue_.size() >= options_.queue) return false;
  queue_.push_back({.feed = {}, .task = std::move(task)});
  wakes_.notify_one();
  return true;
}

void LocalPartition::push(Work work) {
  const std::unique_lock lock(mutex_);
  queue_.push_back(std::move(work));
  wakes_.notify_one();
}

void LocalPartition::run() {
  while (true) {
    std::vector<FeedRequest> feeds;
    std::function<void(LocalPartition&)> task;
    {
      std::unique_lock lock(mutex_);
      wakes_.wait(lock, [&] { return is_ending_ || !queue_.empty(); });
      if (queue_.empty()) return;
      while (!queue_.empty() && queue_.front().feed && feeds.size() < kTogether) {
        feeds.push_back(*std::move(queue_.front().feed));
        queue_.pop_front();
      }
      if (feeds.empty()) {
        task = std::move(queue_.front().task);
        queue_.pop_front();
      }
    }
    if (task) {
      task(*this);
    } else {
      feed_together(std::move(feeds));
    }
    save_due_snapshots();
  }
}

// --- rows

// Numbers the rows and adds the new ones to the log; none: the request was answered.
std::optional<LocalPartition::Admitted> LocalPartition::admit(FeedRequest request) {
  RowBatch& rows = request.rows;
  const std::uint64_t last = log_.last_row(rows.id);
  if (rows.first == 0) rows.first = last + 1;
  const auto refuse = [&](FeedReply::Kind kind, Refusal why, std::string error) {
    figures_.refuse(why);
    request.done({.kind = kind, .last = last, .forecasts = {}, .error = std::move(error)});
  };
  if (!broken_.empty()) return refuse(FeedReply::Kind::failed, Refusal::overloaded, broken_), std::nullopt;
  if (rows.first > last + 1) return refuse(FeedReply::Kind::gap, Refusal::gap, ""), std::nullopt;
  if (last == 0 && streams_ >= options_.session.most_streams) {
    return refuse(FeedReply::Kind::full, Refusal::too_many_streams, ""), std::nullopt;
  }
  if (!log_.has_room(rows.values.size() * sizeof(double) * 2 + 1024)) {
    return refuse(FeedReply::Kind::failed, Refusal::overloaded, "the log of rows is full"), std::nullopt;
  }
  Admitted admitted{.request = std::move(request)};
  const RowBatch& all = admitted.request.rows;
  const std::size_t repeated = static_cast<std::size_t>(std::min<std::uint64_t>(last + 1 - all.first, all.rows()));
  figures_.repeated += repeated;
  if (repeated == all.rows()) return admitted;
  if (last == 0) streams_ += 1;
  admitted.fresh = without_first(all, repeated);
  log_.append(admitted.fresh);
  return admitted;
}

void LocalPartition::feed_together(std::vector<FeedRequest> requests) {
  std::vector<Admitted> admitted;
  for (FeedRequest& request : requests) {
    if (auto one = admit(std::move(request))) admitted.push_back(*std::move(one));
  }
  const Status committed = log_.commit();
  figures_.log_syncs += 1;
  for (Admitted& each : admitted) {
    const RowBatch& rows = each.request.rows;
    if (!committed) {
      if (each.fresh.first == 1) streams_ -= 1;
      each.request.done({.kind = FeedReply::Kind::failed, .forecasts = {}, .error = committed.error()});
    } else if (each.request.waits_for_disk) {
      each.request.done({.kind = FeedReply::Kind::stored, .first = rows.first, .last = rows.last(), .forecasts = {}});
    }
  }
  if (!committed) return;
  for (Admitted& each : admitted) forecast_rows(each);
  if (const Status written = log_.write_forecasts(); !written) {
    const std::lock_guard lock(mutex_);
    broken_ = written.error();
  }
  for (Admitted& each : admitted) {
    if (each.request.waits_for_disk) continue;
    const RowBatch& rows = each.request.rows;
    if (each.forecasts.size() < rows.rows()) {  // some were repeated: their forecasts are stored
      auto stored = log_.read(rows.id, rows.first, rows.rows());
      if (stored) each.forecasts = *std::move(stored);
    }
    each.request.done({.kind = FeedReply::Kind::forecast,
                       .first = rows.first,
                       .last = rows.last(),
                       .forecasts = std::move(each.forecasts)});
  }
}

void LocalPartition::forecast_rows(Admitted& each) {
  if (each.fresh.rows() == 0) return;
  const std::string& id = each.fresh.id;
  Fed fed = session_->feed(each.fresh);
  if (fed.forecasts.empty()) return;
  rows_ += fed.forecasts.size();
  figures_.rows += fed.forecasts.size();
  figures_.count(fed.figures);
  activity_.add(id, each.fresh.last(), fed.figures);
  dirty_[id] += fed.forecasts.size();
  rows_since_round_ += fed.forecasts.size();
  ForecastBatch batch{.id = id, .forecasts = std::move(fed.forecasts)};
  log_.append(batch);
  if (listener_) listener_(batch);
  each.forecasts = std::move(batch.forecasts);
}

// one snapshot at a time, so that no row waits for many
void LocalPartition::save_due_snapshots() {
  if (due_.empty() && rows_since_round_ >= options_.snapshot_rows) {
    rows_since_round_ = 0;
    for (const auto& [id, rows] : dirty_) due_.push_back(id);
  }
  if (due_.empty() || !broken_.empty()) return;
  const std::string id = std::move(due_.front());
  due_.pop_front();
  const auto bytes = session_->snapshot(id);
  if (!bytes || !log_.save_snapshot(id, *bytes)) return;  // not a reason to stop: its rows are in the log
  dirty_.erase(id);
  figures_.snapshots += 1;
}

// --- tasks

Result<std::vector<ForecastRecord>> LocalPartition::read(const std::string& id, std::uint64_t from,
                                                         std::size_t most) const {
  if (from > 0) return log_.read(id, from, most);
  const auto last = session_->forecast(id);
  return last ? std::vector{*last} : std::vector<ForecastRecord>{};
}

Status LocalPartition::restore(const std::string& id, const std::vector<std::byte>& snapshot) {
  Session trial(session_->model(), without_limit(options_.session));
  ELASTANE_TRY_ASSIGN(const std::string found, trial.restore(snapshot));
  if (found != id) return Error{"[snapshot] expected one of " + id + ", found one of another stream"};
  const bool is_new = session_->last_row(id) == 0;
  if (is_new && streams_ >= options_.session.most_streams)
    return Error{"[snapshot] there are too many streams already"};
  const Control control{.kind = Control::Kind::restore,
                        .id = id,
                        .data = {reinterpret_cast<const char*>(snapshot.data()), snapshot.size()}};
  ELASTANE_TRY(log_.append(control));
  streams_ += is_new ? 1 : 0;
  ELASTANE_TRY(session_->restore(snapshot));
  activity_.know(id, session_->last_row(id));
  return {};
}

Status LocalPartition::erase(const std::string& id) {
  if (session_->last_row(id) == 0) return Error{"[streams] " + id + " is not known"};
  ELASTANE_TRY(log_.append(Control{.kind = Control::Kind::erase, .id = id, .data = {}}));
  session_->erase(id);
  dirty_.erase(id);
  activity_.forget(id);
  streams_ -= 1;
  return {};
}

// --- another model

void LocalPartition::swap_model(SharedForecastModel model, std::string name, Service::Done done) {
  if (is_building_) return done(Error{"[model] another one is being prepared; try again later"});
  if (log_.has_restored_streams()) {
    return done(
        Error{"[model] streams were restored from snapshots, which another model cannot read; erase them first"});
  }
  if (builder_.joinable()) builder_.join();
  is_building_ = true;
  builder_ = std::thread([this, end = log_.end(), begins = log_.begins(), model = std::move(model),
                          name = std::move(name), done = std::move(done)] {
    const auto next = std::make_shared<Session>(model, without_limit(options_.session));
    const Status seen = log_.replay(0, end, begins,
                                    {.rows = [&](const RowBatch& batch, bool) -> Status {
                                       if (next->feed(batch).outcome == Fed::Outcome::fed) return {};
                                       return Error{"[model] rows of " + batch.id + " do not fit it"};
                                     },
                                     .restore = [](const Control&) -> Status { return {}; }});
    push({.feed = {}, .task = [next, end, seen, name, done](LocalPartition& partition) {
            partition.is_building_ = false;
            if (!seen) return done(seen);
            partition.finish_swap(next, end, name, done);
          }});
  });
}

// the rows that came meanwhile; then the change of place is itself a record of the log
void LocalPartition::finish_swap(std::shared_ptr<Session> next, std::uint64_t seen, const std::string& name,
                                 const Service::Done& done) {
  const auto begins = log_.begins();
  for (const auto& [id, position] : begins) {
    if (position >= seen) next->erase(id);
  }
  const Status rest =
      log_.replay(seen, log_.end(), begins,
                  {.rows = [&](const RowBatch& batch, bool) -> Status { return next->feed(batch), Status(); },
                   .restore = [](const Control&) -> Status { return {}; }});
  if (!rest) return done(rest);
  if (const Status stored = log_.append(Control{.kind = Control::Kind::model, .id = {}, .data = name}); !stored) {
    return done(stored);
  }
  session_ = std::move(next);
  due_.clear();
  for (const std::string& id : session_->ids()) due_.push_back(id);
  done({});
}

PartitionStatus LocalPartition::status() const {
  PartitionStatus status{.number = number_, .owner = "this process"};
  status.streams = activity_.size();
  status.rows = rows_;
  status.replayed = replayed_;
  const std::lock_guard lock(mutex_);
  status.state = broken_.empty() ? "ready" : "stopped: " + broken_;
  status.lag = queue_.size();
  return status;
}

}  // namespace elastane::serve
