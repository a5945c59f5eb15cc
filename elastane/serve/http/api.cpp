#include "elastane/serve/http/api.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <ranges>

#include "elastane/serve/http/openapi.h"
#include "elastane/serve/row_text.h"

namespace elastane::serve {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kMostModel = 64 << 20, kMostSnapshot = 32 << 20;
constexpr std::uint64_t kPage = 1000;  // items of a page at most

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

HttpReply json_reply(const Json& json, int status = 200) { return {.status = status, .body = dumped(json) + "\n"}; }

// a number of the query, or what it is if it is left out; none: not a number
std::optional<std::uint64_t> number_in(const Target& target, const std::string& key, std::uint64_t otherwise) {
  const auto at = target.query.find(key);
  return at == target.query.end() ? otherwise : parse_whole(at->second);
}

Json shown(const StreamActivity& s, bool has_map) {
  Json json = {{"id", s.id},         {"rows", s.rows},          {"depth", s.depth}, {"accepted", s.accepted},
               {"micros", s.micros}, {"recent", s.recent_rows}, {"drift", s.drift}};
  if (has_map) {
    json["map"] = s.map;
    json["row_map"] = s.row_map;
  }
  return json;
}

std::string lines_of(const std::string& id, const std::vector<ForecastRecord>& forecasts, std::size_t targets) {
  std::string text;
  for (const ForecastRecord& each : forecasts) append_line(id, each, targets, text);
  return text;
}

// http://HOST and https://HOST are the same site as the Host header
bool is_same_site(const std::string& origin, const std::string& host) {
  return origin.empty() || origin == "http://" + host || origin == "https://" + host;
}

// a name that only this machine can have; a page of another site cannot make a browser send it
bool is_loopback_host(std::string_view host) {
  const auto begins = [&](std::string_view name) {
    return host == name || (host.starts_with(name) && host[name.size()] == ':');
  };
  return begins("localhost") || begins("127.0.0.1") || begins("[::1]");
}

}  // namespace

HttpReply problem(int status, const std::string& title, const std::string& detail) {
  Json json = {{"title", title}, {"status", status}};
  if (!detail.empty()) json["detail"] = detail;
  return {.status = status, .type = "application/problem+json", .body = dumped(json) + "\n"};
}

HttpReply Api::refuse(Refusal why, int status, const std::string& title, const std::string& detail) {
  service_.figures().refuse(why);
  HttpReply reply = problem(status, title, detail);
  if (status == 429 || status == 503) reply.headers.emplace_back("Retry-After", "1");
  if (status == 401) reply.headers.emplace_back("WWW-Authenticate", "Bearer");
  return reply;
}

std::size_t Api::body_limit(const std::string& method, const std::string& target) const {
  if (method == "PUT" && target.starts_with("/v1/models/")) return kMostModel;
  if (method == "PUT") return kMostSnapshot;
  return options_.most_body;
}

void Api::handle(const HttpRequest& request, const Done& done) {
  const auto target = parse_target(request.target);
  if (!target) return done(refuse(Refusal::malformed, 400, "The path is malformed"));
  if (auto page = fixed_page(request, *target)) return done(*std::move(page));
  if (auto refused = refuse_access(request, *target)) return done(*std::move(refused));
  const auto& path = target->path;
  const bool gets = request.method == "GET";
  if (gets && request.target == "/metrics") {
    return done({.type = "text/plain; version=0.0.4", .body = service_.figures().text()});
  }
  if (path.size() >= 2 && path[0] == "v1") {
    if (path[1] == "streams") return handle_streams(request, *target, done);
    if (path[1] == "models") return handle_models(request, *target, done);
    if (gets && path.size() == 2 && path[1] == "fleet") return done(fleet());
  }
  done(refuse(Refusal::not_found, 404, "There is no such resource"));
}

// what needs no token: health, the description, the studio's page
std::optional<HttpReply> Api::fixed_page(const HttpRequest& request, const Target& target) {
  if (request.method != "GET" && request.method != "HEAD") return {};
  if (target.path.size() == 1 && target.path[0] == "healthz") return json_reply({{"status", "ok"}});
  if (target.path.size() == 1 && target.path[0] == "readyz") {
    return service_.is_ready() ? json_reply({{"status", "ready"}}) : refuse(Refusal::overloaded, 503, "Not ready");
  }
  if (target.path.size() == 1 && target.path[0] == "openapi.json") return HttpReply{.body = kOpenApi};
  if (options_.pages && !target.path.empty()) return options_.pages("/" + target.path[0]);
  return {};
}

std::optional<HttpReply> Api::refuse_access(const HttpRequest& request, const Target& target) {
  if (!is_same_site(request.origin, request.host)) {
    return refuse(Refusal::forbidden, 403, "Requests from pages of other sites are refused");
  }
  if (!options_.tokens) {
    if (is_loopback_host(request.host)) return {};
    return refuse(Refusal::forbidden, 403, "Without tokens only requests to localhost are accepted");
  }
  const bool is_admin = request.method == "DELETE" || request.method == "PUT";
  const bool writes = request.method == "POST";
  const Scope scope = is_admin ? Scope::admin : writes ? Scope::write : Scope::read;
  switch (options_.tokens->check(request.authorization, scope)) {
    case Tokens::Answer::allowed: return {};
    case Tokens::Answer::unknown: return refuse(Refusal::unauthorized, 401, "A valid bearer token is needed");
    case Tokens::Answer::lacks_scope: break;
  }
  (void)target;
  return refuse(Refusal::forbidden, 403, "The token does not allow this");
}

// --- streams

void Api::handle_streams(const HttpRequest& request, const Target& target, const Done& done) {
  if (target.path.size() > 2) return handle_stream(request, target, done);
  if (request.method != "GET") return done(refuse(Refusal::malformed, 405, "Expected GET"));
  const auto limit = number_in(target, "limit", 100);
  if (!limit || *limit == 0 || *limit > 10 * kPage) {
    return done(refuse(Refusal::malformed, 400, "limit: expected a number from 1 to 10000"));
  }
  const auto order = target.query.find("order");
  const bool by_compute = order != target.query.end() && order->second == "compute";
  const auto after = target.query.find("after");
  const auto page = by_compute ? service_.most_active(*limit)
                               : service_.streams(after == target.query.end() ? "" : after->second, *limit);
  const bool has_map = target.query.contains("map");
  Json json = {{"count", service_.stream_count()}, {"streams", Json::array()}};
  if (has_map) json["slot_seconds"] = Activity::kSlotSeconds;
  for (const StreamActivity& each : page) json["streams"].push_back(shown(each, has_map));
  if (!by_compute && page.size() == *limit) json["next"] = page.back().id;
  done(json_reply(json));
}

void Api::handle_stream(const HttpRequest& request, const Target& target, const Done& done) {
  const std::string& id = target.path[2];
  const std::string what = target.path.size() > 3 ? target.path[3] : "";
  const std::string& method = request.method;
  if (target.path.size() > 4) return done(refuse(Refusal::not_found, 404, "There is no such resource"));
  if (what == "rows" && method == "POST") return post_rows(request, target, done);
  if (what == "rows" && method == "GET") return get_rows(target, done);
  if ((what == "forecast" || what == "forecasts") && method == "GET") return get_forecasts(target, done);
  if (what == "events" && method == "GET") return get_events(request, id, done);
  if (what == "snapshot" && (method == "GET" || method == "PUT")) return snapshot(request, id, done);
  if (what.empty() && method == "DELETE") {
    const auto answer = [done](const Status& erased) {
      done(erased ? HttpReply{.status = 204} : problem(404, "The stream is not known"));
    };
    if (service_.erase(id, answer)) return;
    return done(refuse(Refusal::overloaded, 429, "Too many requests wait"));
  }
  const bool is_known = what.empty() || what == "rows" || what == "forecast" || what == "forecasts" ||
                        what == "events" || what == "snapshot";
  if (is_known) return done(refuse(Refusal::malformed, 405, "The resource does not have this method"));
  done(refuse(Refusal::not_found, 404, "There is no such resource"));
}

void Api::post_rows(const HttpRequest& request, const Target& target, const Done& done) {
  const auto started = std::chrono::steady_clock::now();
  const std::string& id = target.path[2];
  const std::string type = request.content_type.substr(0, request.content_type.find(';'));
  const bool is_csv = type == "text/csv";
  if (!is_csv && !type.empty() && type != "application/json" && type != "application/x-ndjson" &&
      type != "application/jsonl") {
    return done(refuse(Refusal::malformed, 415, "Expected text/csv, application/json or application/x-ndjson"));
  }
  std::uint64_t first = 0;
  if (!request.first_row.empty()) {
    const auto number = parse_whole(request.first_row);
    if (!number || *number == 0) return done(refuse(Refusal::malformed, 400, "Elastane-Row: expected a number from 1"));
    first = *number;
  }
  const ServiceInfo info = service_.info();
  auto rows =
      parse_row_text(info.channels, id, is_csv ? RowFormat::csv : RowFormat::jsonl, request.body, options_.most_rows);
  if (!rows) return done(refuse(Refusal::malformed, 422, "The rows cannot be read", rows.error()));
  rows->first = first;
  FeedRequest feed{.rows = *std::move(rows),
                   .waits_for_disk = request.prefer.find("respond-async") != std::string::npos};
  Figures* figures = &service_.figures();
  feed.done = [done, id, figures, started, targets = info.targets](const FeedReply& reply) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    figures->end_to_end.add(took.count());
    const std::pair<std::string, std::string> last{"Elastane-Last-Row", std::to_string(reply.last)};
    switch (reply.kind) {
      case FeedReply::Kind::stored:
        return done(
            {.status = 202, .body = dumped({{"first", reply.first}, {"last", reply.last}}) + "\n", .headers = {last}});
      case FeedReply::Kind::forecast:
        return done(
            {.type = "application/x-ndjson", .body = lines_of(id, reply.forecasts, targets), .headers = {last}});
      case FeedReply::Kind::gap: {
        HttpReply gap = problem(409, "Rows are missing", "expected row " + std::to_string(reply.last + 1));
        gap.headers.push_back(last);
        return done(gap);
      }
      case FeedReply::Kind::full: return done(problem(403, "There are too many streams"));
      case FeedReply::Kind::failed: {
        HttpReply failed = problem(503, "The rows could not be stored", reply.error);
        failed.headers.emplace_back("Retry-After", "1");
        return done(failed);
      }
    }
  };
  if (!service_.feed(std::move(feed))) done(refuse(Refusal::overloaded, 429, "Too many requests wait"));
}

void Api::get_forecasts(const Target& target, const Done& done) {
  const std::string& id = target.path[2];
  const bool is_last = target.path[3] == "forecast";
  const auto from = is_last ? std::optional<std::uint64_t>(0) : number_in(target, "from", 1);
  const auto limit = is_last ? std::optional<std::uint64_t>(1) : number_in(target, "limit", 100);
  if (!from || !limit || *limit > kPage || (!is_last && *from == 0)) {
    return done(refuse(Refusal::malformed, 400, "from, limit: expected numbers from 1; at most 1000 forecasts"));
  }
  const auto answer = [done, id, is_last,
                       targets = service_.info().targets](const Result<std::vector<ForecastRecord>>& found) {
    if (!found) return done(problem(500, "The forecasts cannot be read", found.error()));
    if (is_last && found->empty()) return done(problem(404, "The stream is not known"));
    done({.type = is_last ? "application/json" : "application/x-ndjson", .body = lines_of(id, *found, targets)});
  };
  if (!service_.read(id, *from, *limit, answer)) done(refuse(Refusal::overloaded, 429, "Too many requests wait"));
}

void Api::get_rows(const Target& target, const Done& done) {
  const auto from = number_in(target, "from", 1), limit = number_in(target, "limit", 100);
  if (!from || !limit || *limit > kPage || *from == 0) {
    return done(refuse(Refusal::malformed, 400, "from, limit: expected numbers from 1; at most 1000 rows"));
  }
  const auto answer = [done](const Result<RowBatch>& found) {
    if (!found) return done(problem(500, "The rows cannot be read", found.error()));
    std::string text;
    for (std::size_t i = 0; i < found->rows(); ++i) {
      Json line = {{"row", found->first + i}, {"values", found->row(i)}};  // what is missing is null
      if (!std::isnan(found->times[i])) line["time"] = found->times[i];
      text += dumped(line) + "\n";
    }
    done({.type = "application/x-ndjson", .body = std::move(text)});
  };
  if (!service_.read_rows(target.path[2], *from, *limit, answer))
    done(refuse(Refusal::overloaded, 429, "Too many requests wait"));
}

void Api::get_events(const HttpRequest& request, const std::string& id, const Done& done) {
  const auto after =
      request.last_event_id.empty() ? std::optional<std::uint64_t>(0) : parse_whole(request.last_event_id);
  if (!after) return done(refuse(Refusal::malformed, 400, "Last-Event-ID: expected the number of a row"));
  const bool resumes = !request.last_event_id.empty();
  const auto answer = [done, id, after, resumes](const Result<std::vector<ForecastRecord>>& last) {
    const std::uint64_t now = last && !last->empty() ? last->back().number : 0;
    done({.type = "text/event-stream", .events = HttpReply::Events{id, resumes ? std::min(*after, now) : now, now}});
  };
  if (!service_.read(id, 0, 1, answer)) done(refuse(Refusal::overloaded, 429, "Too many requests wait"));
}

void Api::snapshot(const HttpRequest& request, const std::string& id, const Done& done) {
  bool is_taken = false;
  if (request.method == "GET") {
    is_taken = service_.snapshot(id, [done](const Result<std::optional<std::vector<std::byte>>>& found) {
      if (!found) return done(problem(500, "The snapshot cannot be made", found.error()));
      if (!*found) return done(problem(404, "The stream is not known"));
      const auto& bytes = **found;
      done({.type = "application/octet-stream", .body = {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
    });
  } else {
    const auto bytes = std::as_bytes(std::span(request.body));
    is_taken = service_.restore(id, {bytes.begin(), bytes.end()}, [done](const Status& restored) {
      done(restored ? HttpReply{.status = 204} : problem(422, "The snapshot does not fit", restored.error()));
    });
  }
  if (!is_taken) done(refuse(Refusal::overloaded, 429, "Too many requests wait"));
}

// --- the whole

void Api::handle_models(const HttpRequest& request, const Target& target, const Done& done) {
  const ServiceInfo info = service_.info();
  if (request.method == "GET" && target.path.size() == 2) {
    return done(json_reply(
        {{"current", info.model}, {"channels", info.channels}, {"targets", info.targets}, {"horizon", info.horizon}}));
  }
  if (request.method != "PUT" || target.path.size() != 3 || target.path[2] != "current") {
    return done(refuse(Refusal::malformed, 405, "Expected GET /v1/models or PUT /v1/models/current"));
  }
  const auto bytes = std::as_bytes(std::span(request.body));
  const bool is_taken = service_.swap_model({bytes.begin(), bytes.end()}, [done](const Status& swapped) {
    done(swapped ? HttpReply{.status = 204} : problem(422, "The model was not swapped", swapped.error()));
  });
  if (!is_taken) done(refuse(Refusal::overloaded, 429, "Too many requests wait"));
}

HttpReply Api::fleet() const {
  const Figures& figures = service_.figures();
  const ForecastTotals totals = service_.totals();
  const auto step_times = service_.step_times();
  Json buckets = Json::array();  // all but the empty ones at the end
  const auto used = std::ranges::find_if(step_times | std::views::reverse, [](std::uint64_t n) { return n > 0; });
  for (auto at = step_times.begin(); at != used.base(); ++at) {
    const auto bucket = static_cast<std::size_t>(at - step_times.begin());
    buckets.push_back({{"upto_us", DurationHistogram::upper_end(bucket) * 1e6}, {"rows", *at}});
  }
  Json json = {{"streams", service_.stream_count()},
               {"rows", figures.rows.load()},
               {"forecasts", totals.forecasts},
               {"replayed", figures.replayed.load()},
               {"depth", totals.depth},
               {"accepted", totals.accepted},
               {"step_p50_us", quantile(step_times, 0.5) * 1e6},
               {"step_p99_us", quantile(step_times, 0.99) * 1e6},
               {"step_times", buckets},
               {"end_to_end_p50_us", figures.end_to_end.quantile(0.5) * 1e6},
               {"end_to_end_p99_us", figures.end_to_end.quantile(0.99) * 1e6},
               {"partitions", Json::array()}};
  for (const PartitionStatus& p : service_.partitions()) {
    json["partitions"].push_back({{"number", p.number},
                                  {"owner", p.owner},
                                  {"state", p.state},
                                  {"streams", p.streams},
                                  {"rows", p.rows},
                                  {"lag", p.lag},
                                  {"replayed", p.replayed},
                                  {"takeovers", p.takeovers}});
  }
  return json_reply(json);
}

}  // namespace elastane::serve
