#include "lab/navigation/tried_settings.h"

#include <array>
#include <cstdio>

#include "lab/navigation/belief_agents.h"
#include "lab/navigation/planner_agents.h"

namespace elastane::navigation {
namespace {

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

const CorrectorOptions& polish() {
  static const CorrectorOptions options =
      corrector({.kind = Metric::exact}, {.depth = 3, .damping = 1e-3, .radius = 2});
  return options;
}

}  // namespace

std::string number(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

Setting latent(const MetricOptions& metric, const Knobs& knobs, Retraction retraction) {
  CorrectorOptions options = corrector(metric, knobs);
  options.retraction.kind = retraction;
  return {text_of(knobs), [options, fade = knobs.fade](const Policies& p) -> std::unique_ptr<Agent> {
            return std::make_unique<LatentAgent>(p.selective, options, WayTastes{}, fade);
          }};
}

std::vector<Setting> pullback_settings(const MetricOptions& metric, Retraction retraction) {
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

std::vector<Setting> plain_settings(const MetricOptions& metric, int depth) {
  std::vector<Setting> settings;
  for (const double radius : {0.5, 2.0}) {
    for (const double fade : {0.0, 0.1, 0.2, 0.4}) {
      settings.push_back(latent(metric, {.depth = depth, .fade = fade, .radius = radius}));
    }
  }
  return settings;
}

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

}  // namespace elastane::navigation
