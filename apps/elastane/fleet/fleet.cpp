// elastane fleet: makes a fleet on NATS, starts one on this machine to look at, and checks one by killing its parts.
#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "apps/elastane/fleet/chaos.h"
#include "apps/elastane/fleet/rule_scenarios.h"
#include "apps/elastane/serve/serve_options.h"
#include "apps/elastane/verbs.h"
#include "command_line/messages.h"
#include "elastane/forecast/forecast_file.h"

namespace elastane::app {
namespace {

struct MakeOptions {
  serve::BrokerOptions broker{.url = "nats://127.0.0.1:4222"};
  serve::FleetSettings settings;
  double keep_days = 2;
};

int make(const MakeOptions& o) {
  serve::FleetSettings settings = o.settings;
  settings.keep_seconds = o.keep_days * 86400;
  const auto broker = serve::Broker::connect(o.broker).value();
  const serve::FleetNames names(o.broker.prefix, settings.rows_of);
  names.make(*broker, settings).value();
  settings.partitions = names.load(*broker).value().partitions;
  fmt::print("the fleet {} has {} partitions with {} replica{}", o.broker.prefix, settings.partitions,
             settings.replicas, settings.replicas == 1 ? "" : "s");
  fmt::print("{}\n", settings.rows_of.empty() ? "" : ", and the rows of " + settings.rows_of);
  return 0;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

struct CheckOptions {
  ChaosOptions chaos;
  bool is_json = false, keeps = false, mutations = false;
};

nlohmann::ordered_json row_of(const ChaosOptions& o, const ChaosResult& r) {
  return {{"servers", o.servers},
          {"seed", o.seed},
          {"kills", r.kills()},
          {"worker_kills", r.worker_kills},
          {"server_kills", r.server_kills},
          {"source_kills", r.source_kills},
          {"pauses", r.pauses},
          {"drops", r.drops},
          {"rows", r.faults.rows},
          {"lost", r.faults.lost},
          {"doubled", r.faults.doubled},
          {"out_of_order", r.faults.out_of_order},
          {"different", r.faults.different},
          {"takeovers", r.takeovers.size()},
          {"takeover_p50_s", quantile(r.takeovers, 0.5)},
          {"takeover_max_s", quantile(r.takeovers, 1)},
          {"mutation", o.mutation}};
}

// true: it is as it should be, clean without a mutation and not clean with one
bool check_once(const CheckOptions& options, const ChaosOptions& chaos) {
  const ChaosResult result = Chaos(chaos).run();
  const auto row = row_of(chaos, result);
  if (options.is_json) {
    fmt::print("{}\n", row.dump());
  } else {
    for (const auto& [key, value] : row.items()) fmt::print("{:<16} {}\n", key, value.dump());
    fmt::print("\n");
  }
  command_line::flush_stdout();
  if (!result.faults.first_difference.empty() && chaos.mutation.empty()) {
    command_line::print_stderr("elastane fleet check: {}\n", command_line::printable(result.faults.first_difference));
  }
  return result.faults.is_clean() == chaos.mutation.empty();
}

void print_script(const CheckOptions& options, const std::string& script, bool is_broken, const LogFaults& faults) {
  if (options.is_json) {
    ChaosOptions shown = options.chaos;
    shown.mutation = is_broken ? script : "";
    nlohmann::ordered_json row = row_of(shown, {.faults = faults});
    row["script"] = script;
    fmt::print("{}\n", row.dump());
  } else {
    fmt::print("{:<8} {:<14} lost {:>3}, doubled {:>3}, out of order {:>3}, different {:>3}: {}\n", script,
               is_broken ? "left out:" : "kept:", faults.lost, faults.doubled, faults.out_of_order, faults.different,
               faults.is_clean() != is_broken ? "as it should be" : "NOT as it should be");
  }
  command_line::flush_stdout();
}

// each rule's script with the whole protocol, which has to be clean, and without the rule, which must not be
bool check_rules(const CheckOptions& options) {
  const auto model = load_forecast_model(options.chaos.model).value();
  std::optional<LocalServers> servers;
  std::string url = options.chaos.url;
  if (url.empty()) {
    servers.emplace(1, free_port(), options.chaos.folder + "/nats");
    url = servers->url();
    (void)connect_patiently({.url = url}, command_line::StopSignals());
  }
  bool is_right = true;
  std::vector<std::string> scripts = serve::rule_names();
  scripts.emplace_back(kCutLogs);
  for (const std::string& script : scripts) {
    for (const bool is_broken : {false, true}) {
      if (script == kCutLogs && is_broken) continue;  // no rule belongs to it
      const LogFaults faults = play_scenario(script, is_broken, url, model);
      print_script(options, script, is_broken, faults);
      is_right = faults.is_clean() != is_broken && is_right;
    }
  }
  return is_right;
}

int check(CheckOptions options) {
  const bool is_temporary = options.chaos.folder.empty();
  if (is_temporary) {
    std::string name = (std::filesystem::temp_directory_path() / "elastane_check_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("[fleet] cannot make a folder for the check");
    options.chaos.folder = name;
  }
  const bool is_right = options.mutations ? check_rules(options) : check_once(options, options.chaos);
  if (is_temporary && is_right && !options.keeps) std::filesystem::remove_all(options.chaos.folder);
  if (!is_right) command_line::print_stderr("elastane fleet check: failed; see {}\n", options.chaos.folder);
  return is_right ? 0 : 1;
}

struct StartOptions {
  std::string model, input, folder = "elastane-fleet";
  int workers = 3, partitions = 6, port = 8080;
  double rate = 200;
  LearningOptions learning;
};

std::string last_line(const std::string& path) {
  std::ifstream file(path);
  std::string line, last;
  while (std::getline(file, line)) last = line;
  return last.empty() ? "nothing was printed" : last;
}

// a part of a fleet on this machine
struct Part {
  std::string name, log;
  Process process;
  bool is_over = false;
};

// Says once what became of a part that ended; throws where nothing works without it.
void look_after(Part& part) {
  if (part.is_over || part.process.is_running()) return;
  part.is_over = true;
  const int code = part.process.code();
  if (part.name == "source" && code == 0) {
    fmt::print("all rows were fed; the fleet stays, to look at\n");
    command_line::flush_stdout();
    return;
  }
  const std::string what = fmt::format("{} ended with exit code {}: {}", part.name, code, last_line(part.log));
  if (!part.name.starts_with("worker")) throw std::runtime_error("[fleet] " + what);
  command_line::print_stderr("elastane fleet: {}; the other workers take its partitions\n", what);
}

// a broker, workers, a front and a source on loopback, until Ctrl-C
int start(const StartOptions& o) {
  const command_line::StopSignals stop;
  std::filesystem::create_directories(o.folder);
  LocalServers servers(1, free_port(), o.folder + "/nats");
  const auto broker = connect_patiently({.url = servers.url()}, stop);
  if (broker == nullptr) return 128 + stop.caught();
  serve::FleetNames("elastane").make(*broker, {.partitions = o.partitions}).value();
  std::vector<Part> parts;
  const auto add = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> command{own_program()};
    command.insert(command.end(), more.begin(), more.end());
    command.insert(command.end(), {"--nats", servers.url(), "--model", o.model});
    const std::string log = o.folder + "/" + name + ".log";
    std::filesystem::remove(log);
    parts.push_back({.name = name, .log = log, .process = Process(command, log)});
  };
  for (int i = 0; i < o.workers; ++i) {
    const std::string name = fmt::format("worker-{}", i);
    std::vector<std::string> worker{"serve", "--no-http", "--name", name};
    std::ranges::copy(as_arguments(o.learning), std::back_inserter(worker));
    add(name, worker);
  }
  add("front", {"serve", "--no-worker", "--folder", o.folder + "/front", "--port", std::to_string(o.port)});
  if (!o.input.empty()) add("source", {"feed", o.input, "--rate", fmt::format("{}", o.rate)});
  fmt::print("studio: http://127.0.0.1:{}/studio\nNATS: {}\nlogs: {}\nCtrl-C stops everything.\n", o.port,
             servers.url(), o.folder);
  command_line::flush_stdout();
  while (stop.caught() == 0) {
    pollfd wait{stop.descriptor(), POLLIN, 0};
    ::poll(&wait, 1, 500);
    for (Part& each : parts) look_after(each);
  }
  for (auto each = parts.rbegin(); each != parts.rend(); ++each) each->process.stop(5);
  servers.stop();
  return 0;
}

void add_start(command_line::Command& fleet) {
  auto options = std::make_shared<StartOptions>();
  command_line::Command& verb =
      fleet.command("start", "Start a fleet on this machine: a broker, workers, a front, a source");
  verb.option("--model", options->model, "forecaster, made by elastane train series").required().type("FILE");
  verb.option("--input", options->input, "rows to feed, with a column unique_id").type("FILE").hide_default();
  verb.option("--rate", options->rate, "rows per second").above(0);
  verb.option("--workers", options->workers, "workers to start").range(1, 64);
  verb.option("--partitions", options->partitions, "parts of the streams").range(1, 64);
  verb.option("--port", options->port, "of the front").range(1, 65535);
  verb.option("--folder", options->folder, "for logs and the broker's data").type("DIR");
  add_learning_options(verb, options->learning);
  verb.footer(
      "Example:\n  elastane fleet start --model load.safetensors --input load.csv --rate 500\n\n"
      "It listens on loopback only. ./dev fleet does the same with sample data.");
  verb.action([options] { return start(*options); });
}

void add_make(command_line::Command& fleet) {
  auto options = std::make_shared<MakeOptions>();
  command_line::Command& verb = fleet.command("make", "Make the logs of a fleet, if they are not there");
  add_broker_options(verb, options->broker);
  verb.option("--partitions", options->settings.partitions, "parts of the streams; they cannot be changed later")
      .range(1, 4096);
  verb.option("--replicas", options->settings.replicas, "copies of each log, for availability; docs/howto/fleet.md")
      .range(1, 5);
  verb.option("--keep-days", options->keep_days, "age at which rows and forecasts are removed").above(0);
  verb.option("--rows-of", options->settings.rows_of,
              "another fleet whose rows it forecasts, with another model: to change models without a gap")
      .type("FLEET");
  verb.footer(
      "Examples:\n  elastane fleet make --nats nats://127.0.0.1:4222 --partitions 16\n"
      "  elastane fleet make --nats nats://127.0.0.1:4222 --fleet green --rows-of elastane");
  verb.action([options] { return make(*options); });
}

void add_check(command_line::Command& fleet) {
  auto options = std::make_shared<CheckOptions>();
  ChaosOptions& o = options->chaos;
  command_line::Command& verb =
      fleet.command("check", "Kill parts of a fleet at random and compare what it stored with one run");
  verb.option("--model", o.model, "forecaster, made by elastane train series").required().type("FILE");
  verb.option("--nats", o.url, "your own servers, which are not killed; without it, servers are started here")
      .type("URL")
      .hide_default();
  verb.option("--servers", o.servers, "servers to start: one, or a cluster of three").range(1, 5).excludes("--nats");
  verb.option("--replicas", o.replicas, "copies of each log; 0: one on one server, else three").range(0, 5);
  verb.option("--workers", o.workers, "workers to start").range(1, 64);
  verb.option("--partitions", o.partitions, "parts of the streams").range(1, 64);
  verb.option("--rows", o.rows, "rows to send").at_least(100);
  verb.option("--ids", o.ids, "streams").at_least(1);
  verb.option("--kills", o.kills, "kills of workers, servers and the source").at_least(0);
  verb.option("--interval", o.interval, "seconds between kills, in the mean").above(0);
  verb.flag(
      "--only-workers", o.only_workers,
      "kill one worker at a time and nothing else, when the last one is replaced and back: how long is a take-over?");
  verb.option("--drops", o.drops, "times that acknowledged records are deleted from the logs").range(0, 1000);
  verb.option("--snapshot-rows", o.snapshot_rows, "rows between snapshots").at_least(1);
  verb.option("--seed", o.seed, "of the kills and the rows");
  verb.option("--patience", o.patience, "seconds after the last kill in which everything has to arrive").above(0);
  verb.option("--mutation", o.mutation, "a rule of the protocol to break; the check then has to find faults")
      .one_of(serve::rule_names())
      .hide_default();
  verb.flag("--mutations", options->mutations,
            "each rule in turn, left out in a short script of events that it is there for; takes a minute");
  verb.option("--folder", o.folder, "for rows and logs (default: a temporary one)").type("DIR").hide_default();
  verb.flag("--json", options->is_json, "one line of JSON per run");
  verb.footer(
      "Examples:\n  elastane fleet check --model load.safetensors --kills 100 --rows 100000\n"
      "  elastane fleet check --model load.safetensors --servers 3 --seed 2 --json\n"
      "  elastane fleet check --model load.safetensors --nats nats://broker:4222 --kills 20\n"
      "  elastane fleet check --model load.safetensors --mutations\n\n"
      "Exit code 1 if a forecast is lost, stored twice, out of order, or not the one of a single run. It makes logs of "
      "its\n"
      "own, under another name than those of your fleets, and removes them.");
  verb.action([options] { return check(*options); });
}

}  // namespace

void add_fleet(command_line::Command& program) {
  command_line::Command& fleet = program.command("fleet", "Many workers on NATS JetStream");
  add_make(fleet);
  add_start(fleet);
  add_check(fleet);
}

}  // namespace elastane::app
