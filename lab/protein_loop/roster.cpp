#include "lab/protein_loop/roster.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "elastane/core/base/checksum.h"
#include "elastane/io/file.h"
#include "elastane/io/gate_file.h"
#include "elastane/io/metric_file.h"
#include "experiments/protein_loop/settings.h"

namespace elastane::protein_loop {
namespace {

using Json = nlohmann::json;

const Json& settings() {
  static const Json parsed = Json::parse(experiments::protein_loop::roster_json);
  return parsed;
}

// For metrics that do not know the scale of the energy: a model of the energy along v gives the length, and ρ is about how
// much √(2E) may fall in a micro-step.
TrustOptions first_order_trust() {
  const Json& trust = settings().at("first_order_trust");
  return {.radius = trust.at("radius"), .smallest = trust.at("smallest"), .largest = trust.at("largest")};
}

// of a micro-step, in units of energy: for the oracle and the gate by gain
double price() { return settings().at("price"); }

Network parse_network(const std::string& name) {
  constexpr std::array kNames = {"none", "ssm", "transformer", "hybrid"};  // in the enum's order
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) throw std::runtime_error("[protein_loop] network: unknown network \"" + name + "\"");
  return static_cast<Network>(found - kNames.begin());
}

GateOptions parse_gate(const Json& json, const std::vector<double>& histogram) {
  const std::string kind = json.at("gate");
  const int depth = json.value("depth", kMaxDepth);
  if (kind == "learned") return {.kind = Gate::learned, .depth = depth};
  if (kind == "always") return {.kind = Gate::always, .depth = depth};
  if (kind == "random") return {.kind = Gate::random, .depth = depth, .histogram = histogram};
  if (kind == "kappa") return {.kind = Gate::kappa, .depth = depth, .threshold = settings().at("kappa")};
  if (kind == "gain") return {.kind = Gate::gain, .depth = depth, .price = price()};
  throw std::runtime_error("[protein_loop] gate: unknown gate \"" + kind + "\"");
}

// with this entry's gate and metric
CorrectorOptions parse_corrector(const Json& json, const std::vector<double>& histogram) {
  const std::string metric = json.value("metric", "native");
  CorrectorOptions options = metric == "learned" ? metric_corrector() : window_corrector();
  options.gate = parse_gate(json, histogram);
  if (metric == "euclidean") {
    options.metric.kind = Metric::euclidean;
    options.trust = first_order_trust();
  }
  return options;
}

RosterEntry parse_entry(const Json& json, const std::vector<double>& histogram) {
  RosterEntry entry{.name = json.at("name"), .what = json.at("what"), .network = parse_network(json.at("network"))};
  entry.damping = window_damping();
  if (!json.contains("gate")) return entry;
  entry.corrector = parse_corrector(json, histogram);
  entry.learned = entry.corrector->gate.kind == Gate::learned;
  if (json.value("curvature", "whole") == "diagonal") entry.curvature = Curvature::diagonal;
  entry.restarts = json.value("restarts", 0);
  if (json.value("oracle", false)) entry.oracle_price = price();
  return entry;
}

const Model* network_of(Network network, const Networks& networks) {
  switch (network) {
    case Network::none: break;
    case Network::ssm: return &networks.ssm;
    case Network::transformer: return &networks.transformer;
    case Network::hybrid: return &networks.hybrid;
  }
  return nullptr;
}

// adds the file's part of the fingerprint to `parts`
Result<MetricWeights> load_optional_metric(const std::string& path, std::vector<std::uint64_t>& parts) {
  if (!std::filesystem::exists(path)) return MetricWeights{};
  auto metric = load_metric(path);
  if (!metric) return metric;
  if (metric->latents() != kTorsions) {
    return Error{"[metric] " + path + ": expected " + std::to_string(kTorsions) + " latents, found " +
                 std::to_string(metric->latents()) + "; train it with elastane train protein_loop --network metric"};
  }
  const auto file = FileContent::open(path);
  if (!file) return Error{file.error()};
  parts.push_back(hash64(file->bytes()));
  return metric;
}

}  // namespace

CorrectorOptions window_corrector() {
  CorrectorOptions options;
  options.metric = {.kind = Metric::native};
  options.retraction = {.domain = Domain::torus};
  options.gate = {.kind = Gate::learned, .depth = kMaxDepth};
  return options;
}

double window_damping() { return settings().at("damping"); }

CorrectorOptions metric_corrector() {
  CorrectorOptions options = window_corrector();
  options.metric = {.kind = Metric::learned, .relative = false};
  options.trust = first_order_trust();
  return options;
}

Result<Networks> load_networks(const std::string& folder) {
  const std::string start = folder + "/protein_loop_";
  auto ssm = Model::load(start + "ssm.safetensors");
  if (!ssm) return Error{ssm.error()};
  auto transformer = Model::load(start + "transformer.safetensors");
  if (!transformer) return Error{transformer.error()};
  auto hybrid = Model::load(start + "hybrid.safetensors");
  if (!hybrid) return Error{hybrid.error()};
  auto gate = load_gate(start + "gate.safetensors");
  if (!gate) return Error{gate.error()};
  const auto file = FileContent::open(start + "gate.safetensors");
  if (!file) return Error{file.error()};
  std::vector<std::uint64_t> parts = {ssm->fingerprint(), transformer->fingerprint(), hybrid->fingerprint(),
                                      hash64(file->bytes())};
  auto metric = load_optional_metric(start + "metric.safetensors", parts);
  if (!metric) return Error{metric.error()};
  return Networks{*ssm, *transformer, *hybrid, *gate, *metric, hash64(std::as_bytes(std::span(parts)))};
}

std::vector<RosterEntry> roster(const Networks& networks, const std::vector<double>& histogram) {
  std::vector<RosterEntry> all;
  for (const Json& agent : settings().at("agents")) {
    const bool needs_metric = agent.value("metric", "native") == "learned";
    if (!needs_metric || networks.metric.latents() > 0) all.push_back(parse_entry(agent, histogram));
  }
  return all;
}

std::string settings_of(const RosterEntry& entry) {
  if (!entry.corrector) return "as trained";
  char line[128];
  const GateOptions& gate = entry.corrector->gate;
  std::snprintf(line, sizeof line, "lambda %g, depth %d, gate %s, restarts %d", entry.damping, gate.depth,
                std::string(name(gate.kind)).c_str(), entry.restarts);
  return line;
}

std::unique_ptr<WindowAgent> make_agent(const RosterEntry& entry, const Networks& networks) {
  WindowAgentOptions options;
  options.network = network_of(entry.network, networks);
  options.corrector = entry.corrector;
  if (entry.learned) options.gate = networks.gate;
  options.metric = networks.metric.view();
  options.curvature = entry.curvature;
  options.damping = entry.damping;
  options.restarts = entry.restarts;
  options.oracle_price = entry.oracle_price;
  return std::make_unique<WindowAgent>(options);
}

}  // namespace elastane::protein_loop
