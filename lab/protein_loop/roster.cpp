#include "lab/protein_loop/roster.h"

#include <cstdio>
#include <filesystem>

#include "elastane/core/base/checksum.h"
#include "elastane/io/file.h"
#include "elastane/io/gate_file.h"
#include "elastane/io/metric_file.h"

namespace elastane::protein_loop {
namespace {

// of a micro-step, in units of energy: what the oracle and the price of gain go by
constexpr double kPrice = 1;
// κ of a window that is worth refining; chosen on seed 1001
constexpr double kKappa = 8;
// For metrics that do not know the energy's size: a model of the energy along v says how far to go, and ρ is about how
// much √(2E) may fall in a micro-step. Chosen on seed 1001, where from 10 to 300 all come to the same; 3 is too short.
constexpr TrustOptions kFirstOrderTrust = {.radius = 100, .smallest = 1, .largest = 1000};

CorrectorOptions gated(GateOptions gate) {
  CorrectorOptions options = window_corrector();
  options.gate = std::move(gate);
  return options;
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

// parts: of the fingerprint; the file's is added
Result<MetricWeights> load_metric_if_there(const std::string& path, std::vector<std::uint64_t>& parts) {
  if (!std::filesystem::exists(path)) return MetricWeights{};
  auto metric = load_metric(path);
  if (!metric) return metric;
  if (metric->latents() != kTorsions) {
    return Error{"[metric] " + path + ": expected " + std::to_string(kTorsions) + " latents, found " +
                 std::to_string(metric->latents()) + "; train it with elastane train protein_loop --network metric"};
  }
  const auto file = MappedFile::open(path);
  if (!file) return Error{file.error()};
  parts.push_back(hash64(file->bytes()));
  return metric;
}

}  // namespace

CorrectorOptions window_corrector() {
  CorrectorOptions options;
  options.metric = {.kind = Metric::native};
  options.retraction = {.domain = Domain::torus};
  options.gate = {.kind = Gate::learned, .depth = kMostDepth};
  return options;
}

CorrectorOptions metric_corrector() {
  CorrectorOptions options = window_corrector();
  options.metric = {.kind = Metric::learned, .relative = false};
  options.trust = kFirstOrderTrust;
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
  const auto file = MappedFile::open(start + "gate.safetensors");
  if (!file) return Error{file.error()};
  std::vector<std::uint64_t> parts = {ssm->fingerprint(), transformer->fingerprint(), hybrid->fingerprint(),
                                      hash64(file->bytes())};
  auto metric = load_metric_if_there(start + "metric.safetensors", parts);
  if (!metric) return Error{metric.error()};
  return Networks{*ssm, *transformer, *hybrid, *gate, *metric, hash64(std::as_bytes(std::span(parts)))};
}

std::vector<Agent> agents(const Networks& networks, const std::vector<double>& histogram) {
  std::vector<Agent> all;
  const auto add = [&](const char* name, const char* what, Network network) -> Agent& {
    return all.emplace_back(Agent{.name = name, .what = what, .network = network});
  };
  const auto add_learned = [&](const char* name, const char* what, Network network) -> Agent& {
    Agent& agent = add(name, what, network);
    agent.corrector = window_corrector();
    agent.learned = true;
    return agent;
  };
  const auto add_gated = [&](const char* name, const char* what, const GateOptions& gate) {
    add(name, what, Network::ssm).corrector = gated(gate);
  };

  add("ssm", "selective SSM: proposes torsions, nothing is corrected", Network::ssm);
  add("transformer", "streaming Transformer, window 64", Network::transformer);
  add("hybrid", "selective SSM with a windowed-attention head", Network::hybrid);
  add_learned("esm", "SSM, learned gate, Levenberg on the energy's curvature", Network::ssm);
  add_learned("corrector", "no network: the same gate and corrector", Network::none);
  add_learned("corrector_restarts", "the same, and up to four starts nearby where a window stays bad", Network::none)
      .restarts = 4;
  add_learned("transformer_corrector", "Transformer, the same gate and corrector", Network::transformer);
  for (const int depth : {1, 2, 4}) {
    const std::string name = "uniform_" + std::to_string(depth);
    add_gated(name.c_str(), "SSM, as many micro-steps at every window", {.kind = Gate::always, .depth = depth});
  }
  add_gated("random", "SSM, depths drawn from the learned gate's histogram",
            {.kind = Gate::random, .depth = kMostDepth, .histogram = histogram});
  add_gated("kappa", "SSM, refined where κ is large", {.kind = Gate::kappa, .depth = kMostDepth, .threshold = kKappa});
  add_gated("gain", "SSM, refined while the predicted gain beats a price",
            {.kind = Gate::gain, .depth = kMostDepth, .price = kPrice});
  Agent& oracle = add("oracle", "SSM, the best depth known beforehand", Network::ssm);
  oracle.corrector = gated({.kind = Gate::always, .depth = kMostDepth});
  oracle.oracle_price = kPrice;
  add_learned("diagonal", "the ESM with the curvature's diagonal alone", Network::ssm).curvature = Curvature::diagonal;
  Agent& euclidean = add_learned("euclidean", "the ESM with the plain gradient in a trust region", Network::ssm);
  euclidean.corrector->metric.kind = Metric::euclidean;
  euclidean.corrector->trust = kFirstOrderTrust;
  if (networks.metric.latents() > 0) {
    add_learned("learned_metric", "the ESM with a metric learned beforehand, the same for every window", Network::ssm)
        .corrector = metric_corrector();
  }
  return all;
}

std::string settings_of(const Agent& agent) {
  if (!agent.corrector) return "as trained";
  char line[128];
  const GateOptions& gate = agent.corrector->gate;
  std::snprintf(line, sizeof line, "lambda %g, depth %d, gate %s, restarts %d", agent.damping, gate.depth,
                std::string(name(gate.kind)).c_str(), agent.restarts);
  return line;
}

std::unique_ptr<WindowAgent> make_agent(const Agent& agent, const Networks& networks) {
  AgentOptions options;
  options.network = network_of(agent.network, networks);
  options.corrector = agent.corrector;
  if (agent.learned) options.gate = networks.gate;
  options.metric = networks.metric.view();
  options.curvature = agent.curvature;
  options.damping = agent.damping;
  options.restarts = agent.restarts;
  options.oracle_price = agent.oracle_price;
  return std::make_unique<WindowAgent>(options);
}

}  // namespace elastane::protein_loop
