#include "lab/crowd/corrected_agent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "elastane/core/math/kernels.h"
#include "elastane/planners/out_of_range.h"

namespace elastane::crowd {
namespace {

// simple plans: a first velocity is held for some knots, then straight to the goal
constexpr int kDirections = 12;
constexpr double kSpeeds[] = {1.0, 0.5};
constexpr int kHeld[] = {1, 3};  // and options.wait: a dense crowd has to be let pass

CorrectorOptions corrector_options(const CorrectedOptions& o) {
  CorrectorOptions options;
  options.metric = {.kind = Metric::exact, .damping = o.damping};
  // losses are in the tens, so a trust region in nats would only hinder; the line search keeps steps safe
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
  if (o.wait < 0 || o.wait > o.shape.knots) return wrong("wait", "0 to shape.knots", o.wait);
  if (o.starts < 0 || o.starts > 100) return wrong("starts", "0 to 100", o.starts);
  for (const double weight :
       {o.weights.progress, o.weights.beyond, o.weights.people, o.weights.speed, o.weights.smoothness, o.loyalty}) {
    if (!(weight >= 0 && weight < 1e9)) return wrong("weights", "at least 0, below 1e9", weight);
  }
  return validate(corrector_options(o));
}

CorrectedAgent::CorrectedAgent(const CorrectedOptions& options, std::size_t people)
    : options_(options),
      forecast_(as_far_as(options.shape, options.forecast), people),
      latent_(options.shape, kTimeStep),
      objective_(options.weights, options.shape.steps(), forecast_),
      corrector_(corrector_options(options), latent_.latents(), latent_.outputs(), *kernels().value()),
      memory_(corrector_.memory_doubles()) {
  plan_.z.resize(static_cast<std::size_t>(latent_.latents()));
  plan_.y.resize(static_cast<std::size_t>(latent_.outputs()));
  tried_ = plan_;
  candidates_.assign(static_cast<std::size_t>(options.starts), plan_);
  begin();
}

void CorrectedAgent::begin() {
  begun_ = false;
  forecast_.reset();
  corrector_.reset(memory_.data());
}

Vec2 CorrectedAgent::act(const Observation& observation) {
  forecast_.observe(observation.people);
  latent_.begin(observation.robot.position);
  objective_.begin(observation.robot, observation.goal);
  if (begun_) {
    shift_plan();
  } else {
    lay_out(observation, {}, 0, plan_);
  }
  begun_ = true;
  propose(observation);

  correct(plan_);
  const double to_beat = plan_.cost - options_.loyalty;
  for (Candidate& candidate : candidates_) {
    correct(candidate);
    if (candidate.cost < std::min(to_beat, plan_.cost)) std::swap(plan_, candidate);
  }
  return {plan_.z[0], plan_.z[1]};
}

// by one step: knots are held for several, so the new ones lie between two old ones
void CorrectedAgent::shift_plan() {
  const double share = 1.0 / options_.shape.hold;
  for (std::size_t i = 0; i + 2 < plan_.z.size(); ++i) plan_.z[i] += share * (plan_.z[i + 2] - plan_.z[i]);
}

// keeps the best of many simple plans
void CorrectedAgent::propose(const Observation& observation) {
  for (Candidate& candidate : candidates_) candidate.cost = std::numeric_limits<double>::infinity();
  const auto consider = [&](Vec2 first, int knots) {
    const auto worst = std::ranges::max_element(candidates_, {}, &Candidate::cost);
    if (worst == candidates_.end()) return;
    lay_out(observation, first, knots, tried_);
    judge(tried_, worst->cost);
    if (tried_.cost < worst->cost) std::swap(*worst, tried_);
  };
  consider({}, 0);
  const Vec2 ahead = direction(observation.goal - observation.robot.position);
  for (const int knots : {kHeld[0], kHeld[1], options_.wait}) {
    if (knots == 0) continue;
    consider({}, knots);
    for (const double speed : kSpeeds) {
      for (int d = 0; d < kDirections; ++d) {
        const double angle = 2 * std::numbers::pi * d / kDirections;
        consider(speed * (std::cos(angle) * ahead + std::sin(angle) * turned_left(ahead)), knots);
      }
    }
  }
}

void CorrectedAgent::lay_out(const Observation& observation, Vec2 first, int knots, Candidate& candidate) {
  Vec2 at = observation.robot.position;
  const double seconds = kTimeStep * options_.shape.hold;
  for (int k = 0; k < options_.shape.knots; ++k) {
    const Vec2 v = k < knots ? first : shortened((1 / seconds) * (observation.goal - at), kSpeedLimit);
    candidate.z[static_cast<std::size_t>(2 * k)] = v.x, candidate.z[static_cast<std::size_t>(2 * k + 1)] = v.y;
    at += seconds * v;
  }
}

void CorrectedAgent::correct(Candidate& candidate) {
  corrector_.correct(latent_, objective_, options_.budget, candidate.z, candidate.y, memory_.data());
  // the objective only penalises speed; the robot cannot exceed its limit
  for (std::size_t k = 0; k < candidate.z.size(); k += 2) {
    const Vec2 v = shortened(Vec2{candidate.z[k], candidate.z[k + 1]}, kSpeedLimit);
    candidate.z[k] = v.x, candidate.z[k + 1] = v.y;
  }
  judge(candidate, std::numeric_limits<double>::infinity());
}

void CorrectedAgent::judge(Candidate& candidate, double most) {
  latent_.output(candidate.z, candidate.y);
  candidate.cost = objective_.judge(candidate.y, options_.collision, most);
}

}  // namespace elastane::crowd
