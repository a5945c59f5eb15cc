#include "lab/crowd/corrected_agent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "elastane/core/math/kernels.h"
#include "elastane/planners/out_of_range.h"

namespace elastane::crowd {
namespace {

// simple ways: a first velocity is held for some knots, then straight to the goal
constexpr int kDirections = 12;
constexpr double kSpeeds[] = {1.0, 0.5};
constexpr int kHeld[] = {1, 3};

CorrectorOptions corrector_options(const CorrectedOptions& o) {
  CorrectorOptions options;
  options.metric = {.kind = Metric::exact, .damping = o.damping};
  // losses are in the tens, so that a trust region in nats would only hinder; the trials' lengths are what keeps it
  // safe
  options.trust = {.radius = 100, .smallest = 0.1, .largest = 1000};
  options.gate = {.kind = Gate::always, .depth = o.depth};
  return options;
}

ForecastOptions as_far_as(const PlanShape& shape, ForecastOptions forecast) {
  forecast.steps = shape.steps();
  return forecast;
}

}  // namespace

Status validate(const CorrectedOptions& o) {
  const auto wrong = [](const char* option, const char* range, double found) {
    return planners::out_of_range("crowd", option, range, found);
  };
  if (o.shape.knots < 1) return wrong("shape.knots", "at least 1", o.shape.knots);
  if (o.shape.hold < 1) return wrong("shape.hold", "at least 1", o.shape.hold);
  if (o.shape.knots > kMostSteps || o.shape.hold > kMostSteps || o.shape.steps() > kMostSteps)
    return wrong("shape.knots times shape.hold", "at most 32", 1.0 * o.shape.knots * o.shape.hold);
  if (o.starts < 0 || o.starts > 100) return wrong("starts", "0 to 100", o.starts);
  for (const double weight : {o.way.progress, o.way.beyond, o.way.people, o.way.speed, o.way.smoothness, o.loyalty}) {
    if (!(weight >= 0 && weight < 1e9)) return wrong("weights", "at least 0, below 1e9", weight);
  }
  return validate(corrector_options(o));
}

CorrectedAgent::CorrectedAgent(const CorrectedOptions& options, std::size_t people)
    : options_(options),
      forecast_(as_far_as(options.shape, options.forecast), people),
      latent_(options.shape, kTimeStep),
      objective_(options.way, options.shape.steps(), forecast_),
      corrector_(corrector_options(options), latent_.latents(), latent_.outputs(), *kernels().value()),
      memory_(corrector_.memory_doubles()) {
  plan_.z.resize(static_cast<std::size_t>(latent_.latents()));
  plan_.y.resize(static_cast<std::size_t>(latent_.outputs()));
  candidate_ = plan_;
  ways_.assign(static_cast<std::size_t>(options.starts), plan_);
  reset();
}

void CorrectedAgent::reset() {
  begun_ = false;
  forecast_.reset();
  corrector_.reset(memory_.data());
}

Vec2 CorrectedAgent::act(const View& view) {
  forecast_.observe(view.people);
  latent_.begin(view.robot.position);
  objective_.begin(view.robot, view.goal);
  if (begun_) {
    shift_plan();
  } else {
    lay_out(view, {}, 0, plan_);
  }
  begun_ = true;
  propose(view);

  correct(plan_);
  const double to_beat = plan_.cost - options_.loyalty;
  for (Way& way : ways_) {
    correct(way);
    if (way.cost < std::min(to_beat, plan_.cost)) std::swap(plan_, way);
  }
  return {plan_.z[0], plan_.z[1]};
}

// by one step: knots are held for several, so what is left lies between two of them
void CorrectedAgent::shift_plan() {
  const double share = 1.0 / options_.shape.hold;
  for (std::size_t i = 0; i + 2 < plan_.z.size(); ++i) plan_.z[i] += share * (plan_.z[i + 2] - plan_.z[i]);
}

// the best of many simple ways, to be corrected
void CorrectedAgent::propose(const View& view) {
  for (Way& way : ways_) way.cost = std::numeric_limits<double>::infinity();
  const auto consider = [&](Vec2 first, int knots) {
    lay_out(view, first, knots, candidate_);
    judge(candidate_);
    const auto worst = std::ranges::max_element(ways_, {}, &Way::cost);
    if (worst != ways_.end() && candidate_.cost < worst->cost) std::swap(*worst, candidate_);
  };
  consider({}, 0);
  const Vec2 ahead = direction(view.goal - view.robot.position);
  for (const int knots : kHeld) {
    consider({}, knots);
    for (const double speed : kSpeeds) {
      for (int d = 0; d < kDirections; ++d) {
        const double angle = 2 * std::numbers::pi * d / kDirections;
        consider(speed * (std::cos(angle) * ahead + std::sin(angle) * turned_left(ahead)), knots);
      }
    }
  }
}

void CorrectedAgent::lay_out(const View& view, Vec2 first, int knots, Way& way) {
  Vec2 at = view.robot.position;
  const double seconds = kTimeStep * options_.shape.hold;
  for (int k = 0; k < options_.shape.knots; ++k) {
    const Vec2 v = k < knots ? first : shortened((1 / seconds) * (view.goal - at), kSpeedLimit);
    way.z[static_cast<std::size_t>(2 * k)] = v.x, way.z[static_cast<std::size_t>(2 * k + 1)] = v.y;
    at += seconds * v;
  }
}

void CorrectedAgent::correct(Way& way) {
  corrector_.correct(latent_, objective_, options_.budget, way.z, way.y, memory_.data());
  // the objective only dislikes speed; the robot cannot do it
  for (std::size_t k = 0; k < way.z.size(); k += 2) {
    const Vec2 v = shortened(Vec2{way.z[k], way.z[k + 1]}, kSpeedLimit);
    way.z[k] = v.x, way.z[k + 1] = v.y;
  }
  judge(way);
}

void CorrectedAgent::judge(Way& way) {
  latent_.output(way.z, way.y);
  const int steps = options_.shape.steps();
  int safe = 0;
  while (safe < steps && !objective_.collides(way.y, safe)) ++safe;
  // later is better: forecasts may be wrong, and there is time to think again
  const double share = static_cast<double>(steps - safe) / steps;
  way.cost = objective_.value(way.y) + options_.collision * share * share;
}

}  // namespace elastane::crowd
