// elastane bench serve: rows per second and time per row, of the broker alone, of a worker, and over HTTP.
#include <arpa/inet.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "apps/elastane/fleet/local_servers.h"
#include "apps/elastane/serve/serve_options.h"
#include "apps/elastane/verbs.h"
#include "command_line/bar.h"
#include "command_line/messages.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/io/descriptor.h"
#include "elastane/io/file.h"
#include "elastane/serve/http/server.h"
#include "elastane/serve/local_service.h"
#include "elastane/serve/nats/fleet_partition.h"

namespace elastane::app {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

constexpr double kCatchUpPatience = 120;    // seconds
constexpr std::uint64_t kSingleRows = 200;  // of each round, one at a time

struct BenchOptions {
  std::string model;
  std::uint64_t rows = 20'000, connections = 100, ids = 50, workers = std::thread::hardware_concurrency(), rounds = 3;
  bool is_json = false;
};

// one round of one path
struct Timed {
  std::string path;
  std::uint64_t workers = 0;
  double rows = 0, seconds = 0, cpu = 0, broker_cpu = 0;
  std::vector<double> latencies;  // seconds

  double rows_per_second() const { return rows / seconds; }
  double cores() const { return (cpu + broker_cpu) / seconds; }
};

using Round = std::vector<Timed>;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? NAN : values[values.size() / 2];
}

template <typename Value>
double median_of(const std::vector<Round>& rounds, std::size_t path, Value value) {
  std::vector<double> values;
  for (const Round& each : rounds) values.push_back(value(each[path]));
  return median(std::move(values));
}

// medians of the rounds; of single rows, all of them
void print(const std::vector<Round>& rounds, std::size_t path, bool is_json) {
  const Timed& first = rounds[0][path];
  std::vector<double> latencies;
  for (const Round& each : rounds) {
    latencies.insert(latencies.end(), each[path].latencies.begin(), each[path].latencies.end());
  }
  std::ranges::sort(latencies);
  nlohmann::ordered_json row = {{"path", first.path}};
  if (first.workers > 0) row["workers"] = first.workers;
  row["rows_per_second"] = median_of(rounds, path, [](const Timed& t) { return t.rows_per_second(); });
  for (const auto& [key, share] : {std::pair("p50_us", 0.5), std::pair("p99_us", 0.99)}) {
    if (latencies.empty()) {
      row[key] = nullptr;
    } else {
      row[key] = 1e6 * latencies[static_cast<std::size_t>(share * static_cast<double>(latencies.size() - 1))];
    }
  }
  row["cpu_us"] = median_of(rounds, path, [](const Timed& t) { return 1e6 * t.cpu / t.rows; });
  row["broker_cpu_us"] = median_of(rounds, path, [](const Timed& t) { return 1e6 * t.broker_cpu / t.rows; });
  if (is_json) {
    fmt::print("{}\n", row.dump());
  } else {
    const std::string name = first.workers > 1 ? fmt::format("{} {}s", first.workers, first.path) : first.path;
    const auto micros = [&](const char* key) {
      return row[key].is_null() ? std::string("-") : fmt::format("{:.0f} µs", row[key].get<double>());
    };
    fmt::print("{:<10} {:>9.0f} rows/s   p50 {:>8}   p99 {:>8}   CPU {:>5.1f} µs per row, of the broker {:>5.1f}\n",
               name, row["rows_per_second"].get<double>(), micros("p50_us"), micros("p99_us"),
               row["cpu_us"].get<double>(), row["broker_cpu_us"].get<double>());
  }
  command_line::flush_stdout();
}

serve::RowBatch one_row(const ForecastModel& model, std::uint64_t id, std::uint64_t number) {
  serve::RowBatch row{.id = fmt::format("s{}", id), .first = number};
  row.times = {model.grid.step > 0 ? model.grid.origin + model.grid.step * static_cast<double>(number) : NAN};
  for (std::size_t c = 0; c < model.names.size(); ++c) {
    row.values.push_back(model.mean[c] + model.deviation[c] * std::sin(0.26 * static_cast<double>(number + id)));
  }
  return row;
}

// The time and the processor of a stretch of work.
class Stretch {
 public:
  explicit Stretch(const LocalServers& servers) : servers_(servers) {}
  void end(Timed& timed) const {
    timed.seconds = since(start_);
    timed.cpu = cpu_seconds() - cpu_;
    timed.broker_cpu = servers_.cpu_seconds() - broker_cpu_;
  }

 private:
  const LocalServers& servers_;
  double cpu_ = cpu_seconds(), broker_cpu_ = servers_.cpu_seconds();
  Clock::time_point start_ = Clock::now();
};

// The broker, a connection to it, and what the paths share. Partition p < 3 belongs to the p-th publisher; workers take
// those behind them, a new one each.
struct Bench {
  const BenchOptions& options;
  SharedForecastModel model;
  LocalServers& servers;
  std::shared_ptr<serve::Broker> broker;
  serve::FleetNames names{broker->prefix()};
  int next_partition = 3;

  std::size_t record_bytes() const {
    return 3 * sizeof(double) * static_cast<std::size_t>(model->config.horizon * model->config.targets) + 120;
  }
};

// bare: no record names the one before. chained: each does, leaves at once and is acknowledged. batched: likewise, but they
// leave and are acknowledged in batches, as those of a worker.
struct Publisher {
  Publisher(const Bench& bench, std::string name, int partition)
      : path(std::move(name)),
        subject(bench.names.forecasts(partition, "bench")),
        payload(bench.record_bytes()),
        writer(bench.broker, bench.names.forecasts_stream(partition), bench.names.forecasts_fence(partition),
               {.chain = path == "bare"}) {
    writer.take_over().value();
  }
  double publish_one() {  // two hops
    const auto start = Clock::now();
    writer.publish(subject, payload).value();
    writer.wait_for_all().value();
    return since(start);
  }
  Timed publish_many(const Bench& bench) {
    Timed timed{.path = path, .rows = static_cast<double>(bench.options.rows)};
    const Stretch stretch(bench.servers);
    for (std::uint64_t i = 0; i < bench.options.rows; ++i) {
      writer.publish(subject, payload).value();
      if (path != "batched") writer.flush().value();
      if (i % 64 == 0) writer.collect(0).value();
    }
    writer.wait_for_all().value();
    stretch.end(timed);
    return timed;
  }
  std::string path, subject;
  std::vector<std::byte> payload;
  serve::ChainedWriter writer;
};

// the same rows in a session alone: what the model costs
struct Alone {
  explicit Alone(const Bench& bench) : model(bench.model), session(bench.model, {}) {}
  Timed feed_many(const BenchOptions& o) {
    Timed timed{.path = "session", .rows = static_cast<double>(o.rows)};
    const auto start = Clock::now();
    const double cpu = cpu_seconds();
    for (std::uint64_t i = 0; i < o.rows; ++i) (void)session.feed(one_row(*model, i % o.ids, i / o.ids + 1));
    timed.seconds = since(start);
    timed.cpu = cpu_seconds() - cpu;
    return timed;
  }
  double feed_one() {  // after others used the processor's caches
    const auto row = one_row(*model, 0, session.last_row("s0") + 1);
    const auto start = Clock::now();
    (void)session.feed(row);
    return since(start);
  }
  SharedForecastModel model;
  serve::Session session;
};

// a worker: a partition with a connection of its own, and rows that wait for it
class BenchWorker {
 public:
  explicit BenchWorker(Bench& bench)
      : partition_(bench.next_partition++),
        model_(bench.model),
        broker_(serve::Broker::connect({.url = bench.servers.url()}).value()) {
    for (std::uint64_t i = 0; i < bench.options.rows; ++i) {
      const auto row = one_row(*model_, i % bench.options.ids, i / bench.options.ids + 1);
      bench.broker->publish(bench.names.rows(partition_, row.id), to_bytes(row)).value();
    }
    bench.broker->flush(10'000).value();
  }
  void start() {
    held_ =
        std::make_unique<serve::FleetPartition>(partition_, broker_, model_, serve::FleetPartitionOptions{}, figures_);
  }
  bool has_stored(const Bench& bench) const {  // all its forecasts; the log has the fence too
    if (figures_.forecasts < bench.options.rows) return false;
    return bench.broker->state(bench.names.forecasts_stream(partition_)).value().messages > bench.options.rows;
  }
  int partition() const { return partition_; }

 private:
  int partition_;
  SharedForecastModel model_;
  std::shared_ptr<serve::Broker> broker_;
  serve::Figures figures_;
  std::unique_ptr<serve::FleetPartition> held_;
};

using BenchWorkers = std::vector<std::unique_ptr<BenchWorker>>;

BenchWorkers make_workers(Bench& bench, std::uint64_t count) {
  BenchWorkers workers;
  for (std::uint64_t i = 0; i < count; ++i) workers.push_back(std::make_unique<BenchWorker>(bench));
  return workers;
}

// Workers that catch up with rows that are there, until all forecasts are stored. No reader takes what they publish, so that
// the time and the processor are the workers' own, and the broker's.
Timed catch_up(const Bench& bench, const BenchWorkers& workers) {
  Timed timed{.path = "worker", .workers = workers.size()};
  timed.rows = static_cast<double>(bench.options.rows * workers.size());
  const auto began = Clock::now();
  const Stretch stretch(bench.servers);
  for (const auto& each : workers) each->start();
  for (const auto& each : workers) {
    while (!each->has_stored(bench)) {
      if (since(began) > kCatchUpPatience) throw std::runtime_error("[bench] a worker did not catch up in two minutes");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  stretch.end(timed);
  return timed;
}

// Single rows of a worker that waits for them, from their publication to their forecast: four hops. In turn with them a record
// of each publisher, from its publication to its acknowledgement: two. And a row of a session: none.
void time_single_rows(const Bench& bench, int partition, std::vector<Publisher>& publishers, Alone& alone,
                      Round& round) {
  const auto live = bench.broker->listen(bench.names.live("s0")).value();
  const std::uint64_t before = (bench.options.rows + bench.options.ids - 1) / bench.options.ids;
  for (std::uint64_t i = 0; i < kSingleRows; ++i) {
    for (std::size_t p = 0; p < publishers.size(); ++p) round[p].latencies.push_back(publishers[p].publish_one());
    round[publishers.size()].latencies.push_back(alone.feed_one());
    const auto row = one_row(*bench.model, 0, before + 1 + i);
    const auto start = Clock::now();
    bench.broker->publish(bench.names.rows(partition, row.id), to_bytes(row)).value();
    if (!live->next(2000).value()) throw std::runtime_error("[bench] a row had no forecast in two seconds");
    round.back().latencies.push_back(since(start));
  }
}

// the publishers, a session alone, one worker, then as many as there are cores
Round play_round(Bench& bench) {
  Round round;
  std::vector<Publisher> publishers;
  for (const char* path : {"bare", "chained", "batched"}) {
    publishers.emplace_back(bench, path, static_cast<int>(publishers.size()));
  }
  for (Publisher& each : publishers) round.push_back(each.publish_many(bench));
  Alone alone(bench);
  round.push_back(alone.feed_many(bench.options));
  {
    const BenchWorkers one = make_workers(bench, 1);
    round.push_back(catch_up(bench, one));
    time_single_rows(bench, one[0]->partition(), publishers, alone, round);
  }
  if (bench.options.workers > 1) round.push_back(catch_up(bench, make_workers(bench, bench.options.workers)));
  return round;
}

// ratios of each round, in which the rivals ran one after the other
void print_ratios(const std::vector<Round>& rounds) {
  constexpr std::size_t kBare = 0, kChained = 1, kAlone = 3, kOne = 4, kMany = 5;
  const auto ratio = [&](auto value, std::size_t path, std::size_t rival) {
    std::vector<double> ratios;
    for (const Round& each : rounds) ratios.push_back(value(each[path]) / value(each[rival]));
    std::ranges::sort(ratios);
    return fmt::format("{:.2f} ({:.2f} to {:.2f})", median(ratios), ratios.front(), ratios.back());
  };
  const auto speed = [](const Timed& t) { return t.rows_per_second(); };
  const auto delay = [](const Timed& t) { return median(t.latencies); };
  const auto cpu = [](const Timed& t) { return 1e6 * t.cpu / t.rows; };
  using command_line::print_stderr;
  print_stderr("a worker forecasts {} times as many rows per second as the chained client publishes\n",
               ratio(speed, kOne, kChained));
  print_stderr("a row and its forecast take {} times the time of a bare record and its acknowledgement\n",
               ratio(delay, kOne, kBare));
  const double of_model = median_of(rounds, kAlone, cpu);
  print_stderr("a worker takes {:.1f} µs of CPU per row beside the model's {:.1f}\n",
               median_of(rounds, kOne, cpu) - of_model, of_model);
  if (rounds[0].size() <= kMany) return;
  print_stderr(
      "{} workers forecast {} times as many rows per second as one, who keeps {:.1f} of {} cores busy with its "
      "broker\n",
      rounds[0][kMany].workers, ratio(speed, kMany, kOne),
      median_of(rounds, kOne, [](const Timed& t) { return t.cores(); }), std::thread::hardware_concurrency());
}

// clients that keep their connections, each with one row at a time
void ask_rows(int port, std::uint64_t client, std::uint64_t count, const ForecastModel& model,
              std::vector<double>& latencies) {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<unsigned short>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
  std::string buffer(1 << 16, '\0');
  for (std::uint64_t n = 1; n <= count; ++n) {
    const auto row = one_row(model, client, n);
    std::string body = "[";
    for (const double value : row.values) body += fmt::format("{}{}", body.size() > 1 ? "," : "", value);
    body += "]";
    const std::string request =
        fmt::format("POST /v1/streams/{}/rows HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{}", row.id,
                    body.size(), body);
    const auto start = Clock::now();
    if (!socket.write_all(std::as_bytes(std::span(request)))) return;
    std::string answer;
    while (!answer.ends_with("}\n")) {
      const ssize_t got = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
      if (got <= 0) return;
      answer.append(buffer, 0, static_cast<std::size_t>(got));
    }
    if (answer.starts_with("HTTP/1.1 200")) latencies.push_back(since(start));
  }
}

Timed serve_http(const BenchOptions& o, const SharedForecastModel& model, const std::string& folder) {
  const auto file = FileContent::open(o.model).value();
  const auto service = serve::LocalService::open({.folder = folder}, file.bytes()).value();
  const auto server = serve::Server::open(*service, {}, {.port = 0}).value();
  std::thread front([&] { server->run(); });
  Timed timed{.path = "http"};
  std::vector<std::vector<double>> latencies(o.connections);
  const auto start = Clock::now();
  const double cpu = cpu_seconds();
  std::vector<std::thread> clients;
  for (std::uint64_t i = 0; i < o.connections; ++i) {
    clients.emplace_back([&, i] { ask_rows(server->port(), i, o.rows / o.connections, *model, latencies[i]); });
  }
  for (std::thread& each : clients) each.join();
  timed.seconds = since(start);
  timed.cpu = cpu_seconds() - cpu;
  server->stop();
  front.join();
  for (const auto& each : latencies) timed.latencies.insert(timed.latencies.end(), each.begin(), each.end());
  timed.rows = static_cast<double>(timed.latencies.size());
  return timed;
}

struct TemporaryFolder {
  TemporaryFolder() {
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("[bench] cannot make a folder");
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path = (std::filesystem::temp_directory_path() / "elastane_bench_XXXXXX").string();
};

int bench(const BenchOptions& o) {
  const auto model = load_forecast_model(o.model).value();
  const TemporaryFolder folder;
  LocalServers servers(1, free_port(), folder.path + "/nats");
  const command_line::StopSignals stop;
  Bench bench{
      .options = o, .model = model, .servers = servers, .broker = connect_patiently({.url = servers.url()}, stop)};
  if (bench.broker == nullptr) return 128 + stop.caught();
  const std::uint64_t workers = 1 + (o.workers > 1 ? o.workers : 0);
  bench.names.make(*bench.broker, {.partitions = static_cast<int>(3 + o.rounds * workers)}).value();
  std::vector<Round> rounds;
  command_line::Bar bar;
  for (std::uint64_t i = 0; i < o.rounds && stop.caught() == 0; ++i) {
    bar.update(static_cast<double>(i) / static_cast<double>(o.rounds), "rounds");
    rounds.push_back(play_round(bench));
  }
  bar.clear();
  if (stop.caught() != 0) return 128 + stop.caught();
  for (std::size_t path = 0; path < rounds[0].size(); ++path) print(rounds, path, o.is_json);
  print({{serve_http(o, model, folder.path + "/http")}}, 0, o.is_json);
  print_ratios(rounds);
  return 0;
}

}  // namespace

void add_bench_serve(command_line::Command& program) {
  const auto all = program.commands();
  const auto group = std::ranges::find(all, "bench", &command_line::Command::name);
  auto options = std::make_shared<BenchOptions>();
  command_line::Command& verb = (*group)->command("serve", "Rows per second of the broker, of a worker and over HTTP");
  verb.option("--model", options->model, "forecaster, made by elastane train series").required().type("FILE");
  verb.option("--rows", options->rows, "rows of each path").at_least(1000);
  verb.option("--connections", options->connections, "of HTTP clients").range(1, 1000);
  verb.option("--ids", options->ids, "streams of a worker").at_least(1);
  verb.option("--workers", options->workers, "after one worker, so many at a time (default: one per core)")
      .range(1, 64)
      .hide_default();
  verb.option("--rounds", options->rounds, "of all paths but http, one after the other").range(1, 20);
  verb.flag("--json", options->is_json, "one line of JSON per path");
  verb.footer(
      "Examples:\n  elastane bench serve --model load.safetensors\n"
      "  elastane bench serve --model load.safetensors --rows 50000 --workers 4 --json\n\nbare: published records, "
      "acknowledged later. chained: each names the one before. batched: likewise, sent and\n"
      "acknowledged in batches, as those of a worker. worker: rows consumed, forecast and published by one partition,\n"
      "then by as many as there are cores, each with a connection; no reader takes what they publish. session: the "
      "same\n"
      "rows and no broker. http: one row per request, synced to the disk. p50 of the publishers: one record and its\n"
      "acknowledgement, two hops; of the worker: from a row to its forecast, four hops. CPU: of this process, with its "
      "clients. Medians of the rounds;\n"
      "the ratios at the end are those of each round, in which the rivals take turns: median (least to most).");
  verb.action([options] { return bench(*options); });
}

}  // namespace elastane::app
