// elastane serve: streams by id over HTTP, in one process with a log of its own, or as a worker of a fleet.
#include <fmt/core.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <stdexcept>
#include <thread>

#include "apps/elastane/serve/serve_options.h"
#include "apps/elastane/verbs.h"
#include "command_line/messages.h"
#include "command_line/stop_signals.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/io/file.h"
#include "elastane/serve/nats/fleet_service.h"
#include "web/studio_page.h"

namespace elastane::app {
namespace {

void report(const std::string& text) {
  command_line::print_stderr("elastane serve: {}\n", command_line::printable(text));
}

std::string host_name() {
  char name[256] = "";
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "worker";
}

// a thousand readers need more descriptors than a shell allows at first
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

serve::ApiOptions api_options(const ServeOptions& o) {
  serve::ApiOptions api{.most_rows = o.most_rows, .most_body = o.most_body};
  api.pages = [](const std::string& path) -> std::optional<serve::HttpReply> {
    const web::StudioFile file = web::studio_file(path);
    if (file.type.empty()) return {};
    return serve::HttpReply{.type = std::string(file.type),
                            .body = std::string(file.text),
                            .headers = {{"Content-Security-Policy", web::kStudioPolicy}}};
  };
  if (!o.tokens.empty()) {
    const auto file = FileContent::open(o.tokens).value();
    const auto bytes = file.bytes();
    api.tokens = serve::Tokens::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).value();
  }
  return api;
}

// stops the server when a signal asks for it
class StopWatch {
 public:
  StopWatch(const command_line::StopSignals& stop, serve::Server& server)
      : thread_([&stop, &server, this] {
          while (stop.caught() == 0 && !ended_) {
            pollfd wait{stop.descriptor(), POLLIN, 0};
            ::poll(&wait, 1, 500);
          }
          server.stop();
        }) {}
  ~StopWatch() {
    ended_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

// the model of the command line, if the folder continues with another one
void handle_other_model(serve::Service& service, const ServeOptions& o, const std::vector<std::byte>& file) {
  if (serve::model_name(file) == service.info().model) return;
  if (!o.swap) {
    return report(
        fmt::format("{} continues with its model {}; --swap-model would change it", o.folder, service.info().model));
  }
  service.swap_model(file, [](const Status& swapped) {
    report(swapped ? "the model was swapped" : "the model was not swapped: " + swapped.error());
  });
}

int serve_local(const ServeOptions& o) {
  const command_line::StopSignals stop;
  std::signal(SIGPIPE, SIG_IGN);
  raise_descriptor_limit();
  const auto content = FileContent::open(o.model).value();
  const std::vector<std::byte> file(content.bytes().begin(), content.bytes().end());
  const auto service = serve::LocalService::open(o.local, file).value();
  const auto server = serve::Server::open(*service, api_options(o), o.server).value();
  handle_other_model(*service, o, file);
  if (!o.quiet) {
    const char* scheme = o.server.certificate.empty() ? "http" : "https";
    report(fmt::format("{} streams; {} rows replayed; listens at {}://{}:{}", service->stream_count(),
                       service->figures().replayed.load(), scheme, o.server.address, server->port()));
  }
  const StopWatch watch(stop, *server);
  server->run();
  return 128 + stop.caught();
}

int serve_front(const ServeOptions& o, const std::shared_ptr<serve::Broker>& broker,
                const serve::FleetSettings& settings, const ForecastModel& model, serve::Figures& figures,
                const command_line::StopSignals& stop) {
  raise_descriptor_limit();
  std::signal(SIGPIPE, SIG_IGN);
  const auto content = FileContent::open(o.model).value();
  const auto service = serve::FleetService::open(
                           broker, settings, serve::info_of(model, serve::model_name(content.bytes())),
                           {.folder = o.folder, .most_streams = o.most_streams, .has_worker = !o.no_worker}, figures)
                           .value();
  const auto server = serve::Server::open(*service, api_options(o), o.server).value();
  if (!o.quiet)
    report(fmt::format("listens at http://{}:{} for the fleet {}", o.server.address, server->port(), o.broker.prefix));
  const StopWatch watch(stop, *server);
  server->run();
  return 128 + stop.caught();
}

// a worker, until a signal asks to stop
int serve_fleet(const ServeOptions& o) {
  const command_line::StopSignals stop;
  const auto model = load_forecast_model(o.model).value();
  const auto broker = connect_patiently(o.broker, stop);
  if (broker == nullptr) return 128 + stop.caught();
  const auto settings = serve::FleetNames(o.broker.prefix).load(*broker).value();
  serve::Figures figures;
  serve::FleetWorkerOptions worker_options{.name = o.name};
  if (o.name.empty()) worker_options.name = fmt::format("{}-{}", host_name(), ::getpid());
  worker_options.partition = {.session = o.local.partition.session,
                              .snapshot_rows = o.local.partition.snapshot_rows,
                              .rules = serve::parse_broken_rules(o.broken_rules).value()};
  if (!o.quiet) worker_options.partition.log = report;
  std::optional<serve::FleetWorker> worker;
  if (!o.no_worker) {
    worker.emplace(broker, settings, model, worker_options, figures);
    if (!o.quiet) report(fmt::format("{} works for the fleet {}", worker_options.name, o.broker.prefix));
  }
  if (!o.no_http) return serve_front(o, broker, settings, *model, figures, stop);
  while (stop.caught() == 0) {
    pollfd wait{stop.descriptor(), POLLIN, 0};
    ::poll(&wait, 1, 200);
    if (!worker) continue;
    for (const auto& each : worker->partitions()) {
      if (each.state.starts_with("stopped"))
        throw std::runtime_error(fmt::format("[fleet] partition {}: {}", each.number, each.state));
    }
  }
  return 128 + stop.caught();
}

}  // namespace

std::shared_ptr<serve::Broker> connect_patiently(const serve::BrokerOptions& options,
                                                 const command_line::StopSignals& stop) {
  constexpr auto kQuiet = std::chrono::seconds(1);  // one that was started just now needs a moment
  const auto start = std::chrono::steady_clock::now();
  bool is_reported = false;
  while (stop.caught() == 0) {
    auto broker = serve::Broker::connect(options);
    if (broker) return *std::move(broker);
    const bool is_due = std::chrono::steady_clock::now() - start > kQuiet;
    if (is_due && !std::exchange(is_reported, true)) report(broker.error() + "; waiting for it");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return nullptr;
}

void add_serve(command_line::Command& program) {
  auto options = std::make_shared<ServeOptions>();
  command_line::Command& verb = program.command("serve", "Forecast many streams for others, over HTTP");
  add_serve_options(verb, *options);
  verb.action([options] {
    complete(*options);
    const int code = options->broker.url.empty() ? serve_local(*options) : serve_fleet(*options);
    return code == 128 + SIGINT || code == 128 + SIGTERM ? 0 : code;
  });
}

}  // namespace elastane::app
