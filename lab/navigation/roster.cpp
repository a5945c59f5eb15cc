#include "lab/navigation/roster.h"

#include <string_view>
#include <utility>

#include "lab/navigation/policy_agents.h"
#include "lab/navigation/tried_settings.h"

namespace elastane::navigation {
namespace {

using benchmark::Published;

template <const Model Policies::*Policy>
std::vector<Setting> alone() {
  return {{"", [](const Policies& p) -> std::unique_ptr<Agent> { return std::make_unique<FrozenAgent>(p.*Policy); }}};
}

// which of the settings tuning chose, by what happens (experiments/navigation/tuning.md)
struct Chosen {
  std::string_view name;
  int dragged, moving, drifting, blind;
};
constexpr Chosen kChosen[] = {
    {"filter", 2, 5, 7, 1},     {"rmpflow", 5, 4, 4, 4},  {"ilqr", 2, 1, 6, 1},         {"mpc_3", 4, 3, 3, 4},
    {"mpc_8", 4, 0, 1, 1},      {"way", 5, 6, 5, 7},      {"euclidean", 2, 2, 3, 5},    {"euclidean_time", 1, 2, 3, 2},
    {"covariance", 2, 3, 3, 7}, {"static", 4, 7, 1, 5},   {"no_adapt", 6, 1, 3, 6},     {"literal", 5, 1, 1, 5},
    {"sketch", 6, 3, 1, 6},     {"cg", 5, 5, 1, 6},       {"exact", 4, 7, 3, 4},        {"exact_2nd", 4, 0, 0, 4},
    {"exact_way", 4, 7, 0, 4},  {"observer", 4, 2, 3, 2}, {"literal_fade", 1, 0, 3, 5}, {"persistent", 0, 0, 6, 0},
    {"kalman", 0, 0, 3, 0},
};

int chosen_of(std::string_view name, Mode mode) {
  for (const Chosen& c : kChosen) {
    if (c.name != name) continue;
    switch (mode) {
      case Mode::still:
      case Mode::dragged: return c.dragged;
      case Mode::moving: return c.moving;
      case Mode::drifting: return c.drifting;
      case Mode::blind: return c.blind;
    }
  }
  return 0;
}

Entrant entrant(std::string name, std::string what, std::vector<Setting> tried, Published published = {}) {
  return {.card = {.name = std::move(name), .what = std::move(what), .settings = "", .published = published},
          .tried = std::move(tried)};
}

// from the table of the earlier draft (docs/science.md §1.4); collisions there are a share, not per 1,000 steps
Published published(double success, double steps, double regret, double p99_ms) {
  return {.success = success, .steps = steps, .violations = {}, .regret = regret, .p99_us = 1000 * p99_ms};
}

}  // namespace

std::vector<Entrant> line_up(Mode mode) {
  std::vector<Entrant> all;
  all.push_back(entrant("transformer", "attention over 128 steps, with a cache", alone<&Policies::transformer>(),
                        published(.68, 39.7, 1.00, 38.2)));
  all.push_back(entrant("frozen", "the selective policy as it is", alone<&Policies::selective>(),
                        published(.77, 34.2, .78, 6.0)));
  all.push_back(entrant("filter", "frozen, its command turned along obstacles", filter_settings()));
  all.push_back(entrant("rmpflow", "motion policies: to a stop of the way, off every hit", flow_settings(),
                        published(.82, 31.1, .71, 6.2)));
  all.push_back(
      entrant("ilqr", "one Riccati sweep over three stops", sweep_settings(3, 1), published(.90, 24.8, .54, 8.9)));
  all.push_back(entrant("mpc_3", "receding horizon, three stops", sweep_settings(3, 5)));
  all.push_back(entrant("mpc_8", "receding horizon, eight stops", sweep_settings(8, 5)));
  all.push_back(entrant("way", "Gauss-Newton on the way itself, no latent", way_settings()));
  all.push_back(entrant("euclidean", "latent: plain gradient, one step", plain_settings({.kind = Metric::euclidean}, 1),
                        published(.88, 26.7, .60, 6.1)));
  all.push_back(entrant("euclidean_time", "latent: plain gradient, at equal time",
                        plain_settings({.kind = Metric::euclidean}, 6)));
  all.push_back(entrant("covariance", "latent: running variance of z",
                        plain_settings({.kind = Metric::latent_covariance}, 3), published(.89, 25.9, .57, 6.2)));
  all.push_back(entrant("static", "latent: a preconditioner from one drive, kept", static_settings()));
  all.push_back(entrant("no_adapt", "latent: the sketch of the first corrections, then frozen",
                        pullback_settings({.kind = Metric::fixed, .warm_up = 2}), published(.90, 25.3, .55, 6.3)));
  all.push_back(entrant("literal", "latent: GeoSSM as printed", literal_settings(), published(.96, 21.6, .41, 6.4)));
  all.push_back(entrant("literal_fade", "the printed metric, corrections fade", literal_fade_settings()));
  all.push_back(
      entrant("sketch", "latent: Nystrom sketch, corrected form", pullback_settings({.kind = Metric::sketch})));
  all.push_back(entrant("cg", "latent: four products of conjugate gradients",
                        pullback_settings({.kind = Metric::conjugate_gradient})));
  all.push_back(entrant("exact", "latent: the pullback metric itself", pullback_settings({.kind = Metric::exact})));
  all.push_back(entrant("exact_2nd", "the same, second-order retraction",
                        pullback_settings({.kind = Metric::exact}, Retraction::second_order)));
  all.push_back(entrant("exact_way", "exact, then one Gauss-Newton step on the way", both_settings()));
  all.push_back(entrant("observer", "latent: by what it expected to see and did not", observer_settings()));
  if (mode == Mode::drifting) {
    all.push_back(
        entrant("persistent", "latent: the air as coordinates that last; then the way", persistent_settings()));
    all.push_back(entrant("kalman", "a Kalman filter of the air tells the policy; then the way", kalman_settings()));
  }
  Entrant oracle = entrant("oracle", "knows the site, plans anew after the change", {});
  oracle.oracle = true;
  all.push_back(std::move(oracle));
  for (Entrant& e : all) {
    e.chosen = chosen_of(e.card.name, mode);
    if (!e.tried.empty()) e.card.settings = e.tried[static_cast<std::size_t>(e.chosen)].text;
  }
  return all;
}

std::vector<Entrant> budget_grid() {
  std::vector<Entrant> grid;
  for (const double lambda : {1e-4, 1e-3, 1e-2}) {
    for (const int rank : {4, 8, 12}) {
      for (const double memory : {0.95, 0.98, 0.995}) {
        const MetricOptions metric{.kind = Metric::sketch, .relative = false, .rank = rank, .memory = memory};
        const std::string name =
            "sketch lambda " + number(lambda) + " r " + std::to_string(rank) + " beta " + number(memory);
        grid.push_back(entrant(name, "latent: the sketch", {latent(metric, {.damping = lambda})}));
      }
    }
  }
  return grid;
}

}  // namespace elastane::navigation
