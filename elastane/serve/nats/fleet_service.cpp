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
  const FleetSourceOptions source{.kept_confirmed = options.kept_confirmed,
                                  .recall = [self](const std::string& id, std::uint64_t first, std::uint64_t last) {
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
  is_ending_ = true;
  wakes_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void FleetService::listen(Listener listener) {
  listener_ = std::move(listener);
  thread_ = std::thread([this] { run(); });
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
  for (const auto& [worker, counts] : step_times_) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += counts[i];
  }
  return sum;
}

// --- the thread

void FleetService::run() {
  while (!is_ending_) {
    std::vector<FeedRequest> feeds;
    std::vector<std::function<void()>> tasks;
    {
      std::unique_lock lock(mutex_);
      feeds = std::exchange(feeds_, {});
      tasks = std::exchange(tasks_, {});
    }
    if (!feeds.empty()) take(std::move(feeds));
    for (const auto& task : tasks) task();
    (void)source_->work(2);
    hear_beats();
    remove_old_rows();
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
    if (beat->leaves) {
      step_times_.erase(beat->name);
    } else {
      step_times_[beat->name] = beat->step_times;
    }
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
      auto stored = logs_.forecasts(rows.id, rows.first, rows.rows());
      request.done({.kind = FeedReply::Kind::forecast,
                    .first = rows.first,
                    .last = rows.last(),
                    .forecasts = stored ? *std::move(stored) : std::vector<ForecastRecord>{}});
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

void FleetService::arrived(const ForecastBatch& batch) {
  std::vector<RowFigures> figures;
  for (const ForecastRecord& each : batch.forecasts) figures.push_back(figures_of(each));
  if (!options_.has_worker) figures_.count(figures);
  activity_.add(batch.id, batch.forecasts.back().number, figures);
  newest_[batch.id] = batch.forecasts.back();
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
  if (is_ending_ || tasks_.size() >= options_.queue) return false;
  tasks_.push_back(std::move(task));
  return true;
}

bool FleetService::read(const std::string& id, std::uint64_t from, std::size_t most, Forecasts done) {
  return post([=, this] {
    if (from > 0) return done(logs_.forecasts(id, from, most));
    if (const auto at = newest_.find(id); at != newest_.end()) return done(std::vector{at->second});
    const auto last = source_->last_stored(id);
    done(!last        ? Result<std::vector<ForecastRecord>>(Error{last.error()})
         : *last == 0 ? Result<std::vector<ForecastRecord>>(std::vector<ForecastRecord>{})
                      : logs_.forecasts(id, *last, 1));
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
