#include "elastane/serve/nats/fleet_worker.h"

#include <algorithm>
#include <utility>

#include "elastane/io/json.h"

namespace elastane::serve {
namespace {

using Clock = Members::Clock;
constexpr auto kBeatEvery = std::chrono::milliseconds(250);
constexpr int kHearMs = 50;
constexpr auto kLongTurn = std::chrono::milliseconds(1000);
constexpr auto kSettled = std::chrono::milliseconds(1000);
constexpr auto kLongestStay = std::chrono::seconds(10);  // for snapshots before a partition moves

std::uint64_t whole(const nlohmann::json& json, const char* key) {
  return json.contains(key) && json.at(key).is_number_unsigned() ? json.at(key).get<std::uint64_t>() : 0;
}

std::string text(const nlohmann::json& json, const char* key) {
  return json.contains(key) && json.at(key).is_string() ? json.at(key).get<std::string>() : "";
}

}  // namespace

std::string beat_text(const Beat& beat) {
  nlohmann::json json = {{"name", beat.name},
                         {"run", beat.run},
                         {"leaves", beat.leaves},
                         {"step_times", beat.step_times},
                         {"partitions", nlohmann::json::array()}};
  for (const PartitionStatus& p : beat.partitions) {
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
  Beat beat{.name = text(*json, "name"),
            .run = text(*json, "run"),
            .leaves = json->value("leaves", nlohmann::json()) == true};
  if (const auto times = json->find("step_times"); times != json->end() && times->is_array()) {
    for (std::size_t i = 0; i < std::min(times->size(), beat.step_times.size()); ++i) {
      if (times->at(i).is_number_unsigned()) beat.step_times[i] = times->at(i).get<std::uint64_t>();
    }
  }
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
      names_(broker_->prefix(), settings.rows_of),
      run_(broker_->new_inbox()),
      beats_(broker_->listen(names_.beats()).value()) {
  options_.partition.rows_of = settings_.rows_of;
  thread_ = std::thread([this] { run(); });
}

FleetWorker::~FleetWorker() {
  is_ending_ = true;
  thread_.join();
  held_.clear();
  const std::string leave = beat_text({.name = options_.name, .leaves = true});
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
  auto listens_since = next_beat, turn = next_beat;
  while (!is_ending_) {
    // a worker that was paused knows as little of the others as one that starts
    if (Clock::now() - std::exchange(turn, Clock::now()) > kLongTurn) listens_since = turn;
    if (turn >= next_beat || is_news_) {
      beat();
      next_beat = turn + kBeatEvery;
    }
    hear(kHearMs);
    // hear the others before taking what is theirs
    if (Clock::now() - listens_since > 2 * kBeatEvery) hold_own();
  }
}

void FleetWorker::beat() {
  is_news_ = false;
  const std::string message =
      beat_text({.name = options_.name, .run = run_, .partitions = partitions(), .step_times = figures_.step.counts()});
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
    if (beat->leaves) {
      members_.left(beat->name);
      continue;
    }
    std::set<int> held;
    for (const PartitionStatus& each : beat->partitions) held.insert(each.number);
    members_.heard(beat->name, Clock::now(), std::move(held), beat->run);
  }
}

void FleetWorker::hold_own() {
  std::erase_if(leaving_, [](const std::future<void>& each) {
    return each.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  const auto now = Clock::now();
  const auto owners = assign_partitions(settings_.partitions, members_.alive(now));
  const std::lock_guard lock(mutex_);
  for (int p = 0; p < settings_.partitions; ++p) {
    const bool is_own = owners[static_cast<std::size_t>(p)] == options_.name;
    const bool is_held = held_.contains(p), is_held_elsewhere = members_.is_held(p, options_.name, now);
    if (!is_held) {
      if (!is_own || is_held_elsewhere) continue;
      held_[p] = std::make_unique<FleetPartition>(p, broker_, model_, options_.partition, figures_);
      is_news_ = true;
      continue;
    }
    if (is_own) {
      leaves_since_.erase(p);
      held_[p]->leave(false);
    } else if (may_go(p, is_held_elsewhere, now)) {
      give_up(p);
    }
  }
}

// A partition that is another's by now. A replay continues to its end: the other one would begin it again, and streams would
// wait twice as long. Then it is saved, so that the other one has little to replay.
bool FleetWorker::may_go(int partition, bool is_held_elsewhere, Clock::time_point now) {
  FleetPartition& held = *held_[partition];
  if (is_held_elsewhere || held.is_stopped()) return true;
  if (held.status().state != "ready") {
    leaves_since_.erase(partition);
    return false;
  }
  const auto waits = now - leaves_since_.try_emplace(partition, now).first->second;
  if (waits > kSettled) held.leave(true);
  return held.is_saved() || waits > kLongestStay;
}

// it may wait seconds for the broker; a worker that did so here would not beat, and be taken for dead
void FleetWorker::give_up(int partition) {
  std::shared_ptr<FleetPartition> given_up = std::move(held_[partition]);
  held_.erase(partition);
  leaves_since_.erase(partition);
  leaving_.push_back(std::async(std::launch::async, [given_up] { given_up->stop(); }));
  is_news_ = true;
}

}  // namespace elastane::serve
