#include "elastane/serve/local_service.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "elastane/forecast/forecast_file.h"
#include "elastane/io/file.h"
#include "elastane/serve/stream_id.h"

namespace elastane::serve {
namespace {

constexpr int kMostPartitions = 256;

// the number of partitions of a folder, which is made if there is none
Result<int> partitions_of(const LocalOptions& options) {
  const std::string path = options.folder + "/partitions";
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error) return Error{"[serve] " + options.folder + ": cannot create: " + error.message()};
  if (!std::filesystem::exists(path, error)) {
    const std::string text = std::to_string(options.partitions);
    ELASTANE_TRY(write_file(path, std::as_bytes(std::span(text))));
    return options.partitions;
  }
  ELASTANE_TRY_ASSIGN(const FileContent file, FileContent::open(path));
  const char* text = reinterpret_cast<const char*>(file.bytes().data());
  int count = 0;
  std::from_chars(text, text + file.bytes().size(), count);
  if (count < 1 || count > kMostPartitions) return Error{"[serve] " + path + ": expected a number of partitions"};
  return count;
}

// calls `done` once, after the last of several answers, with the first error of them
class Together {
 public:
  Together(std::size_t count, Service::Done done) : left_(count), done_(std::move(done)) {}
  void operator()(const Status& one) {
    Status result;
    {
      const std::lock_guard lock(mutex_);
      if (!one && result_) result_ = one;
      if (--left_ > 0) return;
      result = result_;
    }
    done_(result);
  }

 private:
  std::mutex mutex_;
  std::size_t left_;
  Status result_;
  Service::Done done_;
};

}  // namespace

ServiceInfo info_of(const ForecastModel& model, const std::string& name) {
  return {.channels = model.names,
          .targets = static_cast<std::size_t>(model.config.targets),
          .horizon = static_cast<std::size_t>(model.config.horizon),
          .model = name};
}

Result<std::unique_ptr<LocalService>> LocalService::open(const LocalOptions& options,
                                                         std::span<const std::byte> model) {
  std::unique_ptr<LocalService> service(new LocalService(options));
  ELASTANE_TRY_ASSIGN(const int count, partitions_of(options));
  ELASTANE_TRY_ASSIGN(std::string current, service->models_.current());
  if (current.empty()) {
    ELASTANE_TRY_ASSIGN(current, service->models_.add(model));
    ELASTANE_TRY(service->models_.set_current(current));
  }
  ELASTANE_TRY(service->open_partitions(count, current));
  return service;
}

Status LocalService::open_partitions(int count, const std::string& current) {
  ELASTANE_TRY_ASSIGN(const SharedForecastModel model, models_.load(current));
  info_ = info_of(*model, current);
  const auto most = options_.most_log_bytes / static_cast<std::uint64_t>(count);
  for (int i = 0; i < count; ++i) {
    ELASTANE_TRY_ASSIGN(StreamLog log, StreamLog::open(options_.folder + "/" + std::to_string(i), most));
    // a partition that the last swap did not reach continues with its own model until it does
    SharedForecastModel own = model;
    if (log.model().empty() && log.end() <= 8) ELASTANE_TRY(log.append({Control::Kind::model, {}, current}));
    if (!log.model().empty() && log.model() != current) {
      ELASTANE_TRY_ASSIGN(own, models_.load(log.model()));
    }
    auto& partition = partitions_.emplace_back(
        std::make_unique<LocalPartition>(i, std::move(log), std::move(own), options_.partition, figures_, streams_));
    ELASTANE_TRY(partition->catch_up());
  }
  return {};
}

LocalService::~LocalService() {
  for (const auto& each : partitions_) each->stop();
}

void LocalService::listen(Listener listener) {
  for (const auto& each : partitions_) each->start(listener);
}

ServiceInfo LocalService::info() const {
  const std::lock_guard lock(mutex_);
  return info_;
}

std::vector<PartitionStatus> LocalService::partitions() const {
  std::vector<PartitionStatus> all;
  for (const auto& each : partitions_) all.push_back(each->status());
  return all;
}

std::vector<StreamActivity> LocalService::most_active(std::size_t limit) const {
  std::vector<StreamActivity> all;
  for (const auto& each : partitions_) std::ranges::move(each->activity().most_active(limit), std::back_inserter(all));
  std::ranges::stable_sort(all, std::greater(), &StreamActivity::depth);
  all.resize(std::min(limit, all.size()));
  return all;
}

std::vector<StreamActivity> LocalService::streams(const std::string& after, std::size_t limit) const {
  std::vector<StreamActivity> all;
  for (const auto& each : partitions_) std::ranges::move(each->activity().by_id(after, limit), std::back_inserter(all));
  std::ranges::sort(all, {}, &StreamActivity::id);
  all.resize(std::min(limit, all.size()));
  return all;
}

LocalPartition& LocalService::partition(const std::string& id) {
  return *partitions_[static_cast<std::size_t>(partition_of(id, static_cast<int>(partitions_.size())))];
}

bool LocalService::feed(FeedRequest request) {
  LocalPartition& owner = partition(request.rows.id);
  return owner.post(std::move(request));
}

bool LocalService::read(const std::string& id, std::uint64_t from, std::size_t most, Forecasts done) {
  return partition(id).post([=](LocalPartition& p) { done(p.read(id, from, most)); });
}

bool LocalService::read_rows(const std::string& id, std::uint64_t from, std::size_t most, Rows done) {
  return partition(id).post([=](LocalPartition& p) { done(p.read_rows(id, from, most)); });
}

bool LocalService::snapshot(const std::string& id, Bytes done) {
  return partition(id).post([=](LocalPartition& p) { done(p.snapshot(id)); });
}

bool LocalService::restore(const std::string& id, std::vector<std::byte> snapshot, Done done) {
  return partition(id).post([=](LocalPartition& p) { done(p.restore(id, snapshot)); });
}

bool LocalService::erase(const std::string& id, Done done) {
  return partition(id).post([=](LocalPartition& p) { done(p.erase(id)); });
}

bool LocalService::swap_model(std::vector<std::byte> file, Done done) {
  const auto name = models_.add(file);
  if (!name) return done(Error{name.error()}), true;
  const auto model = models_.load(*name);
  if (!model) return done(Error{model.error()}), true;
  if ((*model)->names != info().channels) {
    return done(Error{"[model] expected the channels of the current model, in the same order, found others"}), true;
  }
  const auto together =
      std::make_shared<Together>(partitions_.size(), [this, done, model, name](const Status& swapped) {
        Status stored = swapped;
        if (stored) stored = models_.set_current(*name);
        if (stored) {
          const std::lock_guard lock(mutex_);
          info_ = info_of(**model, *name);
          figures_.swaps += 1;
        }
        done(stored);
      });
  for (const auto& each : partitions_) {
    const bool is_posted = each->post(
        [=](LocalPartition& p) { p.swap_model(*model, *name, [together](const Status& one) { (*together)(one); }); });
    if (!is_posted) (*together)(Error{"[model] a partition has no room in its queue; try again"});
  }
  return true;
}

}  // namespace elastane::serve
