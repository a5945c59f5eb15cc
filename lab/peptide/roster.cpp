#include "lab/peptide/roster.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "elastane/core/base/checksum.h"
#include "elastane/io/file.h"
#include "experiments/peptide/settings.h"
#include "lab/benchmark/claims_json.h"
#include "lab/peptide/estimating_agent.h"
#include "lab/peptide/plan_agent.h"
#include "lab/peptide/stream_agent.h"

namespace elastane::peptide {
namespace {

using Json = nlohmann::json;

const Json& settings() {
  static const Json parsed = Json::parse(experiments::peptide::roster_json);
  return parsed;
}

Network parse_network(const std::string& name) {
  constexpr std::array kNames = {"none", "policy", "transformer", "greedy", "equivariant"};  // in the enum's order
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) throw std::runtime_error("[peptide] network: unknown network \"" + name + "\"");
  return static_cast<Network>(found - kNames.begin());
}

CorrectorOptions parse_corrector(const Json& json) {
  CorrectorOptions options;
  options.metric.kind = parse_metric(json.at("metric").get<std::string>()).value();
  options.metric.damping = json.at("damping");
  options.metric.warm_up = json.value("warm_up", options.metric.warm_up);
  // Losses here are tens and hundreds, and half the square of the radius is what one step may gain. Before a contact is
  // requested there is little to gain, steps are rejected and the radius shrinks; growing back must not take the time of
  // the next contact.
  const Json& trust = settings().at("trust");
  options.trust.radius = trust.at("radius");
  options.trust.smallest = trust.at("smallest");
  options.trust.largest = trust.at("largest");
  options.gate.depth = json.at("depth");
  if (json.value("second_order", false)) options.retraction.kind = Retraction::second_order;
  return options;
}

LevenbergOptions parse_levenberg(const Json& json) {
  return {.iterations = json.at("iterations"), .damping = json.at("damping"), .boxed = json.at("boxed")};
}

HorizonOptions parse_horizon(const Json& json) {
  return {.horizon = json.at("steps"),
          .iterations = json.at("iterations"),
          .damping = json.at("damping"),
          .boxed = json.at("boxed")};
}

RosterEntry parse_entry(const Json& json) {
  RosterEntry entry{.name = json.at("name"), .what = json.at("what"), .network = parse_network(json.at("network"))};
  if (json.contains("corrector")) {
    entry.corrector = parse_corrector(json.at("corrector"));
    entry.fade = json.at("corrector").at("fade");
  }
  if (json.contains("moves")) entry.levenberg = parse_levenberg(json.at("moves"));
  if (json.contains("horizon")) entry.horizon = parse_horizon(json.at("horizon"));
  if (json.value("detours", false)) entry.detours.emplace();
  if (json.contains("published")) entry.published = benchmark::parse_published(json.at("published"));
  entry.estimates = json.value("estimates", false);
  entry.oracle = json.value("oracle", false);
  return entry;
}

}  // namespace

Result<Networks> load_networks(const std::string& folder) {
  auto policy = Model::load(folder + "/peptide.safetensors");
  if (!policy) return Error{policy.error()};
  auto transformer = Model::load(folder + "/peptide_transformer.safetensors");
  if (!transformer) return Error{transformer.error()};
  auto greedy = Model::load(folder + "/peptide_greedy.safetensors");
  if (!greedy) return Error{greedy.error()};
  auto equivariant = EquivariantNetwork::load(folder + "/peptide_equivariant.safetensors");
  if (!equivariant) return Error{equivariant.error()};
  // the one that is not a Model counts by its file
  const auto file = FileContent::open(folder + "/peptide_equivariant.safetensors");
  if (!file) return Error{file.error()};
  const std::uint64_t parts[] = {policy->fingerprint(), transformer->fingerprint(), greedy->fingerprint(),
                                 hash64(file->bytes())};
  return Networks{*policy, *transformer, *greedy, *std::move(equivariant), hash64(std::as_bytes(std::span(parts)))};
}

std::vector<RosterEntry> roster() {
  std::vector<RosterEntry> all;
  for (const Json& agent : settings().at("agents")) all.push_back(parse_entry(agent));
  return all;
}

std::vector<RosterEntry> budget_grid() {
  const Json& grid = settings().at("grid");
  const std::vector<RosterEntry> all = roster();
  const auto sketch = std::ranges::find(all, grid.at("agent").get<std::string>(), &RosterEntry::name);
  std::vector<RosterEntry> entries;
  for (const double lambda : grid.at("lambda")) {
    for (const int rank : grid.at("rank")) {
      for (const double memory : grid.at("memory")) {
        RosterEntry entry = *sketch;
        MetricOptions& metric = entry.corrector->metric;
        metric.relative = false;
        metric.damping = lambda, metric.rank = rank, metric.memory = memory;
        char name[64];
        std::snprintf(name, sizeof name, "sketch lambda %g r %d beta %g", lambda, rank, memory);
        entry.name = name;
        entries.push_back(entry);
      }
    }
  }
  return entries;
}

std::string settings_of(const RosterEntry& entry) {
  if (entry.oracle) return "12 ways, 3 iterations";
  std::string all;
  const auto add = [&](const char* format, auto... values) {
    char part[96];
    std::snprintf(part, sizeof part, format, values...);
    all += (all.empty() ? "" : ", ") + std::string(part);
  };
  if (entry.corrector) {
    const CorrectorOptions& o = *entry.corrector;
    add("lambda %g, fade %g, depth %d, rank %d", o.metric.damping, entry.fade, o.gate.depth, o.metric.rank);
  }
  if (entry.horizon) add("H %d", entry.horizon->horizon);
  const auto add_moves = [&](int iterations, double damping, bool boxed) {
    add("iterations %d, lambda %g, %s", iterations, damping, boxed ? "boxed" : "shortened");
  };
  if (entry.levenberg) add_moves(entry.levenberg->iterations, entry.levenberg->damping, entry.levenberg->boxed);
  if (entry.horizon) add_moves(entry.horizon->iterations, entry.horizon->damping, entry.horizon->boxed);
  return all.empty() ? "as trained" : all;
}

std::unique_ptr<Agent> make_agent(const RosterEntry& entry, const Networks& networks) {
  std::unique_ptr<Agent> agent;
  const auto stream = [&](const Model& model) {
    StreamOptions options;
    options.corrector = entry.corrector;
    options.latent.fade = entry.fade;
    return std::make_unique<StreamAgent>(model, options);
  };
  switch (entry.network) {
    case Network::none: break;
    case Network::policy: agent = stream(networks.policy); break;
    case Network::transformer: agent = stream(networks.transformer); break;
    case Network::greedy: agent = stream(networks.greedy); break;
    case Network::equivariant: agent = std::make_unique<EquivariantAgent>(networks.equivariant); break;
  }
  if (entry.levenberg) agent = std::make_unique<PlanAgent>(std::move(agent), *entry.levenberg);
  if (entry.horizon) agent = std::make_unique<HorizonAgent>(std::move(agent), *entry.horizon);
  if (entry.detours) agent = std::make_unique<DetourAgent>(std::move(agent), *entry.detours);
  if (entry.estimates) agent = std::make_unique<EstimatingAgent>(std::move(agent));
  return agent;
}

}  // namespace elastane::peptide
