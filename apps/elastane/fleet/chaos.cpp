#include "apps/elastane/fleet/chaos.h"

#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "elastane/forecast/forecast_file.h"
#include "elastane/io/number_text.h"

namespace elastane::app {
namespace {

auto seconds(double count) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(count));
}

constexpr double kInFlight = 0.1;  // seconds in which a forecast of the killed owner may still arrive

}  // namespace

Chaos::Chaos(const ChaosOptions& options)
    : options_(options),
      random_(options.seed),
      check_(static_cast<std::size_t>(load_forecast_model(options.model).value()->config.targets)) {
  std::filesystem::create_directories(options_.folder);
  events_.open(options_.folder + "/events.log");
  write_rows();
  expect();
  make_fleet();
}

// streams with a season, noise, and values that are missing
void Chaos::write_rows() const {
  const auto model = load_forecast_model(options_.model).value();
  std::ofstream file(options_.folder + "/rows.csv");
  file << "unique_id";
  const bool has_times = model->grid.step > 0;
  if (has_times) file << ",time";
  for (const std::string& name : model->names) file << ',' << name;
  file << '\n';
  Random random(options_.seed);
  for (std::uint64_t r = 0; r < options_.rows; ++r) {
    const std::uint64_t id = r % options_.ids, tick = r / options_.ids;
    file << "stream/" << id;
    if (has_times) file << ',' << number_text(model->grid.origin + model->grid.step * static_cast<double>(tick));
    for (std::size_t c = 0; c < model->names.size(); ++c) {
      const double wave =
          std::sin(0.26 * static_cast<double>(tick + id) + static_cast<double>(c)) + 0.2 * random.normal();
      file << ',' << (random.uniform() < 0.01 ? "" : number_text(model->mean[c] + model->deviation[c] * wave));
    }
    file << '\n';
  }
  if (!file.flush()) throw std::runtime_error("[fleet] cannot write rows to " + options_.folder);
}

// one run without interruption
void Chaos::expect() {
  const std::string output = options_.folder + "/expected.jsonl";
  std::filesystem::remove(output);
  Process run({own_program(), "run", "--model", options_.model, "--input", options_.folder + "/rows.csv", "--quiet"},
              output);
  while (run.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (run.code() != 0) throw std::runtime_error("[fleet] elastane run failed; see " + output);
  std::ifstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('{')) check_.expect_line(line);
  }
}

void Chaos::make_fleet() {
  url_ = options_.url;
  if (url_.empty()) {
    std::filesystem::remove_all(options_.folder + "/nats");
    servers_.emplace(options_.servers, free_port(), options_.folder + "/nats");
    url_ = servers_->url();
  }
  prefix_ = fmt::format("check{}", Random(options_.seed + static_cast<std::uint64_t>(::getpid())).bits() % 1'000'000);
  names_ = std::make_unique<serve::FleetNames>(prefix_);
  const int replicas = options_.replicas > 0 ? options_.replicas : options_.servers >= 3 ? 3 : 1;
  std::string why;
  for (int i = 0; i < 150; ++i) {
    const auto broker = serve::Broker::connect({.url = url_, .prefix = prefix_});
    const Status made = broker ? names_->make(**broker, {.partitions = options_.partitions, .replicas = replicas})
                               : Status(Error{broker.error()});
    if (made) {
      broker_ = *broker;
      beats_ = broker_->listen(names_->beats()).value();
      forecasts_ = broker_->listen(names_->all_live()).value();
      return;
    }
    why = made.error();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  throw std::runtime_error("[fleet] cannot make the fleet: " + why);
}

// --- parts

void Chaos::note(const std::string& event) {
  events_ << fmt::format("{:8.3f} {}\n", std::chrono::duration<double>(Clock::now() - start_).count(), event)
          << std::flush;
}

void Chaos::start_worker(Worker& worker) {
  note("start " + worker.name);
  std::vector<std::string> command{own_program(),
                                   "serve",
                                   "--nats",
                                   url_,
                                   "--fleet",
                                   prefix_,
                                   "--model",
                                   options_.model,
                                   "--name",
                                   worker.name,
                                   "--no-http",
                                   "--snapshot-rows",
                                   std::to_string(options_.snapshot_rows)};
  if (!options_.mutation.empty()) command.insert(command.end(), {"--broken-rules", options_.mutation});
  worker.process = Process(command, options_.folder + "/" + worker.name + ".log");
  worker.resumes_at.reset();
}

void Chaos::start_source() {
  const double rate =
      static_cast<double>(options_.rows) / (static_cast<double>(options_.kills + 1) * options_.interval);
  std::vector<std::string> command{
      own_program(),  "feed",   options_.folder + "/rows.csv", "--nats", url_, "--fleet", prefix_, "--model",
      options_.model, "--rate", number_text(std::ceil(rate))};
  if (!options_.mutation.empty()) command.insert(command.end(), {"--broken-rules", options_.mutation});
  source_ = Process(command, options_.folder + "/source.log");
}

// what was killed starts again after a while, what was paused continues
void Chaos::look_after() {
  const auto now = Clock::now();
  for (Worker& each : workers_) {
    if (each.resumes_at && now >= *each.resumes_at) {
      each.process.signal(SIGCONT);
      each.resumes_at.reset();
    }
    if (!each.process.is_running() && now >= each.starts_at) start_worker(each);
  }
  if (down_ && now >= down_->second) {
    servers_->start(down_->first);
    down_.reset();
  }
  if (!is_source_done_ && !source_.is_running()) {
    is_source_done_ = source_.code() == 0;
    if (!is_source_done_) start_source();
  }
}

// --- disturbances

// every worker runs, and every partition has an owner that was heard from
bool Chaos::is_whole() {
  return taken_over_.empty() && std::ranges::all_of(workers_, [](Worker& each) { return each.process.is_running(); });
}

void Chaos::disturb() {
  if (options_.only_workers) return is_whole() ? kill_worker() : void();
  const double choice = random_.uniform();
  if (result_.drops < static_cast<std::uint64_t>(options_.drops) &&
      result_.kills() * static_cast<std::uint64_t>(options_.drops + 1) > options_.kills * (result_.drops + 1)) {
    return drop_records();
  }
  if (choice < 0.15) return pause_worker();
  if (choice < 0.30 && servers_ && !down_) return kill_server();
  if (choice < 0.40 && !is_source_done_) {
    source_.kill();
    result_.source_kills += 1;
    return;
  }
  kill_worker();
}

void Chaos::kill_worker() {
  Worker& worker = workers_[static_cast<std::size_t>(random_.uniform() * static_cast<double>(workers_.size()))];
  if (!worker.process.is_running()) return;
  hear(0);
  worker.process.kill();
  worker.starts_at = Clock::now() + seconds(3 * random_.uniform());
  result_.worker_kills += 1;
  note("kill " + worker.name);
  for (const auto& [p, owner] : owner_) {
    if (owner != worker.name || down_) continue;
    if (taken_over_.try_emplace(p, Clock::now()).second) note(fmt::format("partition {} waits", p));
  }
}

void Chaos::pause_worker() {
  Worker& worker = workers_[static_cast<std::size_t>(random_.uniform() * static_cast<double>(workers_.size()))];
  if (!worker.process.is_running() || worker.resumes_at) return;
  worker.process.signal(SIGSTOP);
  worker.resumes_at = Clock::now() + seconds(2.5 + 2.5 * random_.uniform());
  result_.pauses += 1;
}

void Chaos::kill_server() {
  const int node = static_cast<int>(random_.uniform() * servers_->count());
  servers_->kill(node);
  down_ = {node, Clock::now() + seconds(0.2 + 1.3 * random_.uniform())};
  result_.server_kills += 1;
  taken_over_.clear();  // its time is not that of a take-over
}

// behind the back of the fleet, while it is away: the last records of two logs of forecasts, and of one log of rows
void Chaos::drop_records() {
  if (down_) return;
  for (Worker& each : workers_) {
    each.process.kill();
    each.starts_at = Clock::now() + seconds(0.3);
  }
  const int p = static_cast<int>(random_.uniform() * options_.partitions), q = (p + 1) % options_.partitions;
  for (const std::string& stream : {names_->forecasts_stream(p), names_->forecasts_stream(q), names_->rows_stream(q)}) {
    const auto state = broker_->state(stream);
    if (!state) continue;
    const std::uint64_t count = std::min<std::uint64_t>(state->messages / 2, 100);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!broker_->remove_message(stream, state->last - i)) break;  // no leader: another time
    }
  }
  result_.drops += 1;
  taken_over_.clear();
  is_source_done_ = false;  // it keeps rows for a day, so it is there to send them again
}

// --- the run

void Chaos::hear(int milliseconds) {
  while (const auto message = beats_->next(0)) {
    if (!*message) break;
    const auto beat =
        serve::parse_beat({reinterpret_cast<const char*>((*message)->data.data()), (*message)->data.size()});
    if (!beat) continue;
    for (const auto& each : beat->partitions) {
      if (std::exchange(owner_[each.number], beat->name) != beat->name) {
        note(fmt::format("partition {} is held by {}", each.number, beat->name));
      }
    }
  }
  while (const auto message = forecasts_->next(milliseconds)) {
    if (!*message) break;
    milliseconds = 0;
    const std::string_view subject = (*message)->subject;
    const auto id = serve::percent_decoded(subject.substr(subject.rfind('.') + 1));
    if (!id) continue;
    const auto at = taken_over_.find(serve::partition_of(*id, options_.partitions));
    if (at == taken_over_.end()) continue;
    const std::chrono::duration<double> took = Clock::now() - at->second;
    if (took.count() < kInFlight) continue;
    result_.takeovers.push_back(took.count());
    note(fmt::format("partition {} continues after {:.3f} s", at->first, took.count()));
    taken_over_.erase(at);
  }
}

ChaosResult Chaos::run() {
  for (int i = 0; i < options_.workers; ++i) {
    workers_.emplace_back().name = fmt::format("w{}", i);
    start_worker(workers_.back());
  }
  start_source();
  auto next = Clock::now() + seconds(2);
  while (result_.kills() < options_.kills) {
    look_after();
    hear(5);
    if (options_.only_workers && is_source_done_) break;  // no forecast would follow another kill
    if (Clock::now() < next) continue;
    disturb();
    next = Clock::now() + seconds(options_.interval * (0.5 + random_.uniform()));
  }
  wait_for_source();
  settle();
  read_logs();
  result_.faults = check_.finish();
  if (!options_.url.empty()) (void)names_->remove(*broker_);
  return std::move(result_);
}

void Chaos::wait_for_source() {
  const auto end = Clock::now() + seconds(options_.patience);
  while (!is_source_done_ && Clock::now() < end) {
    look_after();
    hear(20);
  }
}

// paused workers continue and learn that they were replaced; only then is the log at rest
void Chaos::settle() {
  const auto end = Clock::now() + seconds(7);
  while (Clock::now() < end) {
    look_after();
    hear(20);
  }
  source_.kill();
  for (Worker& each : workers_) {
    each.process.signal(SIGCONT);
    each.process.stop(5);
  }
}

void Chaos::read_logs() {
  for (int p = 0; p < options_.partitions; ++p) {
    const std::string stream = names_->forecasts_stream(p);
    const auto state = broker_->state(stream).value();
    if (state.messages == 0) continue;
    const auto records = broker_->read(stream, names_->all_forecasts(p), state.first).value();
    std::uint64_t seen = 0, count = 0;
    while (seen < state.last && count < state.messages) {
      const auto message = records->next(5000).value();
      if (!message) break;
      seen = message->sequence;
      count += 1;
      const auto batch = serve::parse_forecasts(message->data);
      if (batch) check_.found(*batch);
    }
  }
}

}  // namespace elastane::app
