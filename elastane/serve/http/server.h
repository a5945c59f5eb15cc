// HTTP on one thread: sockets, deadlines, limits, TLS, event streams. What is answered is the business of Api.
//
// Boost.Beast is included by server.cpp alone: it takes a compiler half a minute.
#pragma once

#include <memory>
#include <string>

#include "elastane/serve/http/api.h"

namespace elastane::serve {

struct ServerOptions {
  std::string address = "127.0.0.1";
  int port = 8080;               // 0: any that is free
  std::string certificate, key;  // files for TLS; "": none
  std::size_t most_connections = 4096;
  double header_seconds = 5;  // until the head of a request is complete
  double body_seconds = 10;   // until its body is
  double idle_seconds = 60;   // between requests
  double write_seconds = 10;  // until a reader has taken an answer or an event
};

class Server {
 public:
  // listens; fails if the address cannot be had or the certificate not be read
  static Result<std::unique_ptr<Server>> open(Service& service, ApiOptions api, const ServerOptions& options);
  ~Server();

  int port() const;
  // Serves until `stop` is called, from any thread or a signal's handler; the caller's thread is the one thread.
  void run();
  void stop();

 private:
  struct Parts;
  explicit Server(std::shared_ptr<Parts> parts);
  std::shared_ptr<Parts> parts_;
};

}  // namespace elastane::serve
