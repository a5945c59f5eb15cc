#include "apps/elastane/serve/serve_options.h"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "apps/elastane/verbs.h"

namespace elastane::app {
namespace {

constexpr const char* kServeExamples =
    "Examples:\n"
    "  elastane serve --model load.safetensors\n"
    "  curl -d '{\"load\": 812.5}' -H 'Content-Type: application/json' localhost:8080/v1/streams/north/rows\n"
    "  elastane feed load.csv --server http://localhost:8080\n"
    "  elastane watch north --server http://localhost:8080\n\n"
    "Rows are written to a log in the folder and synced before they are answered. After a crash the same command\n"
    "continues without loss: forecasts that were stored are recomputed from the rows and compared, and a difference\n"
    "stops the start. See docs/howto/serve.md: resources, tokens, TLS, sizing, and what is promised.";

bool is_loopback(const std::string& address) { return address == "127.0.0.1" || address == "::1"; }

}  // namespace

void add_serve_options(command_line::Command& verb, ServeOptions& o) {
  verb.option("--model", o.model, "forecaster, made by elastane train series").required().type("FILE");
  verb.option("--folder", o.folder, "where rows, forecasts and snapshots are kept").type("DIR");
  verb.option("--address", o.server.address, "address to listen at; others than loopback need --tokens");
  verb.option("--port", o.server.port, "port to listen at; 0: any").range(0, 65535);
  verb.option("--tokens", o.tokens, "bearer tokens and their scopes").type("FILE");
  verb.option("--tls-certificate", o.server.certificate, "certificate chain (PEM); turns TLS on")
      .type("FILE")
      .needs("--tls-key");
  verb.option("--tls-key", o.server.key, "its private key (PEM)").type("FILE").needs("--tls-certificate");
  verb.option("--partitions", o.local.partitions, "logs and threads of a new folder").range(1, 256);
  verb.option("--late", o.local.partition.session.late, "accept rows that arrive up to N ticks late").range(0, 100'000);
  add_learning_options(verb, o.learning);
  verb.option("--budget-macs", o.local.partition.session.macs, "multiply-adds per row for learning; 0: no limit")
      .at_least(0);
  verb.option("--most-streams", o.most_streams, "maximum number of streams; rows of further ones are refused")
      .at_least(1);
  verb.option("--most-rows", o.most_rows, "maximum number of rows in a request").at_least(1);
  verb.option("--most-body", o.most_body, "maximum size of a request with rows, in bytes").at_least(1024);
  verb.option("--most-connections", o.server.most_connections, "maximum number of connections").at_least(1);
  verb.option("--queue", o.local.partition.queue, "requests that may wait per partition; further ones get 429")
      .at_least(1);
  verb.option("--snapshot-rows", o.local.partition.snapshot_rows, "rows between snapshots, per partition").at_least(1);
  verb.option("--log-gb", o.log_gb, "maximum size of the logs of rows; then rows are refused").at_least(1);
  verb.flag("--swap-model", o.swap, "if the folder has another model, swap it for this one once it is ready");
  add_broker_options(verb, o.broker);
  verb.option("--name", o.name, "of this worker of the fleet (default: host and process)")
      .needs("--nats")
      .hide_default();
  verb.flag("--no-http", o.no_http, "only work for the fleet; do not listen").needs("--nats");
  verb.flag("--no-worker", o.no_worker, "only listen; leave the work to others").needs("--nats");
  verb.option("--broken-rules", o.broken_rules,
              "rules of the protocol to break, to see that elastane fleet check notices")
      .needs("--nats");
  verb.flag("--quiet", o.quiet, "print nothing but errors");
  verb.footer(kServeExamples);
}

void add_broker_options(command_line::Command& verb, serve::BrokerOptions& broker) {
  verb.option("--nats", broker.url, "servers of NATS, with commas between them: join the fleet there").type("URL");
  verb.option("--fleet", broker.prefix, "name of the fleet, before all its subjects").needs("--nats");
  verb.option("--nats-credentials", broker.credentials, "credentials for NATS").type("FILE").needs("--nats");
  verb.option("--nats-ca", broker.certificate, "certificate of the authority that signed the servers' (PEM)")
      .type("FILE")
      .needs("--nats");
}

void complete(ServeOptions& o) {
  serve::SessionOptions& s = o.local.partition.session;
  set_learning(o.learning, s.forecaster);
  s.forecaster.isa = asked_isa();
  s.most_streams = o.most_streams;
  o.local.folder = o.folder;
  o.local.most_log_bytes = o.log_gb << 30;
  if (o.tokens.empty() && !is_loopback(o.server.address)) {
    throw std::runtime_error("[serve] --address " + o.server.address +
                             ": expected --tokens FILE, because others can reach this address");
  }
}

}  // namespace elastane::app
