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

struct BenchOptions {
  std::string model;
  std::uint64_t rows = 20'000, connections = 100, ids = 50, workers = std::thread::hardware_concurrency();
  bool is_json = false;
};

struct Timed {
  std::string path;
  std::uint64_t workers = 0;
  double rows = 0, seconds = 0, cpu = 0;
  std::vector<double> latencies;  // seconds
};

void print(Timed t, bool is_json) {
  std::ranges::sort(t.latencies);
  const auto quantile = [&](double share) {
    return t.latencies.empty()
               ? 0.0
               : 1e6 * t.latencies[static_cast<std::size_t>(share * static_cast<double>(t.latencies.size() - 1))];
  };
  nlohmann::ordered_json row = {{"path", t.path},
                                {"rows_per_second", t.rows / t.seconds},
                                {"p50_us", quantile(0.5)},
                                {"p99_us", quantile(0.99)},
                                {"cpu_us", 1e6 * t.cpu / t.rows}};
  if (t.workers > 0) row["workers"] = t.workers;
  if (is_json) {
    fmt::print("{}\n", row.dump());
  } else {
    fmt::print("{:<8} {:>9.0f} rows/s   p50 {:>8.0f} µs   p99 {:>8.0f} µs   CPU {:>6.1f} µs per row\n", t.path,
               row["rows_per_second"].get<double>(), quantile(0.5), quantile(0.99), row["cpu_us"].get<double>());
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

// One publisher; each record has the size of a forecast. bare: no record names the one before. chained: each does, leaves at
// once and is acknowledged. batched: likewise, but they leave and are acknowledged in batches, as those of a worker.
Timed publish(const std::shared_ptr<serve::Broker>& broker, const BenchOptions& o, const std::string& path,
              std::size_t bytes) {
  const serve::FleetNames names(broker->prefix());
  serve::ChainedWriter writer(broker, names.forecasts_stream(0), names.forecasts_fence(0), {.chain = path == "bare"});
  writer.take_over().value();
  const std::vector<std::byte> payload(bytes);
  Timed timed{.path = path, .rows = static_cast<double>(o.rows)};
  const std::string subject = names.forecasts(0, "bench");
  for (int i = 0; i < 200; ++i) {  // one at a time: two hops
    const auto start = Clock::now();
    writer.publish(subject, payload).value();
    writer.wait_for_all().value();
    timed.latencies.push_back(since(start));
  }
  const auto start = Clock::now();
  const double cpu = cpu_seconds();
  for (std::uint64_t i = 0; i < o.rows; ++i) {
    writer.publish(subject, payload).value();
    if (path != "batched") writer.flush().value();
    if (i % 64 == 0) writer.collect(0).value();
  }
  writer.wait_for_all().value();
  timed.seconds = since(start);
  timed.cpu = cpu_seconds() - cpu;
  return timed;
}

// the same rows in a session alone: what the model costs
double session_cpu(const BenchOptions& o, const SharedForecastModel& model) {
  serve::Session session(model, {});
  const double cpu = cpu_seconds();
  for (std::uint64_t i = 0; i < o.rows; ++i) (void)session.feed(one_row(*model, i % o.ids, i / o.ids + 1));
  return cpu_seconds() - cpu;
}

// rows that wait for the worker of a partition
void fill(serve::Broker& broker, const BenchOptions& o, const ForecastModel& model, int partition) {
  const serve::FleetNames names(broker.prefix());
  for (std::uint64_t i = 0; i < o.rows; ++i) {
    const auto row = one_row(model, i % o.ids, i / o.ids + 1);
    broker.publish(names.rows(partition, row.id), to_bytes(row)).value();
  }
  broker.flush(10'000).value();
}

// a worker: a partition with a connection of its own
struct BenchWorker {
  BenchWorker(const std::string& url, const SharedForecastModel& model, int partition, serve::Figures& figures)
      : number(partition), broker(serve::Broker::connect({.url = url}).value()) {
    start = [this, model, &figures] {
      held = std::make_unique<serve::FleetPartition>(number, broker, model, serve::FleetPartitionOptions{}, figures);
    };
  }
  int number;
  std::shared_ptr<serve::Broker> broker;
  std::unique_ptr<serve::FleetPartition> held;
  std::function<void()> start;
};

// Workers that catch up with rows that are there, until all forecasts are stored. No reader takes what they publish, so that
// the time and the processor are the workers' own, and the broker's.
Timed catch_up(std::vector<std::unique_ptr<BenchWorker>>& workers, serve::Broker& broker, const BenchOptions& o,
               const serve::Figures& figures) {
  const serve::FleetNames names(broker.prefix());
  Timed timed{.path = "worker", .workers = workers.size()};
  timed.rows = static_cast<double>(o.rows * workers.size());
  const auto is_late = [start = Clock::now()] { return since(start) > 120; };
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  const std::uint64_t made = figures.forecasts;
  const auto start = Clock::now();
  const double cpu = cpu_seconds();
  for (auto& each : workers) each->start();
  while (figures.forecasts - made < o.rows * workers.size() && !is_late()) pause();
  for (const auto& each : workers) {
    while (broker.state(names.forecasts_stream(each->number)).value().messages <= o.rows && !is_late()) pause();
  }
  timed.seconds = since(start);
  timed.cpu = cpu_seconds() - cpu;
  return timed;
}

// one worker, then as many as there are cores; then single rows of the first, from their publication to their forecast
std::vector<Timed> work(const std::string& url, const std::shared_ptr<serve::Broker>& broker, const BenchOptions& o,
                        const SharedForecastModel& model) {
  const serve::FleetNames names(broker->prefix());
  serve::Figures figures;
  std::vector<Timed> all;
  std::vector<std::unique_ptr<BenchWorker>> one, many;
  int partition = 1;
  fill(*broker, o, *model, partition);
  one.push_back(std::make_unique<BenchWorker>(url, model, partition++, figures));
  all.push_back(catch_up(one, *broker, o, figures));
  const auto live = broker->listen(names.live("s0")).value();
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto row = one_row(*model, 0, o.rows / o.ids + 1 + i);
    const auto sent = Clock::now();
    broker->publish(names.rows(1, row.id), to_bytes(row)).value();
    if (live->next(2000).value()) all[0].latencies.push_back(since(sent));
  }
  one.clear();
  for (std::uint64_t i = 0; i < o.workers; ++i, ++partition) {
    fill(*broker, o, *model, partition);
    many.push_back(std::make_unique<BenchWorker>(url, model, partition, figures));
  }
  if (o.workers > 1) all.push_back(catch_up(many, *broker, o, figures));
  return all;
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

int bench(const BenchOptions& o) {
  const auto model = load_forecast_model(o.model).value();
  std::string folder = (std::filesystem::temp_directory_path() / "elastane_bench_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("[bench] cannot make a folder");
  {
    LocalServers servers(1, free_port(), folder + "/nats");
    const command_line::StopSignals stop;
    const auto broker = connect_patiently({.url = servers.url()}, stop);
    serve::FleetNames("elastane").make(*broker, {.partitions = static_cast<int>(2 + o.workers)}).value();
    const std::size_t bytes =
        3 * sizeof(double) * static_cast<std::size_t>(model->config.horizon * model->config.targets) + 120;
    for (const char* path : {"bare", "chained", "batched"}) print(publish(broker, o, path, bytes), o.is_json);
    const double model_micros = 1e6 * session_cpu(o, model) / static_cast<double>(o.rows);
    const std::vector<Timed> workers = work(servers.url(), broker, o, model);
    for (const Timed& each : workers) print(each, o.is_json);
    if (workers.size() > 1) {
      command_line::print_stderr("{} workers forecast {:.2f} times as many rows per second as one\n", o.workers,
                                 workers[1].rows / workers[1].seconds * workers[0].seconds / workers[0].rows);
    }
    command_line::print_stderr("a session alone takes {:.1f} µs of CPU per row\n", model_micros);
    print(serve_http(o, model, folder + "/http"), o.is_json);
  }
  std::filesystem::remove_all(folder);
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
  verb.flag("--json", options->is_json, "one line of JSON per path");
  verb.footer(
      "bare: published records, acknowledged later. chained: each names the one before. batched: likewise, sent and\n"
      "acknowledged in batches, as those of a worker. worker: rows consumed, forecast and published by one partition,\n"
      "then by as many as there are cores, each with a connection; no reader takes what they publish. http: one row\n"
      "per request, synced to the disk. p50 of the publishers: one record and its acknowledgement, two hops; of the\n"
      "worker: from a row to its forecast. cpu_us: of this process, with its clients, without the broker.");
  verb.action([options] { return bench(*options); });
}

}  // namespace elastane::app
