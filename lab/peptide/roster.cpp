#include "lab/peptide/roster.h"

#include <algorithm>
#include <cstdio>

#include "elastane/core/base/checksum.h"
#include "elastane/io/file.h"
#include "lab/peptide/reckoning.h"
#include "lab/peptide/stream_driver.h"

namespace elastane::peptide {
namespace {

constexpr double kRadius = 10;

// Chosen on validation seeds; experiments/peptide/README.md has the grid, the same for every corrector of a latent.
struct Chosen {
  double damping, fade;
  int depth;
};

constexpr DescentOptions kMoves = {.iterations = 4, .damping = 3, .boxed = true};
constexpr HorizonOptions kHorizon = {.horizon = 3, .iterations = 4, .damping = 3, .boxed = true};

CorrectorOptions corrector(Metric metric, const Chosen& chosen) {
  CorrectorOptions options;
  options.metric.kind = metric;
  options.metric.damping = chosen.damping;
  // losses here are tens and hundreds, and half the square of a radius is what one step may gain. While nothing is
  // asked for there is little to gain, steps are refused and the radius shrinks; it must not take the next contact to
  // grow back
  options.trust.radius = options.trust.smallest = kRadius;
  options.trust.largest = 1e3;
  options.gate.depth = chosen.depth;
  return options;
}

// the paper's own table, peptide torsions: success, steps, clashes and energy, p99
benchmark::Published published(double success, double steps, double violations, double p99_ms) {
  return {.success = success, .steps = steps, .violations = violations, .regret = {}, .p99_us = 1000 * p99_ms};
}

void make_detours(Agent& agent) {
  agent.reckons = true;
  agent.detours.emplace();
}

}  // namespace

Result<Networks> load_networks(const std::string& folder) {
  auto policy = Model::load(folder + "/peptide.safetensors");
  if (!policy) return Error{policy.error()};
  auto transformer = Model::load(folder + "/peptide_transformer.safetensors");
  if (!transformer) return Error{transformer.error()};
  auto greedy = Model::load(folder + "/peptide_greedy.safetensors");
  if (!greedy) return Error{greedy.error()};
  auto equivariant = Equivariant::load(folder + "/peptide_equivariant.safetensors");
  if (!equivariant) return Error{equivariant.error()};
  // the one that is no Model by its file
  const auto file = MappedFile::open(folder + "/peptide_equivariant.safetensors");
  if (!file) return Error{file.error()};
  const std::uint64_t parts[] = {policy->fingerprint(), transformer->fingerprint(), greedy->fingerprint(),
                                 hash64(file->bytes())};
  return Networks{*policy, *transformer, *greedy, *std::move(equivariant), hash64(std::as_bytes(std::span(parts)))};
}

std::vector<Agent> agents() {
  std::vector<Agent> all;
  const auto add = [&](const char* name, const char* what) -> Agent& {
    return all.emplace_back(Agent{.name = name, .what = what});
  };
  const auto add_corrected = [&](const char* name, const char* what, Metric metric, const Chosen& chosen) -> Agent& {
    Agent& agent = add(name, what);
    agent.corrector = corrector(metric, chosen);
    agent.fade = chosen.fade;
    return agent;
  };

  Agent& transformer = add("transformer", "streaming Transformer, window 128");
  transformer.network = Network::transformer;
  add("frozen", "selective SSM, d = 64, as trained");
  add_corrected("euclidean", "latent, plain gradient in a trust region", Metric::euclidean, {0.1, 0, 2});
  add_corrected("euclidean_equal_time", "the same, as many micro-steps as a pullback takes time for", Metric::euclidean,
                {1, 0, 6});
  add_corrected("static", "latent, a sketch averaged over the first steps, then fixed", Metric::fixed, {0.1, 0, 2})
      .corrector->metric.warm_up = 16;
  add_corrected("latent_covariance", "latent, running variances of the latent", Metric::latent_covariance, {0.1, 0, 2})
      .published = published(.85, 40, 3.6, 3.9);
  Agent& unadapted =
      add_corrected("no_adaptation", "latent, the first step's sketch for ever", Metric::fixed, {0.1, 0, 2});
  unadapted.corrector->metric.warm_up = 1;
  unadapted.published = published(.87, 38, 3.0, 4.0);
  add_corrected("literal", "GeoSSM as printed", Metric::literal, {1, 0, 2}).published = published(.91, 31, 2.2, 4.2);
  add_corrected("sketch", "latent, running Nyström sketch of the pullback", Metric::sketch, {0.1, 0.2, 2});
  add_corrected("conjugate_gradient", "latent, the pullback by four products", Metric::conjugate_gradient, {0.1, 0, 2});
  add_corrected("exact", "latent, the whole pullback", Metric::exact, {0.1, 0, 2});
  add_corrected("exact_second_order", "the same, with the second-order retraction", Metric::exact, {0.1, 0.5, 2})
      .corrector->retraction.kind = Retraction::second_order;

  const auto add_planned = [&](const char* name, const char* what, Network network, const DescentOptions& descent) {
    Agent& agent = add(name, what);
    agent.network = network;
    agent.descent = descent;
  };
  add_planned("plan_gauss_newton", "no latent: Gauss–Newton on the moves that the SSM decodes", Network::policy,
              kMoves);
  add_planned("transformer_gauss_newton", "the same on the Transformer's moves", Network::transformer,
              {.iterations = 4, .damping = 1, .boxed = true});
  add_planned("gauss_newton_alone", "no network: Gauss–Newton from standing still", Network::none,
              {.iterations = 4, .damping = 10, .boxed = true});

  // first the latent, then the moves that it decodes
  add_corrected("exact_moves", "exact, then Gauss–Newton on the moves", Metric::exact, {1, 0, 2}).descent = kMoves;
  add_corrected("conjugate_gradient_detours", "conjugate gradients, then the moves; reckons, and makes detours",
                Metric::conjugate_gradient, {1, 0, 2})
      .descent = kMoves;
  make_detours(all.back());
  add_corrected("exact_detours", "exact, then the moves; reckons, and makes detours", Metric::exact, {1, 0.5, 2})
      .descent = kMoves;
  make_detours(all.back());
  add_planned("plan_detours", "no latent: plan_gauss_newton, which reckons and makes detours", Network::policy,
              {.iterations = 4, .damping = 10, .boxed = true});
  make_detours(all.back());

  Agent& greedy = add("greedy", "greedy torsion network");
  greedy.network = Network::greedy;
  greedy.published = published(.62, 74, 8.7, 4.1);
  Agent& equivariant = add("equivariant", "SE(3)-equivariant transformer, small");
  equivariant.network = Network::equivariant;
  equivariant.published = published(.74, 52, 5.1, 11.7);
  Agent& horizon = add("equivariant_mpc", "the same with model-predictive control, H = 3");
  horizon.network = Network::equivariant;
  horizon.horizon = kHorizon;
  horizon.published = published(.80, 45, 4.0, 14.2);
  Agent& with_detours = add("equivariant_mpc_detours", "the same, which reckons and makes detours");
  with_detours.network = Network::equivariant;
  with_detours.horizon = kHorizon;
  make_detours(with_detours);

  Agent& oracle = add("oracle", "the expert itself, which sees torsions without noise");
  oracle.network = Network::none;
  oracle.oracle = true;
  return all;
}

std::vector<Agent> budget_grid() {
  const std::vector<Agent> all = agents();
  const auto sketch = std::ranges::find(all, "sketch", &Agent::name);
  std::vector<Agent> grid;
  for (const double lambda : {1e-4, 1e-3, 1e-2}) {
    for (const int rank : {4, 8, 12}) {
      for (const double memory : {0.95, 0.98, 0.995}) {
        Agent agent = *sketch;
        MetricOptions& metric = agent.corrector->metric;
        metric.relative = false;
        metric.damping = lambda, metric.rank = rank, metric.memory = memory;
        char name[64];
        std::snprintf(name, sizeof name, "sketch lambda %g r %d beta %g", lambda, rank, memory);
        agent.name = name;
        grid.push_back(agent);
      }
    }
  }
  return grid;
}

std::string settings_of(const Agent& agent) {
  if (agent.oracle) return "12 ways, 3 iterations";
  std::string all;
  const auto add = [&](const char* format, auto... values) {
    char part[96];
    std::snprintf(part, sizeof part, format, values...);
    all += (all.empty() ? "" : ", ") + std::string(part);
  };
  if (agent.corrector) {
    const CorrectorOptions& o = *agent.corrector;
    add("lambda %g, fade %g, depth %d, rank %d", o.metric.damping, agent.fade, o.gate.depth, o.metric.rank);
  }
  if (agent.horizon) add("H %d", agent.horizon->horizon);
  const auto add_moves = [&](int iterations, double damping, bool boxed) {
    add("iterations %d, lambda %g, %s", iterations, damping, boxed ? "boxed" : "shortened");
  };
  if (agent.descent) add_moves(agent.descent->iterations, agent.descent->damping, agent.descent->boxed);
  if (agent.horizon) add_moves(agent.horizon->iterations, agent.horizon->damping, agent.horizon->boxed);
  return all.empty() ? "as trained" : all;
}

std::unique_ptr<Driver> make_driver(const Agent& agent, const Networks& networks) {
  std::unique_ptr<Driver> driver;
  const auto stream = [&](const Model& model) {
    StreamOptions options;
    options.corrector = agent.corrector;
    options.latent.fade = agent.fade;
    return std::make_unique<StreamDriver>(model, options);
  };
  switch (agent.network) {
    case Network::none: break;
    case Network::policy: driver = stream(networks.policy); break;
    case Network::transformer: driver = stream(networks.transformer); break;
    case Network::greedy: driver = stream(networks.greedy); break;
    case Network::equivariant: driver = std::make_unique<EquivariantDriver>(networks.equivariant); break;
  }
  if (agent.descent) driver = std::make_unique<PlanDriver>(std::move(driver), *agent.descent);
  if (agent.horizon) driver = std::make_unique<HorizonDriver>(std::move(driver), *agent.horizon);
  if (agent.detours) driver = std::make_unique<DetourDriver>(std::move(driver), *agent.detours);
  if (agent.reckons) driver = std::make_unique<ReckoningDriver>(std::move(driver));
  return driver;
}

}  // namespace elastane::peptide
