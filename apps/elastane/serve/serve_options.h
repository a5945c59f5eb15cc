// The options of `elastane serve`.
#pragma once

#include <cstdint>
#include <string>

#include "apps/elastane/run/learning_options.h"
#include "command_line/options.h"
#include "command_line/stop_signals.h"
#include "elastane/serve/http/server.h"
#include "elastane/serve/local_service.h"
#include "elastane/serve/nats/broker.h"

namespace elastane::app {

struct ServeOptions {
  std::string model, folder = "elastane-serve";
  std::string tokens;  // file; "": none
  LearningOptions learning;
  bool swap = false, quiet = false;
  serve::LocalOptions local;
  serve::ServerOptions server;
  std::uint64_t most_body = 1 << 20, most_rows = 10'000, most_streams = 10'000, log_gb = 64;
  // a fleet
  serve::BrokerOptions broker{.url = ""};  // "": one process
  std::string name;                        // of this worker
  std::string broken_rules;                // for tests
  bool no_http = false, no_worker = false;
};

// tries until it is there; null: a signal came
std::shared_ptr<serve::Broker> connect_patiently(const serve::BrokerOptions& options,
                                                 const command_line::StopSignals& stop);
void add_serve_options(command_line::Command& verb, ServeOptions& options);
void add_broker_options(command_line::Command& verb, serve::BrokerOptions& broker);
void complete(ServeOptions& options);  // fills in what follows from the options; throws if they do not fit together

}  // namespace elastane::app
