#include "elastane/serve/nats/fleet_service.h"

#include <algorithm>
#include <utility>

#include "elastane/io/json.h"

namespace elastane::serve {
namespace {

// figures of a row, from the report that is stored with its forecast
RowFigures figures_of(const ForecastRecord& record) {
  RowFigures figures;
  if (record.report.empty()) return figures;
  const auto json = parse_json("{" + record.report.substr(1) + "}");
  if (!json || !json->is_object()) return figures;
  const auto is_true = [&](const char* key) { return json->contains(key) && json->at(key) == true; };
  if (json->contains("learned") && json->at("learned").is_number()) {
    figures.depth = figures.accepted = json->at("learned").get<int>();
  }
  figures.drift = json->contains("drift") && json->at("drift").is_string();
  figures.is_refused = is_true("refused");
  figures.is_bad = is_true("bad");
  return figures;
}

constexpr auto kForgotten = std::chrono::seconds(60);  // a worker that is silent for so long

Error not_offered(const char* what) {
  return Error{std::string("[fleet] ") + what + " is offered by a single process only"};
}

}  // namespace

FleetService::FleetService(std::shared_ptr<Broker> broker, const FleetSettings& settings, ServiceInfo info,
                           const FleetServiceOptions& options, Figures& figures, RowSpool spool)
    : broker_(std::move(broker)),
      settings_(settings),
      info_(std::move(info)),
      options_(options),
      figures_(figures),
      names_(broker_->prefix(), settings.rows_of),
      spool_(std::move(spool)),
      logs_(broker_, settings) {}

Result<std::unique_ptr<FleetService>> FleetService::open(std::shared_ptr<Broker> broker, const FleetSettings& settings,
                                                         ServiceInfo info, const FleetServiceOptions& options,
                                                         Figures& figures) {
  ELASTANE_TRY_ASSIGN(RowSpool spool, RowSpool::open(options.folder));
  std::unique_ptr<FleetService> service(
      new FleetService(std::move(broker), settings, std::move(info), options, figures, std::move(spool)));
  FleetService* self = service.get();
  const FleetSourceOptions source{.recall = [self](const std::string& id, std::uint64_t first, std::uint64_t last) {
    return self->spool_.rows(id, first, last);
  }};
  ELASTANE_TRY_ASSIGN(self->source_, FleetSource::open(self->broker_, settings, source,
                                                       [self](const ForecastBatch& batch) { self->arrived(batch); }));
  ELASTANE_TRY_ASSIGN(self->beats_, self->broker_->listen(self->names_.beats()));
  ELASTANE_TRY(self->load_spool());
  return service;
}

// rows of an earlier process: those without a stored forecast are sent again
Status FleetService::load_spool() {
  return spool_.read([&](RowBatch batch) -> Status {
    ELASTANE_TRY_ASSIGN(const std::uint64_t last, last_row(batch.id));
    const bool is_stored = batch.last() <= last;
    last_[batch.id] = std::max(last, batch.last());
    source_->add(std::move(batch), is_stored);
    return {};
  });
}

FleetService::~FleetService() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wakes_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (reader_.joinable()) reader_.join();
}

void FleetService::listen(Listener listener) {
  listener_ = std::move(listener);
  thread_ = std::thread([this] { run(); });
  reader_ = std::thread([this] { run_reads(); });
}

std::vector<PartitionStatus> FleetService::partitions() const {
  const std::lock_guard lock(mutex_);
  std::vector<PartitionStatus> all;
  for (const auto& [number, status] : partitions_) all.push_back(status);
  return all;
}

DurationHistogram::Counts FleetService::step_times() const {
  const std::lock_guard lock(mutex_);
  DurationHistogram::Counts sum{};
  for (const auto& [worker, times] : step_times_) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += times.counts[i];
  }
  return sum;
}

ForecastTotals FleetService::totals() const {
  const std::lock_guard lock(mutex_);
  return totals_;
}

// --- the thread

void FleetService::run() {
  while (!is_ending_) {
    std::vector<FeedRequest> feeds;
    {
      const std::lock_guard lock(mutex_);
      feeds = std::exchange(feeds_, {});
    }
    if (!feeds.empty()) take(std::move(feeds));
    (void)source_->work(2);
    hear_beats();
    remove_old_rows();
  }
}

void FleetService::run_reads() {
  while (true) {
    std::function<void()> read;
    {
      std::unique_lock lock(mutex_);
      wakes_.wait(lock, [this] { return is_ending_ || !reads_.empty(); });
      if (is_ending_) return;
      read = std::move(reads_.front());
      reads_.pop_front();
    }
    read();
  }
}

void FleetService::remove_old_rows() {
  constexpr auto kEvery = std::chrono::minutes(1);
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < kEvery) return;
  looked_ = now;
  (void)spool_.remove_old([this](const std::string& id) { return source_->confirmed(id); });
}

void FleetService::hear_beats() {
  while (const auto message = beats_->next(0)) {
    if (!*message) return;
    const auto beat = parse_beat({reinterpret_cast<const char*>((*message)->data.data()), (*message)->data.size()});
    if (!beat) continue;
    const std::lock_guard lock(mutex_);
    for (const PartitionStatus& each : beat->partitions) partitions_[each.number] = each;
    const auto now = std::chrono::steady_clock::now();
    if (!beat->leaves) step_times_[beat->name] = {.counts = beat->step_times, .heard = now};
    std::erase_if(step_times_, [&](const auto& each) { return now - each.second.heard > kForgotten; });
  }
}

Result<std::uint64_t> FleetService::last_row(const std::string& id) {
  if (const auto at = last_.find(id); at != last_.end()) return at->second;
  ELASTANE_TRY_ASSIGN(const std::uint64_t stored, source_->last_stored(id));
  return last_[id] = stored;
}

// Numbers rows, keeps them in the spool, and sends them; the answers wait for the forecasts.
void FleetService::take(std::vector<FeedRequest> requests) {
  std::vector<FeedRequest> kept;
  for (FeedRequest& request : requests) {
    RowBatch& rows = request.rows;
    const auto last = last_row(rows.id);
    if (!last) {
      request.done({.kind = FeedReply::Kind::failed, .forecasts = {}, .error = last.error()});
      continue;
    }
    if (rows.first == 0) rows.first = *last + 1;
    if (rows.first > *last + 1 || (rows.first <= *last && rows.last() > *last)) {
      figures_.refuse(Refusal::gap);
      request.done({.kind = FeedReply::Kind::gap, .last = *last, .forecasts = {}});
    } else if (*last == 0 && last_.size() > options_.most_streams) {
      figures_.refuse(Refusal::too_many_streams);
      last_.erase(rows.id);
      request.done({.kind = FeedReply::Kind::full, .forecasts = {}});
    } else if (rows.last() <= *last) {
      answer_repeated(std::move(request));
    } else {
      last_[rows.id] = rows.last();
      spool_.append(rows);
      kept.push_back(std::move(request));
    }
  }
  const Status synced = spool_.commit();
  for (FeedRequest& request : kept) {
    if (!synced) {
      last_[request.rows.id] = std::min(last_[request.rows.id], request.rows.first - 1);
      request.done({.kind = FeedReply::Kind::failed, .forecasts = {}, .error = synced.error()});
      continue;
    }
    figures_.rows += request.rows.rows();
    source_->add(request.rows);
    if (request.waits_for_disk) {
      request.done(
          {.kind = FeedReply::Kind::stored, .first = request.rows.first, .last = request.rows.last(), .forecasts = {}});
    } else {
      waiting_[request.rows.id].push_back({std::move(request), {}});
    }
  }
}

// rows that have forecasts already, or will have them soon
void FleetService::answer_repeated(FeedRequest request) {
  const auto shared = std::make_shared<FeedRequest>(std::move(request));
  const auto answer = [shared](std::vector<ForecastRecord> forecasts) {
    shared->done({.kind = FeedReply::Kind::forecast,
                  .first = shared->rows.first,
                  .last = shared->rows.last(),
                  .forecasts = std::move(forecasts)});
  };
  const bool is_posted = post([this, shared, answer] {
    auto stored = logs_.forecasts(shared->rows.id, shared->rows.first, shared->rows.rows());
    answer(stored ? *std::move(stored) : std::vector<ForecastRecord>());
  });
  if (!is_posted) answer({});
}

void FleetService::arrived(const ForecastBatch& batch) {
  std::vector<RowFigures> figures;
  for (const ForecastRecord& each : batch.forecasts) figures.push_back(figures_of(each));
  if (!options_.has_worker) figures_.count(figures);
  activity_.add(batch.id, batch.forecasts.back().number, figures);
  {
    const std::lock_guard lock(mutex_);
    newest_[batch.id] = batch.forecasts.back();
    for (const RowFigures& each : figures) {
      totals_.forecasts += 1;
      totals_.depth += static_cast<std::uint64_t>(each.depth);
      totals_.accepted += static_cast<std::uint64_t>(each.accepted);
    }
  }
  if (listener_) listener_(batch);
  const auto at = waiting_.find(batch.id);
  if (at == waiting_.end()) return;
  for (Waiting& each : at->second) {
    const RowBatch& rows = each.request.rows;
    for (const ForecastRecord& record : batch.forecasts) {
      if (record.number == rows.first + each.forecasts.size() && each.forecasts.size() < rows.rows())
        each.forecasts.push_back(record);
    }
    if (each.forecasts.size() < rows.rows()) continue;
    each.request.done(
        {.kind = FeedReply::Kind::forecast, .first = rows.first, .last = rows.last(), .forecasts = each.forecasts});
  }
  std::erase_if(at->second, [](const Waiting& each) { return each.forecasts.size() == each.request.rows.rows(); });
  if (at->second.empty()) waiting_.erase(at);
}

// --- requests

bool FleetService::feed(FeedRequest request) {
  const std::lock_guard lock(mutex_);
  if (is_ending_ || feeds_.size() >= options_.queue) return false;
  feeds_.push_back(std::move(request));
  return true;
}

bool FleetService::post(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  if (is_ending_ || reads_.size() >= options_.queue) return false;
  reads_.push_back(std::move(task));
  wakes_.notify_one();
  return true;
}

bool FleetService::read(const std::string& id, std::uint64_t from, std::size_t most, Forecasts done) {
  return post([=, this] {
    if (from > 0) return done(logs_.forecasts(id, from, most));
    std::unique_lock lock(mutex_);
    if (const auto at = newest_.find(id); at != newest_.end()) {
      const std::vector newest{at->second};
      lock.unlock();
      return done(newest);
    }
    lock.unlock();
    done(logs_.last_forecast(id));
  });
}

bool FleetService::read_rows(const std::string& id, std::uint64_t from, std::size_t most, Rows done) {
  return post([=, this] { done(logs_.rows(id, from, most)); });
}

bool FleetService::snapshot(const std::string&, Bytes done) { return done(not_offered("a snapshot")), true; }
bool FleetService::restore(const std::string&, std::vector<std::byte>, Done done) {
  return done(not_offered("restoring")), true;
}
bool FleetService::erase(const std::string&, Done done) { return done(not_offered("erasing")), true; }
bool FleetService::swap_model(std::vector<std::byte>, Done done) { return done(not_offered("swapping a model")), true; }

}  // namespace elastane::serve
