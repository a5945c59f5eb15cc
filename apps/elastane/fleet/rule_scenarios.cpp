#include "apps/elastane/fleet/rule_scenarios.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <thread>

#include "elastane/serve/nats/fleet_partition.h"
#include "elastane/serve/nats/fleet_source.h"
#include "elastane/serve/session.h"

namespace elastane::app {
namespace {

constexpr const char* kId = "pump";
constexpr double kPatience = 15;  // seconds for what should happen
constexpr std::uint64_t kSnapshotRows = 20;

// one partition with one stream, whose rows are a function of their numbers
class Stage {
 public:
  Stage(const std::string& url, const SharedForecastModel& model, const serve::BrokenRules& rules)
      : url_(url),
        prefix_(fmt::format("rules{}_{}", ::getpid(), ++count_)),
        names_(prefix_),
        model_(model),
        options_{.session = {}, .snapshot_rows = kSnapshotRows, .rules = rules},
        broker_(connect()) {
    names_.make(*broker_, {.partitions = 1}).value();
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() { (void)names_.remove(*broker_); }

  serve::RowBatch rows(std::uint64_t first, std::uint64_t last) const {
    serve::RowBatch batch{.id = kId, .first = first};
    for (std::uint64_t n = first; n <= last; ++n) {
      batch.times.push_back(model_->grid.step > 0 ? model_->grid.origin + model_->grid.step * static_cast<double>(n)
                                                  : NAN);
      for (std::size_t c = 0; c < model_->names.size(); ++c) {
        const auto at = static_cast<double>(n);
        batch.values.push_back(model_->mean[c] + model_->deviation[c] * std::sin(0.26 * at + 0.01 * at * at));
      }
    }
    return batch;
  }
  // the broker has them; a worker may or may not be there
  void send(std::uint64_t first, std::uint64_t last) {
    broker_->publish(names_.rows(0, kId), to_bytes(rows(first, last))).value();
    broker_->flush(5000).value();
  }

  std::unique_ptr<serve::FleetPartition> worker() {
    return std::make_unique<serve::FleetPartition>(0, connect(), model_, options_, figures_);
  }
  std::unique_ptr<serve::FleetSource> source() {
    return serve::FleetSource::open(connect(), {.partitions = 1}, {.rules = options_.rules}, nullptr).value();
  }

  void wait_for_row(std::uint64_t number) {
    wait([&] {
      const auto last = broker_->last(names_.forecasts_stream(0), names_.forecasts(0, kId));
      if (!last || !*last) return false;
      const auto batch = serve::parse_forecasts((*last)->data);
      return batch && batch->forecasts.back().number >= number;
    });
  }
  void wait_for_manifest() {
    wait([&] {
      const auto message = broker_->last(names_.snapshots_stream(0), names_.manifest(0));
      if (!message || !*message) return false;
      const auto manifest = serve::parse_manifest((*message)->data);
      return manifest && !manifest->entries.empty();
    });
  }
  // the last records of a log, as if the broker had lost them
  void lose_all_forecasts_but_one() {
    lose(names_.forecasts_stream(0), broker_->state(names_.forecasts_stream(0)).value().messages - 1);
  }
  void lose_rows(std::uint64_t count) { lose(names_.rows_stream(0), count); }
  void lose_all_but_rows() {
    for (const std::string& stream : {names_.forecasts_stream(0), names_.snapshots_stream(0)}) {
      const serve::StreamState state = broker_->state(stream).value();
      for (std::uint64_t i = state.first; i <= state.last; ++i) (void)broker_->remove_message(stream, i);  // or gone
      if (broker_->state(stream).value().messages > 0) throw std::runtime_error("[fleet] a log could not be cut");
    }
  }

  LogFaults faults(std::uint64_t last_row) {
    LogCheck check(static_cast<std::size_t>(model_->config.targets));
    serve::Session alone(model_, {});
    for (const serve::ForecastRecord& each : alone.feed(rows(1, last_row)).forecasts) {
      std::string line;
      serve::append_line(kId, each, static_cast<std::size_t>(model_->config.targets), line);
      check.expect_line(line);
    }
    const serve::StreamState state = broker_->state(names_.forecasts_stream(0)).value();
    const auto records =
        broker_->read(names_.forecasts_stream(0), names_.all_forecasts(0), std::max<std::uint64_t>(state.first, 1));
    for (std::uint64_t seen = 0; state.messages > 0 && seen < state.last;) {
      const auto message = (*records)->next(2000).value();
      if (!message) break;
      seen = message->sequence;
      if (const auto batch = serve::parse_forecasts(message->data)) check.found(*batch);
    }
    return check.finish();
  }

  static void wait(const std::function<bool()>& is_done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kPatience);
    while (!is_done() && std::chrono::steady_clock::now() < end) pause(20);
  }
  static void pause(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

 private:
  std::shared_ptr<serve::Broker> connect() const {
    return serve::Broker::connect({.url = url_, .prefix = prefix_}).value();
  }
  void lose(const std::string& stream, std::uint64_t count) {
    const std::uint64_t last = broker_->state(stream).value().last;
    for (std::uint64_t i = 0; i < count; ++i) broker_->remove_message(stream, last - i).value();
  }

  inline static int count_ = 0;
  std::string url_, prefix_;
  serve::FleetNames names_;
  SharedForecastModel model_;
  serve::FleetPartitionOptions options_;
  serve::Figures figures_;
  std::shared_ptr<serve::Broker> broker_;
};

// --- scripts; each returns the number of the last row that was sent

// A worker is thought dead and replaced, but lives: both see the next rows. The fence and the chain of ids refuse the first.
std::uint64_t two_owners(Stage& stage) {
  auto first = stage.worker();
  stage.send(1, 30);
  stage.wait_for_row(30);
  auto second = stage.worker();
  Stage::wait([&] { return second->status().state == "ready"; });
  for (std::uint64_t n = 31; n <= 60; ++n) stage.send(n, n);
  Stage::pause(1500);
  first->stop();
  stage.wait_for_row(60);
  Stage::pause(500);
  return 60;
}

// The broker loses forecasts that a snapshot counts on. A manifest that knows more than the log is void.
std::uint64_t lost_forecasts(Stage& stage) {
  auto worker = stage.worker();
  stage.send(1, 5);
  stage.wait_for_row(5);
  for (std::uint64_t n = 6; n <= 60; ++n) stage.send(n, n);
  stage.wait_for_row(60);
  stage.wait_for_manifest();
  worker->stop();
  stage.lose_all_forecasts_but_one();  // the log now ends at row 5, and any snapshot is of row 20 or later
  worker = stage.worker();
  for (std::uint64_t n = 61; n <= 70; ++n) stage.send(n, n);
  stage.wait_for_row(70);
  Stage::pause(500);
  return 70;
}

// A row is missing and comes later. Rows after it have to wait.
std::uint64_t hole(Stage& stage) {
  const auto worker = stage.worker();
  stage.send(1, 20);
  stage.send(22, 25);
  stage.send(21, 30);
  stage.wait_for_row(30);
  Stage::pause(300);
  return 30;
}

// A source sends again what it does not know to have arrived.
std::uint64_t repeat(Stage& stage) {
  const auto worker = stage.worker();
  stage.send(1, 20);
  stage.send(11, 20);
  stage.send(15, 30);
  stage.wait_for_row(30);
  Stage::pause(300);
  return 30;
}

// A worker starts again and replays rows whose forecasts are stored.
std::uint64_t replay(Stage& stage) {
  auto worker = stage.worker();
  stage.send(1, 15);  // fewer than a snapshot: all of them are replayed
  stage.wait_for_row(15);
  worker->stop();
  worker = stage.worker();
  stage.send(16, 18);
  stage.wait_for_row(18);
  Stage::pause(300);
  return 18;
}

// The broker acknowledges rows and loses them before a worker has seen them. The source goes back.
std::uint64_t lost_rows(Stage& stage) {
  const auto source = stage.source();
  source->add(stage.rows(1, 40));
  source->work(50).value();
  Stage::pause(200);
  stage.lose_rows(1);
  const auto worker = stage.worker();
  Stage::wait([&] { return source->work(50).value(), source->unconfirmed() == 0; });
  return 40;
}

// Forecasts and snapshots are gone. Everything is made again from the rows.
std::uint64_t cut_logs(Stage& stage) {
  auto worker = stage.worker();
  for (std::uint64_t n = 1; n <= 60; ++n) stage.send(n, n);
  stage.wait_for_row(60);
  stage.wait_for_manifest();
  worker->stop();
  stage.lose_all_but_rows();
  worker = stage.worker();
  for (std::uint64_t n = 61; n <= 70; ++n) stage.send(n, n);
  stage.wait_for_row(70);
  Stage::pause(300);
  return 70;
}

const std::map<std::string, std::function<std::uint64_t(Stage&)>> kScripts = {
    {"chain", two_owners}, {"fence", two_owners}, {"ahead", lost_forecasts}, {"hole", hole},
    {"repeat", repeat},    {"stored", replay},    {"go_back", lost_rows},    {kCutLogs, cut_logs},
};

}  // namespace

LogFaults play_scenario(const std::string& rule, bool is_broken, const std::string& url,
                        const SharedForecastModel& model) {
  Stage stage(url, model, serve::parse_broken_rules(is_broken ? rule : "").value());
  return stage.faults(kScripts.at(rule)(stage));
}

}  // namespace elastane::app
