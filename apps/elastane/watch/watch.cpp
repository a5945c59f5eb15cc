// elastane watch: the forecasts of a stream as they are made, one line each.
#include <fmt/core.h>

#include <charconv>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "apps/elastane/feed/http_client.h"
#include "apps/elastane/verbs.h"
#include "apps/elastane/watch/event_text.h"
#include "command_line/messages.h"
#include "command_line/stop_signals.h"
#include "elastane/serve/stream_id.h"

namespace elastane::app {
namespace {

struct WatchOptions {
  ServerAddress server;
  std::string id;
  std::uint64_t from = 0;   // row; 0: only new ones
  std::uint64_t count = 0;  // lines after which to end; 0: none
};

int watch(const WatchOptions& o) {
  const command_line::StopSignals stop;
  HttpClient client(o.server, stop);
  std::uint64_t seen = o.from > 0 ? o.from - 1 : 0, printed = 0;
  bool resumes = o.from > 0;
  while (stop.caught() == 0) {
    EventText events;
    std::vector<std::string> headers;
    if (resumes) headers.push_back("Last-Event-ID: " + std::to_string(seen));
    std::string refusal;
    const auto answer =
        client.listen("/v1/streams/" + serve::percent_encoded(o.id) + "/events", headers, [&](std::string_view piece) {
          if (refusal.size() < 1000) refusal += piece;
          events.add(piece, [&](const EventText::Event& event) {
            if (o.count > 0 && printed == o.count) return;
            fmt::print("{}\n", event.data);
            seen = event.id;
            resumes = true;
            printed += 1;
          });
          return command_line::flush_stdout() && stop.caught() == 0 && (o.count == 0 || printed < o.count);
        });
    if (o.count > 0 && printed >= o.count) return 0;
    if (answer.status >= 400 && answer.status != 429 && answer.status != 503)
      throw std::runtime_error("[watch] " + refusal);
    if (stop.caught() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return 128 + stop.caught();
}

}  // namespace

void add_watch(command_line::Command& program) {
  auto options = std::make_shared<WatchOptions>();
  command_line::Command& verb =
      program.command("watch", "Print the forecasts of a stream of a server as they are made");
  verb.option("id", options->id, "name of the stream").required();
  add_server_address(verb, options->server);
  verb.option("--from", options->from, "begin with this row; without it, with the next one").at_least(1).hide_default();
  verb.option("--count", options->count, "end after so many lines").at_least(1).hide_default();
  verb.footer(
      "Examples:\n  elastane watch town-1\n  elastane watch town-1 --server https://forecasts.example:8443 "
      "--token-file token --from 1000\n\n"
      "If the connection ends, it is opened again and continues after the last line, without a gap.");
  verb.action([options] { return watch(*options); });
}

}  // namespace elastane::app
