#include "elastane/serve/nats/fleet_names.h"

#include "elastane/io/json.h"

namespace elastane::serve {

Status FleetNames::make(Broker& broker, FleetSettings s) const {
  if (!s.rows_of.empty()) {
    ELASTANE_TRY_ASSIGN(const FleetSettings other, FleetNames(s.rows_of).load(broker));
    if (!other.rows_of.empty()) {
      return Error{"[fleet] the rows of " + s.rows_of + " are those of " + other.rows_of + "; name that one"};
    }
    s.partitions = other.partitions;  // rows are where they are
  }
  for (int p = 0; p < s.partitions; ++p) {
    if (s.rows_of.empty()) {
      ELASTANE_TRY(broker.add_stream({.name = rows_stream(p),
                                      .subjects = {all_rows(p)},
                                      .replicas = s.replicas,
                                      .most_bytes = s.most_bytes,
                                      .most_seconds = s.keep_seconds,
                                      .refuses_when_full = true}));
    }
    ELASTANE_TRY(broker.add_stream({.name = forecasts_stream(p),
                                    .subjects = {all_forecasts(p)},
                                    .replicas = s.replicas,
                                    .most_seconds = s.keep_seconds,
                                    .republish_from = all_forecasts(p),
                                    .republish_to = prefix_ + ".forecasts.{{wildcard(1)}}"}));
    ELASTANE_TRY(broker.add_stream({.name = snapshots_stream(p),
                                    .subjects = {subject("snap", p) + ">"},
                                    .replicas = s.replicas,
                                    .most_per_subject = 1}));
  }
  ELASTANE_TRY(broker.add_stream({.name = settings_stream(), .subjects = {settings()}, .replicas = s.replicas}));
  ELASTANE_TRY_ASSIGN(const auto known, broker.last(settings_stream(), settings()));
  if (known) return {};
  const nlohmann::json json = {
      {"partitions", s.partitions}, {"replicas", s.replicas}, {"keep_seconds", s.keep_seconds}, {"rows_of", s.rows_of}};
  const std::string text = json.dump();
  ELASTANE_TRY(broker.ask(settings(), std::as_bytes(std::span(text)), {}, 5000));
  return {};
}

Result<FleetSettings> FleetNames::load(Broker& broker) const {
  ELASTANE_TRY_ASSIGN(const auto known, broker.last(settings_stream(), settings()));
  if (!known)
    return Error{"[fleet] expected a fleet called " + prefix_ + ", found none; elastane fleet make makes one"};
  const auto json = parse_json({reinterpret_cast<const char*>(known->data.data()), known->data.size()});
  FleetSettings s;
  if (!json || !json->is_object() || !json->contains("partitions") || !json->at("partitions").is_number_integer()) {
    return Error{"[fleet] its settings cannot be read"};
  }
  s.partitions = json->at("partitions").get<int>();
  if (s.partitions < 1 || s.partitions > 4096) return Error{"[fleet] expected 1 to 4096 partitions"};
  if (json->contains("rows_of") && json->at("rows_of").is_string()) s.rows_of = json->at("rows_of").get<std::string>();
  return s;
}

Status FleetNames::remove(Broker& broker) const {
  ELASTANE_TRY_ASSIGN(const FleetSettings s, load(broker));
  for (int p = 0; p < s.partitions; ++p) {
    if (s.rows_of.empty()) ELASTANE_TRY(broker.remove_stream(rows_stream(p)));
    for (const std::string& stream : {forecasts_stream(p), snapshots_stream(p)}) {
      ELASTANE_TRY(broker.remove_stream(stream));
    }
  }
  return broker.remove_stream(settings_stream());
}

}  // namespace elastane::serve
