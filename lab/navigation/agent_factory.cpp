#include "lab/navigation/agent_factory.h"

#include <stdexcept>
#include <utility>

#include "lab/navigation/belief_agents.h"
#include "lab/navigation/map_agents.h"
#include "lab/navigation/planner_agents.h"
#include "lab/navigation/pretraining.h"

namespace elastane::navigation {
namespace {

int whole(const AgentConfig& config, const std::string& name) { return static_cast<int>(config.at(name)); }

// `depth`, `damping` and `radius` are required; the others have defaults
CorrectorOptions corrector_of(const AgentConfig& config) {
  CorrectorOptions options;
  MetricOptions& metric = options.metric;
  metric.kind = parse_metric(config.metric).value();
  metric.damping = config.at("damping");
  metric.relative = config.at("relative", 1) != 0;
  metric.rank = static_cast<int>(config.at("rank", metric.rank));
  metric.memory = config.at("memory", metric.memory);
  metric.warm_up = static_cast<int>(config.at("warm_up", metric.warm_up));
  options.gate.depth = whole(config, "depth");
  options.trust.radius = config.at("radius");
  options.trust.largest = 8 * options.trust.radius;
  options.trust.horizon = static_cast<int>(config.at("horizon", 1));
  if (config.second_order) options.retraction.kind = Retraction::second_order;
  return options;
}

// Gauss–Newton on a path, as the last stage of an agent
CorrectorOptions path_stage(int depth) {
  CorrectorOptions options;
  options.metric = {.kind = Metric::exact, .damping = 1e-3};
  options.gate.depth = depth;
  options.trust.radius = 2;
  options.trust.largest = 16;
  options.trust.horizon = 1;
  return options;
}

AgentMaker frozen(const AgentConfig& config) {
  const auto policy = config.policy == "transformer" ? &Policies::transformer : &Policies::selective;
  return [policy](const Policies& p) { return std::make_unique<FrozenAgent>(p.*policy); };
}

AgentMaker filter(const AgentConfig& config) {
  const FilterOptions options{config.at("margin"), config.at("pace")};
  return [options](const Policies& p) { return std::make_unique<FilteredAgent>(p.selective, options); };
}

AgentMaker flow(const AgentConfig& config) {
  FlowOptions options{.target = whole(config, "waypoint") - 1};
  options.goal.gain = config.at("gain");
  options.obstacle.scale = config.at("scale");
  return [options](const Policies& p) { return std::make_unique<FlowAgent>(p.selective, options); };
}

AgentMaker sweep(const AgentConfig& config) {
  const planners::IlqrOptions options{.horizon = whole(config, "horizon"), .sweeps = whole(config, "sweeps")};
  const CostWeights weights{.leave = config.at("leave"), .goal = config.at("goal")};
  return [=](const Policies& p) { return std::make_unique<SweepAgent>(p.selective, options, weights); };
}

AgentMaker path(const AgentConfig& config) {
  const CorrectorOptions options = corrector_of(config);
  const CostWeights weights{.leave = config.at("leave")};
  return [=](const Policies& p) { return std::make_unique<PathAgent>(p.selective, options, weights); };
}

AgentMaker latent(const AgentConfig& config) {
  const CorrectorOptions options = corrector_of(config);
  const double fade = config.at("fade");
  const bool fast = config.at("full_speed", 0) != 0;
  const CostWeights weights{.margin = config.at("margin", CostWeights{}.margin)};
  return [=](const Policies& p) { return std::make_unique<LatentAgent>(p.selective, options, weights, fade, fast); };
}

AgentMaker pretrained(const AgentConfig& config) {
  const CorrectorOptions options = corrector_of(config);
  const double fade = config.at("fade");
  return [=](const Policies& p) {
    auto agent = std::make_unique<StaticAgent>(p.selective, options, CostWeights{}, fade);
    pretrain(*agent);
    return agent;
  };
}

AgentMaker latent_and_path(const AgentConfig& config) {
  const CorrectorOptions options = corrector_of(config);
  const double fade = config.at("fade");
  return [=](const Policies& p) {
    return std::make_unique<LatentAndPathAgent>(p.selective, options, fade, path_stage(1), CostWeights{});
  };
}

AgentMaker observer(const AgentConfig& config) {
  const CorrectorOptions options = corrector_of(config);
  const double noise = config.at("noise");
  return [=](const Policies& p) { return std::make_unique<ObserverAgent>(p.selective, options, noise); };
}

AgentMaker persistent(const AgentConfig& config) {
  const PersistentDisturbance prior{
      .drift = config.at("drift"), .noise = config.at("noise"), .latent_spread = config.at("latent_spread")};
  return [prior](const Policies& p) {
    return std::make_unique<PersistentAgent>(p.selective, prior, path_stage(3), CostWeights{});
  };
}

AgentMaker kalman(const AgentConfig& config) {
  const DisturbanceFilter filter{.drift = config.at("drift"), .noise = config.at("noise")};
  return [filter](const Policies& p) {
    return std::make_unique<KalmanAgent>(p.selective, filter, path_stage(3), CostWeights{});
  };
}

MapAgentOptions map_of(const AgentConfig& config) {
  return {.cells = whole(config, "cells"),
          .tolerance = config.at("tolerance", 0.5),
          .room_of_map = config.at("room", 1) != 0,
          .sweeps = {.horizon = 3, .sweeps = 5},
          .weights = {.margin = config.at("margin", 0.02), .leave = config.at("leave", 0.05)},
          .filter = {.margin = config.at("filter", 0), .pace = config.at("pace", 0.5)}};
}

AgentMaker map(const AgentConfig& config) {
  return [options = map_of(config)](const Policies&) { return std::make_unique<MapAgent>(options); };
}

AgentMaker map_latent(const AgentConfig& config) {
  return [options = map_of(config)](const Policies&) { return std::make_unique<MapLatentAgent>(options); };
}

HomeMapOptions home_map_of(const AgentConfig& config) {
  return {.cells = whole(config, "cells"),
          .tolerance = config.at("tolerance", 0.5),
          .when = static_cast<AskMap>(static_cast<int>(config.at("ask_when", 0))),
          .ask_for = static_cast<int>(config.at("ask_for", 40))};
}

PolicyMapOptions policy_map_of(const AgentConfig& config) {
  return {.corrector = corrector_of(config),
          .fade = config.at("fade", 0),
          .weights = {.margin = config.at("margin", CostWeights{}.margin),
                      .leave = config.at("leave", CostWeights{}.leave),
                      .progress = config.at("progress")},
          .full_speed = config.at("full_speed", 1) != 0,
          .map = home_map_of(config)};
}

AgentMaker policy_map(const AgentConfig& config) {
  return [options = policy_map_of(config)](const Policies& p) {
    return std::make_unique<PolicyMapAgent>(p.selective, options);
  };
}

AgentMaker path_map(const AgentConfig& config) {
  return [options = policy_map_of(config)](const Policies& p) {
    return std::make_unique<PathMapAgent>(p.selective, options);
  };
}

AgentMaker sweep_map(const AgentConfig& config) {
  const SweepMapOptions options{.sweeps = {.horizon = whole(config, "horizon"), .sweeps = whole(config, "sweeps")},
                                .weights = {.margin = config.at("margin", CostWeights{}.margin),
                                            .leave = config.at("leave"),
                                            .progress = config.at("progress")},
                                .map = home_map_of(config)};
  return [options](const Policies& p) { return std::make_unique<SweepMapAgent>(p.selective, options); };
}

constexpr std::pair<const char*, AgentMaker (*)(const AgentConfig&)> kKinds[] = {
    {"frozen", frozen},
    {"filter", filter},
    {"flow", flow},
    {"sweep", sweep},
    {"path", path},
    {"latent", latent},
    {"static", pretrained},
    {"latent_and_path", latent_and_path},
    {"observer", observer},
    {"persistent", persistent},
    {"kalman", kalman},
    {"map", map},
    {"map_latent", map_latent},
    {"policy_map", policy_map},
    {"path_map", path_map},
    {"sweep_map", sweep_map},
};

}  // namespace

double AgentConfig::at(const std::string& name) const {
  const auto found = parameters.find(name);
  if (found == parameters.end()) throw std::runtime_error("[roster] " + kind + ": expected a parameter " + name);
  return found->second;
}

double AgentConfig::at(const std::string& name, double otherwise) const {
  const auto found = parameters.find(name);
  return found == parameters.end() ? otherwise : found->second;
}

AgentMaker agent_maker(const AgentConfig& config) {
  for (const auto& [kind, make] : kKinds) {
    if (config.kind == kind) return make(config);
  }
  std::string known;
  for (const auto& [kind, make] : kKinds) known += (known.empty() ? "" : ", ") + std::string(kind);
  throw std::runtime_error("[roster] unknown kind of agent \"" + config.kind + "\", expected one of " + known);
}

}  // namespace elastane::navigation
