#include "lab/plant/settings.h"

#include <nlohmann/json.hpp>

#include "experiments/plants/settings.h"

namespace elastane::plant {
namespace {

using Json = nlohmann::json;

AdaptationOptions parse_adaptation(const Json& json) {
  return {.spread = json.at("spread"),
          .drift = json.at("drift"),
          .noise = json.at("noise"),
          .latent_spread = json.at("latent_spread"),
          .alarm = json.at("alarm"),
          .sensor_spread = json.at("sensor_spread")};
}

Settings parse(const Json& json) {
  const Json &circuit = json.at("circuit"), &reactor = json.at("reactor"), &generic = json.at("generic");
  Settings settings{.circuit = parse_adaptation(circuit.at("adaptation")),
                    .reactor = parse_adaptation(reactor.at("adaptation")),
                    .reactor_sensors = parse_adaptation(reactor.at("adaptation_of_sensors")),
                    .sweep = {},
                    .reactor_published = reactor.at("published"),
                    .generic = {.noise = generic.at("noise"),
                                .latent_variance = generic.at("latent_variance"),
                                .variance = generic.at("variance"),
                                .drift_variance = generic.at("drift_variance"),
                                .readout_rank = generic.at("readout_rank")}};
  for (const Json& change : circuit.at("sweep")) {
    settings.sweep.push_back(
        {{change.at("resistance"), change.at("inductance"), change.at("capacitance")}, change.at("published")});
  }
  return settings;
}

}  // namespace

const Settings& settings() {
  static const Settings all = parse(Json::parse(experiments::plants::plants_json));
  return all;
}

}  // namespace elastane::plant
