// elastane feed: the rows of a file or of standard input into a server, once each, whatever happens in between.
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "apps/elastane/feed/http_client.h"
#include "apps/elastane/feed/row_source.h"
#include "apps/elastane/verbs.h"
#include "command_line/messages.h"
#include "elastane/io/number_text.h"
#include "elastane/serve/stream_id.h"

namespace elastane::app {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  elastane feed load.csv --id north\n"
    "  elastane feed sensors.csv --server https://forecasts.example --token-file token\n"
    "  mosquitto_sub -t plant/# | elastane feed - --id plant --spool plant.spool\n\n"
    "Rows are numbered within their stream, and the server drops what it has: the same command again continues where it\n"
    "was. Lines of standard input are kept in the spool before they are sent, so that nothing is lost if this program or\n"
    "the server ends. If the server is busy or away, it is asked again until it answers.";

struct FeedOptions {
  ServerAddress server;
  RowSourceOptions source;
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
  explicit Feed(FeedOptions options) : options_(std::move(options)), client_(options_.server) {
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
    if (!options_.quiet) command_line::print_stderr("elastane feed: {} rows sent, {} were there already\n", sent_, skipped_);
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
        throw std::runtime_error(fmt::format("[feed] {}: the server refused rows from {} on: {}", id, stream.first, answer.body));
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

}  // namespace

void add_feed(command_line::Command& program) {
  auto options = std::make_shared<FeedOptions>();
  command_line::Command& verb = program.command("feed", "Send rows to a server, once each");
  verb.option("input", options->source.input, "rows as CSV or JSON lines; -: standard input").type("FILE");
  verb.option("--id", options->source.id, "name of the stream, if rows have no column unique_id");
  add_server_address(verb, options->server);
  verb.option("--spool", options->source.spool, "keeps the lines of standard input until they are sent").type("FILE");
  verb.option("--batch", options->batch, "rows to send at a time").range(1, 10'000);
  verb.flag("--forecasts", options->prints, "print the forecasts");
  verb.flag("--quiet", options->quiet, "print nothing but errors");
  verb.footer(kFooter);
  verb.action([options] { return Feed(*options)(); });
}

}  // namespace elastane::app
