#include "elastane/serve/nats/fleet_worker.h"

#include <utility>

#include "elastane/io/json.h"

namespace elastane::serve {
namespace {

using Clock = Members::Clock;
constexpr auto kBeatEvery = std::chrono::milliseconds(250);
constexpr int kHearMs = 50;

std::uint64_t whole(const nlohmann::json& json, const char* key) {
  return json.contains(key) && json.at(key).is_number_unsigned() ? json.at(key).get<std::uint64_t>() : 0;
}

std::string text(const nlohmann::json& json, const char* key) {
  return json.contains(key) && json.at(key).is_string() ? json.at(key).get<std::string>() : "";
}

}  // namespace

std::string beat_text(const std::string& name, const std::vector<PartitionStatus>& partitions, bool leaves) {
  nlohmann::json json = {{"name", name}, {"leaves", leaves}, {"partitions", nlohmann::json::array()}};
  for (const PartitionStatus& p : partitions) {
    json["partitions"].push_back({{"number", p.number},
                                  {"state", p.state},
                                  {"streams", p.streams},
                                  {"rows", p.rows},
                                  {"lag", p.lag},
                                  {"replayed", p.replayed},
                                  {"takeovers", p.takeovers}});
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<Beat> parse_beat(std::string_view bytes) {
  const auto json = parse_json(bytes);
  if (!json || !json->is_object() || text(*json, "name").empty()) return Error{"[fleet] expected a beat"};
  Beat beat{.name = text(*json, "name"), .leaves = json->value("leaves", nlohmann::json()) == true};
  if (!json->contains("partitions") || !json->at("partitions").is_array()) return beat;
  for (const auto& each : json->at("partitions")) {
    if (!each.is_object()) continue;
    beat.partitions.push_back({.number = static_cast<int>(whole(each, "number")),
                               .owner = beat.name,
                               .state = text(each, "state"),
                               .streams = whole(each, "streams"),
                               .rows = whole(each, "rows"),
                               .lag = whole(each, "lag"),
                               .replayed = whole(each, "replayed"),
                               .takeovers = whole(each, "takeovers")});
  }
  return beat;
}

FleetWorker::FleetWorker(std::shared_ptr<Broker> broker, const FleetSettings& settings, SharedForecastModel model,
                         FleetWorkerOptions options, Figures& figures)
    : broker_(std::move(broker)),
      settings_(settings),
      model_(std::move(model)),
      options_(std::move(options)),
      figures_(figures),
      names_(broker_->prefix()),
      beats_(broker_->listen(names_.beats()).value()),
      thread_([this] { run(); }) {}

FleetWorker::~FleetWorker() {
  is_ending_ = true;
  thread_.join();
  held_.clear();
  const std::string leave = beat_text(options_.name, {}, true);
  (void)broker_->publish(names_.beats(), std::as_bytes(std::span(leave)));
  (void)broker_->flush(1000);
}

std::vector<PartitionStatus> FleetWorker::partitions() const {
  const std::lock_guard lock(mutex_);
  std::vector<PartitionStatus> all;
  for (const auto& [number, partition] : held_) {
    all.push_back(partition->status());
    all.back().owner = options_.name;
  }
  return all;
}

void FleetWorker::run() {
  auto next_beat = Clock::now();
  const auto start = next_beat;
  while (!is_ending_) {
    if (Clock::now() >= next_beat) {
      beat();
      next_beat = Clock::now() + kBeatEvery;
    }
    hear(kHearMs);
    // hear the others before taking what is theirs
    if (Clock::now() - start > 2 * kBeatEvery) hold_own();
  }
}

void FleetWorker::beat() {
  const std::string message = beat_text(options_.name, partitions(), false);
  (void)broker_->publish(names_.beats(), std::as_bytes(std::span(message)));
  members_.heard(options_.name, Clock::now());
}

void FleetWorker::hear(int milliseconds) {
  while (!is_ending_) {
    const auto message = beats_->next(milliseconds);
    if (!message || !*message) {
      if (!message) std::this_thread::sleep_for(kBeatEvery);
      return;
    }
    milliseconds = 0;
    const auto beat = parse_beat({reinterpret_cast<const char*>((*message)->data.data()), (*message)->data.size()});
    if (!beat || beat->name == options_.name) continue;
    beat->leaves ? members_.left(beat->name) : members_.heard(beat->name, Clock::now());
  }
}

void FleetWorker::hold_own() {
  std::erase_if(leaving_, [](const std::future<void>& each) {
    return each.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  const auto owners = assign_partitions(settings_.partitions, members_.alive(Clock::now()));
  const std::lock_guard lock(mutex_);
  for (int p = 0; p < settings_.partitions; ++p) {
    const bool is_own = owners[static_cast<std::size_t>(p)] == options_.name;
    if (is_own && !held_.contains(p)) {
      held_[p] = std::make_unique<FleetPartition>(p, broker_, model_, options_.partition, figures_);
    } else if (!is_own && held_.contains(p)) {
      // it may wait seconds for the broker; a worker that did so here would not beat, and be taken for dead
      std::shared_ptr<FleetPartition> given_up = std::move(held_[p]);
      held_.erase(p);
      leaving_.push_back(std::async(std::launch::async, [given_up] { given_up->stop(); }));
    }
  }
}

}  // namespace elastane::serve
