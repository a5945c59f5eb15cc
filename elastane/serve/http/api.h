// The resources of the service, apart from any socket: a request in, a reply out, at once or later.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "elastane/serve/http/target.h"
#include "elastane/serve/http/tokens.h"
#include "elastane/serve/service.h"

namespace elastane::serve {

struct HttpRequest {
  std::string method, target, body;
  // headers; "" where there is none
  std::string host, origin, authorization, content_type, prefer, last_event_id, first_row;
};

struct HttpReply {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  // not a reply but a stream of events follows: the forecasts of a stream after this row
  struct Events {
    std::string id;
    std::uint64_t after = 0;
    std::uint64_t latest = 0;  // the last row that has a forecast now
  };
  std::optional<Events> events = {};
};

// an error as application/problem+json (RFC 9457)
HttpReply problem(int status, const std::string& title, const std::string& detail = "");

struct ApiOptions {
  std::optional<Tokens> tokens;     // none: every client on loopback may do everything
  std::size_t most_rows = 10'000;   // in one request
  std::size_t most_body = 1 << 20;  // bytes of a request with rows
  // pages by their path, "/studio"
  std::function<std::optional<HttpReply>(const std::string& path)> pages;
};

class Api {
 public:
  Api(Service& service, ApiOptions options) : service_(service), options_(std::move(options)) {}

  using Done = std::function<void(HttpReply)>;
  // Calls `done` once: at once, or later on a thread of the service. Never waits.
  void handle(const HttpRequest& request, const Done& done);
  // bytes that the body of such a request may have, known from its head
  std::size_t body_limit(const std::string& method, const std::string& target) const;

 private:
  void handle_streams(const HttpRequest& request, const Target& target, const Done& done);
  void handle_stream(const HttpRequest& request, const Target& target, const Done& done);
  void handle_models(const HttpRequest& request, const Target& target, const Done& done);
  void post_rows(const HttpRequest& request, const Target& target, const Done& done);
  void get_forecasts(const Target& target, const Done& done);
  void get_rows(const Target& target, const Done& done);
  void get_events(const HttpRequest& request, const std::string& id, const Done& done);
  void snapshot(const HttpRequest& request, const std::string& id, const Done& done);
  std::optional<HttpReply> refuse_access(const HttpRequest& request, const Target& target);
  std::optional<HttpReply> fixed_page(const HttpRequest& request, const Target& target);
  HttpReply refuse(Refusal why, int status, const std::string& title, const std::string& detail = "");
  HttpReply fleet() const;

  Service& service_;
  ApiOptions options_;
};

}  // namespace elastane::serve
