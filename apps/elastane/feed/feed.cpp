// elastane feed: the rows of a file or of standard input into a server, once each, whatever happens in between.
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "apps/elastane/feed/http_client.h"
#include "apps/elastane/feed/row_source.h"
#include "apps/elastane/serve/serve_options.h"
#include "apps/elastane/verbs.h"
#include "command_line/messages.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/io/number_text.h"
#include "elastane/serve/nats/fleet_source.h"
#include "elastane/serve/stream_id.h"

namespace elastane::app {
namespace {

constexpr const char* kFeedExamples =
    "Examples:\n"
    "  elastane feed load.csv --id north\n"
    "  elastane feed sensors.csv --server https://forecasts.example --token-file token\n"
    "  mosquitto_sub -t plant/# | elastane feed - --id plant --spool plant.spool\n\n"
    "Rows are numbered within their stream, and the server drops what it has: the same command again continues where "
    "it\n"
    "was. Lines of standard input are kept in the spool before they are sent, so that nothing is lost if this program "
    "or\n"
    "the server ends. If the server is busy or away, it is asked again until it answers.";

struct FeedOptions {
  ServerAddress server;
  RowSourceOptions source;
  serve::BrokerOptions broker{.url = ""};
  std::string broken_rules, model;
  double rate = 0;  // rows per second; 0: as fast as it goes
  std::uint64_t batch = 256;
  bool prints = false, quiet = false;
};

// a row as a line of JSON, exact when read back
void append_row(const serve::RowBatch& row, const std::vector<std::string>& channels, std::string& text) {
  text += '{';
  if (!std::isnan(row.times[0])) {
    text += "\"time\":" + (row.has_dates ? '"' + date_text(row.times[0]) + '"' : number_text(row.times[0])) + ",";
  }
  for (std::size_t i = 0; i < channels.size(); ++i) {
    text += (i > 0 ? "," : "") + nlohmann::json(channels[i]).dump() + ":" +
            (std::isfinite(row.values[i]) ? number_text(row.values[i]) : "null");
  }
  text += "}\n";
}

class Feed {
 public:
  explicit Feed(FeedOptions options) : options_(std::move(options)), client_(options_.server, stop_) {
    const auto model = ask("GET", "/v1/models");
    options_.source.channels = nlohmann::json::parse(model.body).at("channels").get<std::vector<std::string>>();
  }

  int operator()() {
    RowSource source(options_.source, stop_);
    serve::RowBatch row;
    std::uint64_t waiting = 0;
    while (stop_.caught() == 0 && source.next(row)) {
      Stream& stream = stream_of(row.id);
      if (row.first <= stream.last) {
        skipped_ += 1;
        continue;
      }
      if (stream.text.empty()) stream.first = row.first;
      append_row(row, options_.source.channels, stream.text);
      stream.last = row.first;
      if (++waiting < options_.batch && options_.source.input != "-") continue;
      send_all(source);
      waiting = 0;
    }
    send_all(source);
    if (!options_.quiet)
      command_line::print_stderr("elastane feed: {} rows sent, {} were there already\n", sent_, skipped_);
    return stop_.caught() == 0 ? 0 : 128 + stop_.caught();
  }

 private:
  struct Stream {
    std::uint64_t first = 0, last = 0;  // of the rows that wait; the last one that the server has or gets
    std::string text;
  };

  Stream& stream_of(const std::string& id) {
    const auto [at, is_new] = streams_.try_emplace(id);
    if (is_new) {
      const auto last = ask("GET", "/v1/streams/" + serve::percent_encoded(id) + "/forecast");
      if (last.status == 200) at->second.last = nlohmann::json::parse(last.body).at("row").get<std::uint64_t>();
    }
    return at->second;
  }

  void send_all(RowSource& source) {
    source.sync();
    for (auto& [id, stream] : streams_) {
      if (stream.text.empty() || stop_.caught() != 0) continue;
      const auto answer = ask("POST", "/v1/streams/" + serve::percent_encoded(id) + "/rows", stream.text,
                              {"Content-Type: application/x-ndjson", "Elastane-Row: " + std::to_string(stream.first)});
      if (stop_.caught() != 0 && answer.status != 200) return;
      if (answer.status != 200) {
        throw std::runtime_error(
            fmt::format("[feed] {}: the server refused rows from {} on: {}", id, stream.first, answer.body));
      }
      if (options_.prints) fmt::print("{}", answer.body);
      sent_ += stream.last - stream.first + 1;
      stream.text.clear();
    }
  }

  // again until there is an answer that says yes or no
  HttpClient::Answer ask(const std::string& method, const std::string& path, const std::string& body = {},
                         const std::vector<std::string>& headers = {}) {
    double pause = 0.1;
    bool is_reported = false;
    while (true) {
      auto answer = client_.ask(method, path, body, headers);
      const bool is_busy = answer.status == 0 || answer.status == 429 || answer.status == 503;
      if (!is_busy || stop_.caught() != 0) return answer;
      if (!std::exchange(is_reported, true) && !options_.quiet) {
        command_line::print_stderr("elastane feed: {}; waiting for it\n",
                                   answer.status == 0 ? answer.error : "the server is busy");
      }
      std::this_thread::sleep_for(std::chrono::duration<double>(std::max(pause, answer.retry_after)));
      pause = std::min(2 * pause, 2.0);
    }
  }

  FeedOptions options_;
  command_line::StopSignals stop_;
  HttpClient client_;
  std::map<std::string, Stream> streams_;
  std::uint64_t sent_ = 0, skipped_ = 0;
};

// straight into a fleet: each row is kept here until its forecast is stored
class FleetFeed {
 public:
  explicit FleetFeed(FeedOptions options) : options_(std::move(options)) {
    options_.source.channels = load_forecast_model(options_.model).value()->names;
  }

  int operator()() {
    const auto broker = connect_patiently(options_.broker, stop_);
    if (broker == nullptr) return 128 + stop_.caught();
    const auto settings = serve::FleetNames(options_.broker.prefix).load(*broker).value();
    const auto print = [&](const serve::ForecastBatch& batch) {
      std::string text;
      for (const auto& each : batch.forecasts) serve::append_line(batch.id, each, 1, text);
      if (options_.prints) fmt::print("{}", text);
    };
    source_ = serve::FleetSource::open(broker, settings,
                                       {.rules = serve::parse_broken_rules(options_.broken_rules).value()}, print)
                  .value();
    RowSource rows(options_.source, stop_);
    serve::RowBatch row;
    std::uint64_t added = 0;
    const auto start = std::chrono::steady_clock::now();
    while (stop_.caught() == 0 && rows.next(row)) {
      // rows that are stored are added as well: a worker that lost one asks for it
      if (row.first <= last_stored(row.id)) skipped_ += 1;
      source_->add(row, row.first <= last_stored(row.id));
      added += 1;
      if (added % 64 == 0 || options_.source.input == "-") rows.sync();
      // a step for every row would be slow; rows wait together
      if (added % 16 == 0) work_until_room(start, added);
    }
    rows.sync();
    bool is_verified = false;
    while (stop_.caught() == 0 && !is_verified) {
      while (stop_.caught() == 0 && source_->unconfirmed() > 0) (void)source_->work(20);
      is_verified = static_cast<bool>(source_->verify()) && source_->unconfirmed() == 0;
    }
    if (!options_.quiet) {
      command_line::print_stderr("elastane feed: {} rows, {} of them were there already; went back {} times\n", added,
                                 skipped_, source_->went_back());
    }
    return stop_.caught() == 0 ? 0 : 128 + stop_.caught();
  }

 private:
  std::uint64_t last_stored(const std::string& id) {
    const auto at = stored_.find(id);
    if (at != stored_.end()) return at->second;
    while (stop_.caught() == 0) {
      const auto last = source_->last_stored(id);
      if (last) return stored_[id] = *last;
      (void)source_->work(100);
    }
    return 0;
  }

  void work_until_room(std::chrono::steady_clock::time_point start, std::uint64_t added) {
    constexpr std::uint64_t kMostWaiting = 20'000;
    do {
      (void)source_->work(0);
      const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start;
      const bool is_early = options_.rate > 0 && static_cast<double>(added) > since.count() * options_.rate;
      if (!is_early && source_->unconfirmed() < kMostWaiting) return;
      (void)source_->work(5);
    } while (stop_.caught() == 0);
  }

  FeedOptions options_;
  command_line::StopSignals stop_;
  std::unique_ptr<serve::FleetSource> source_;
  std::map<std::string, std::uint64_t> stored_;
  std::uint64_t skipped_ = 0;
};

}  // namespace

void add_feed(command_line::Command& program) {
  auto options = std::make_shared<FeedOptions>();
  command_line::Command& verb = program.command("feed", "Send rows to a server, once each");
  verb.option("input", options->source.input, "rows as CSV or JSON lines; -: standard input").type("FILE");
  verb.option("--id", options->source.id, "name of the stream, if rows have no column unique_id");
  add_server_address(verb, options->server);
  verb.option("--spool", options->source.spool, "keeps the lines of standard input until they are sent").type("FILE");
  verb.option("--batch", options->batch, "rows to send at a time").range(1, 10'000);
  add_broker_options(verb, options->broker);
  verb.option("--model", options->model, "forecaster, for the names of its channels").type("FILE").needs("--nats");
  verb.option("--rate", options->rate, "rows per second (default: as fast as it goes)")
      .above(0)
      .needs("--nats")
      .hide_default();
  verb.option("--broken-rules", options->broken_rules, "rules of the protocol to break, for elastane fleet check")
      .needs("--nats");
  verb.flag("--forecasts", options->prints, "print the forecasts");
  verb.flag("--quiet", options->quiet, "print nothing but errors");
  verb.footer(kFeedExamples);
  verb.action([options] { return options->broker.url.empty() ? Feed(*options)() : FleetFeed(*options)(); });
}

}  // namespace elastane::app
