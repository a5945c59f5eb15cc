#include "elastane/worlds/navigation/line_up.h"

#include <array>
#include <cstdio>
#include <utility>

#include "elastane/worlds/navigation/belief_agents.h"
#include "elastane/worlds/navigation/planner_agents.h"

namespace elastane::navigation {
namespace {

using contest::Published;

std::string number(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

// what is varied of an agent that corrects a latent
struct Knobs {
  int depth = 3;
  double damping = 0.1, fade = 0.15, radius = 0.5;
  int horizon = 1;
};

CorrectorOptions corrector(const MetricOptions& metric, const Knobs& knobs) {
  CorrectorOptions options;
  options.metric = metric;
  options.metric.damping = knobs.damping;
  options.gate.depth = knobs.depth;
  options.trust.radius = knobs.radius;
  options.trust.largest = 8 * knobs.radius;
  options.trust.horizon = knobs.horizon;
  return options;
}

std::string text_of(const Knobs& k) {
  return "K " + std::to_string(k.depth) + ", damping " + number(k.damping) + ", fade " + number(k.fade) + ", radius " +
         number(k.radius) + (k.horizon > 1 ? ", H " + std::to_string(k.horizon) : "");
}

Setting latent(const MetricOptions& metric, const Knobs& knobs, Retraction retraction = Retraction::first_order) {
  CorrectorOptions options = corrector(metric, knobs);
  options.retraction.kind = retraction;
  return {text_of(knobs), [options, fade = knobs.fade](const Policies& p) -> std::unique_ptr<Agent> {
            return std::make_unique<LatentAgent>(p.selective, options, WayTastes{}, fade);
          }};
}

// eight of them: how deep, how damped, how lasting
std::vector<Setting> pullback_settings(const MetricOptions& metric, Retraction retraction = Retraction::first_order) {
  std::vector<Setting> settings;
  for (const int depth : {1, 3}) {
    for (const double damping : {0.03, 0.1}) {
      for (const double fade : {0.1, 0.2}) {
        settings.push_back(latent(metric, {.depth = depth, .damping = damping, .fade = fade}, retraction));
      }
    }
  }
  return settings;
}

// where there is no damping to choose: how far, and how lasting
std::vector<Setting> plain_settings(const MetricOptions& metric, int depth) {
  std::vector<Setting> settings;
  for (const double radius : {0.5, 2.0}) {
    for (const double fade : {0.0, 0.1, 0.2, 0.4}) {
      settings.push_back(latent(metric, {.depth = depth, .fade = fade, .radius = radius}));
    }
  }
  return settings;
}

// the latent first, then the way
std::vector<Setting> both_settings() {
  std::vector<Setting> settings;
  for (const int depth : {1, 3}) {
    for (const double damping : {0.03, 0.1}) {
      for (const double fade : {0.1, 0.2}) {
        const Knobs knobs{.depth = depth, .damping = damping, .fade = fade};
        const CorrectorOptions z = corrector({.kind = Metric::exact}, knobs);
        const CorrectorOptions way = corrector({.kind = Metric::exact}, {.depth = 1, .damping = 1e-3, .radius = 2});
        settings.push_back({text_of(knobs), [=](const Policies& p) -> std::unique_ptr<Agent> {
                              return std::make_unique<BothAgent>(p.selective, z, fade, way, WayTastes{});
                            }});
      }
    }
  }
  return settings;
}

const CorrectorOptions& polish() {
  static const CorrectorOptions options =
      corrector({.kind = Metric::exact}, {.depth = 3, .damping = 1e-3, .radius = 2});
  return options;
}

std::vector<Setting> persistent_settings() {
  std::vector<Setting> settings;
  for (const double drift : {0.01, 0.03}) {
    for (const double noise : {0.05, 0.15}) {
      for (const double spread : {1e-4, 1e-3}) {
        const PersistentAir air{.drift = drift, .noise = noise, .latent_spread = spread};
        settings.push_back({"drift " + number(drift) + ", noise " + number(noise) + ", latent " + number(spread),
                            [=](const Policies& p) -> std::unique_ptr<Agent> {
                              return std::make_unique<PersistentAgent>(p.selective, air, polish(), WayTastes{});
                            }});
      }
    }
  }
  return settings;
}

std::vector<Setting> kalman_settings() {
  std::vector<Setting> settings;
  for (const double drift : {0.003, 0.01, 0.03, 0.1}) {
    for (const double noise : {0.05, 0.15}) {
      settings.push_back(
          {"drift " + number(drift) + ", noise " + number(noise), [=](const Policies& p) -> std::unique_ptr<Agent> {
             return std::make_unique<KalmanAgent>(p.selective, KalmanAir{.drift = drift, .noise = noise}, polish(),
                                                  WayTastes{});
           }});
    }
  }
  return settings;
}

std::vector<Setting> observer_settings() {
  std::vector<Setting> settings;
  for (const double noise : {0.05, 0.2}) {
    for (const double damping : {1.0, 10.0}) {
      for (const double radius : {0.5, 4.0}) {
        const CorrectorOptions options =
            corrector({.kind = Metric::exact}, {.depth = 1, .damping = damping, .radius = radius});
        settings.push_back({"noise " + number(noise) + ", damping " + number(damping) + ", radius " + number(radius),
                            [=](const Policies& p) -> std::unique_ptr<Agent> {
                              return std::make_unique<ObserverAgent>(p.selective, options, noise);
                            }});
      }
    }
  }
  return settings;
}

// as printed: nothing fades; two of the published λ, two radii and horizons
std::vector<Setting> literal_settings() {
  std::vector<Setting> settings;
  for (const double radius : {0.5, 2.0}) {
    for (const int horizon : {1, 3}) {
      for (const double lambda : {1e-3, 1e-2}) {
        settings.push_back(latent({.kind = Metric::literal, .relative = false},
                                  {.depth = 1, .damping = lambda, .fade = 0, .radius = radius, .horizon = horizon}));
      }
    }
  }
  return settings;
}

// the printed metric with what the corrected rows have beside theirs: corrections that fade
std::vector<Setting> literal_fade_settings() {
  std::vector<Setting> settings;
  for (const double radius : {0.5, 2.0}) {
    for (const double fade : {0.1, 0.2}) {
      for (const double lambda : {1e-3, 1e-2}) {
        settings.push_back(latent({.kind = Metric::literal, .relative = false},
                                  {.depth = 3, .damping = lambda, .fade = fade, .radius = radius}));
      }
    }
  }
  return settings;
}

std::vector<Setting> static_settings() {
  std::vector<Setting> settings;
  for (const int depth : {1, 3}) {
    for (const double damping : {0.1, 1.0}) {
      for (const double fade : {0.1, 0.2}) {
        const Knobs knobs{.depth = depth, .damping = damping, .fade = fade};
        const CorrectorOptions options = corrector({.kind = Metric::fixed, .warm_up = 64}, knobs);
        settings.push_back({text_of(knobs), [options, fade](const Policies& p) -> std::unique_ptr<Agent> {
                              return std::make_unique<StaticAgent>(p.selective, options, WayTastes{}, fade);
                            }});
      }
    }
  }
  return settings;
}

std::vector<Setting> way_settings() {
  std::vector<Setting> settings;
  for (const int depth : {1, 3}) {
    for (const double damping : {1e-3, 1e-1}) {
      for (const double leave : {0.1, 0.3}) {
        const CorrectorOptions options =
            corrector({.kind = Metric::exact}, {.depth = depth, .damping = damping, .radius = 2});
        settings.push_back({"K " + std::to_string(depth) + ", damping " + number(damping) + ", leave " + number(leave),
                            [options, tastes = WayTastes{.leave = leave}](const Policies& p) -> std::unique_ptr<Agent> {
                              return std::make_unique<WayAgent>(p.selective, options, tastes);
                            }});
      }
    }
  }
  return settings;
}

std::vector<Setting> sweep_settings(int horizon, int sweeps) {
  std::vector<Setting> settings;
  for (const double leave : {0.05, 0.1, 0.2, 0.4}) {
    for (const double goal : {0.0, 0.5}) {
      const WayTastes tastes{.leave = leave, .goal = goal};
      settings.push_back(
          {"leave " + number(leave) + ", goal " + number(goal), [=](const Policies& p) -> std::unique_ptr<Agent> {
             const planners::IlqrOptions options{.horizon = horizon, .sweeps = sweeps};
             return std::make_unique<SweepAgent>(p.selective, options, tastes);
           }});
    }
  }
  return settings;
}

std::vector<Setting> filter_settings() {
  std::vector<Setting> settings;
  for (const double margin : {0.0, 0.005, 0.01, 0.02}) {
    for (const double pace : {0.3, 0.7}) {
      settings.push_back(
          {"margin " + number(margin) + ", pace " + number(pace), [=](const Policies& p) -> std::unique_ptr<Agent> {
             return std::make_unique<FilteredAgent>(p.selective, FilterOptions{margin, pace});
           }});
    }
  }
  return settings;
}

std::vector<Setting> flow_settings() {
  std::vector<Setting> settings;
  for (const double gain : {1.0, 3.0}) {
    for (const double scale : {0.2, 0.4}) {
      for (const int target : {2, 5}) {
        FlowOptions options{.target = target};
        options.goal.gain = gain;
        options.obstacle.scale = scale;
        settings.push_back(
            {"gain " + number(gain) + ", scale " + number(scale) + ", stop " + std::to_string(target + 1),
             [=](const Policies& p) -> std::unique_ptr<Agent> {
               return std::make_unique<FlowAgent>(p.selective, options);
             }});
      }
    }
  }
  return settings;
}

template <const Model Policies::*Policy>
std::vector<Setting> alone() {
  return {{"", [](const Policies& p) -> std::unique_ptr<Agent> { return std::make_unique<FrozenAgent>(p.*Policy); }}};
}

Entrant entrant(std::string name, std::string what, std::vector<Setting> tried, int chosen, Published published = {}) {
  Entrant e{.card = {.name = std::move(name), .what = std::move(what), .settings = "", .published = published},
            .tried = std::move(tried),
            .chosen = chosen};
  if (!e.tried.empty()) e.card.settings = e.tried[static_cast<std::size_t>(chosen)].text;
  return e;
}

// from the table of the earlier draft (SCIENCE §1.4); collisions there are a share, not per 1,000 steps
Published published(double success, double steps, double regret, double p99_ms) {
  return {.success = success, .steps = steps, .violations = {}, .regret = regret, .p99_us = 1000 * p99_ms};
}

}  // namespace

std::vector<Entrant> line_up(Mode mode) {
  std::vector<Entrant> all;
  all.push_back(entrant("transformer", "attention over 128 steps, with a cache", alone<&Policies::transformer>(), 0,
                        published(.68, 39.7, 1.00, 38.2)));
  all.push_back(entrant("frozen", "the selective policy as it is", alone<&Policies::selective>(), 0,
                        published(.77, 34.2, .78, 6.0)));
  all.push_back(entrant("filter", "frozen, its command turned along obstacles", filter_settings(), 0));
  all.push_back(entrant("rmpflow", "motion policies: to a stop of the way, off every hit", flow_settings(), 0,
                        published(.82, 31.1, .71, 6.2)));
  all.push_back(
      entrant("ilqr", "one Riccati sweep over three stops", sweep_settings(3, 1), 0, published(.90, 24.8, .54, 8.9)));
  all.push_back(entrant("mpc_3", "receding horizon, three stops", sweep_settings(3, 5), 0));
  all.push_back(entrant("mpc_8", "receding horizon, eight stops", sweep_settings(8, 5), 0));
  all.push_back(entrant("way", "Gauss-Newton on the way itself, no latent", way_settings(), 0));
  all.push_back(entrant("euclidean", "latent: plain gradient, one step", plain_settings({.kind = Metric::euclidean}, 1),
                        0, published(.88, 26.7, .60, 6.1)));
  all.push_back(entrant("euclidean_time", "latent: plain gradient, at equal time",
                        plain_settings({.kind = Metric::euclidean}, 6), 0));
  all.push_back(entrant("covariance", "latent: running variance of z",
                        plain_settings({.kind = Metric::latent_covariance}, 3), 0, published(.89, 25.9, .57, 6.2)));
  all.push_back(entrant("static", "latent: a preconditioner from one drive, kept", static_settings(), 0));
  all.push_back(entrant("no_adapt", "latent: the sketch of the first corrections, then frozen",
                        pullback_settings({.kind = Metric::fixed, .warm_up = 2}), 0, published(.90, 25.3, .55, 6.3)));
  all.push_back(entrant("literal", "latent: GeoSSM as printed", literal_settings(), 0, published(.96, 21.6, .41, 6.4)));
  all.push_back(entrant("literal_fade", "the printed metric, corrections fade", literal_fade_settings(), 0));
  all.push_back(
      entrant("sketch", "latent: Nystrom sketch, corrected form", pullback_settings({.kind = Metric::sketch}), 0));
  all.push_back(entrant("cg", "latent: four products of conjugate gradients",
                        pullback_settings({.kind = Metric::conjugate_gradient}), 0));
  all.push_back(entrant("exact", "latent: the pullback metric itself", pullback_settings({.kind = Metric::exact}), 0));
  all.push_back(entrant("exact_2nd", "the same, second-order retraction",
                        pullback_settings({.kind = Metric::exact}, Retraction::second_order), 0));
  all.push_back(entrant("exact_way", "exact, then one Gauss-Newton step on the way", both_settings(), 0));
  all.push_back(entrant("observer", "latent: by what it expected to see and did not", observer_settings(), 0));
  if (mode == Mode::drifting) {
    all.push_back(
        entrant("persistent", "latent: the air as coordinates that last; then the way", persistent_settings(), 0));
    all.push_back(entrant("kalman", "a Kalman filter of the air tells the policy; then the way", kalman_settings(), 0));
  }
  Entrant oracle = entrant("oracle", "knows the site, plans anew after the change", {}, 0);
  oracle.oracle = true;
  all.push_back(std::move(oracle));
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
        grid.push_back(entrant(name, "latent: the sketch", {latent(metric, {.damping = lambda})}, 0));
      }
    }
  }
  return grid;
}

}  // namespace elastane::navigation
