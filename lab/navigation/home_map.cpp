#include "lab/navigation/home_map.h"

#include <algorithm>

#include "elastane/core/math/kernels.h"

namespace elastane::navigation {
namespace {

constexpr int kStallSteps = 16;       // a robot that came less far in so many steps
constexpr double kStallShare = 0.35;  // than this share of what it could have driven is stalled
constexpr int kRefuted = 3;           // proposals in a row

// a march is taken as a whole or not at all
CorrectorOptions whole_steps() {
  CorrectorOptions options;
  options.metric.kind = Metric::native;
  options.trust = {.radius = 1e6, .smallest = 1, .largest = 1e9, .low = 1e-9, .trials = 1};
  options.gate = {.kind = Gate::gain, .depth = 1, .price = 0.49};  // a cell that is dearer by the tolerance costs ½
  return options;
}

}  // namespace

MapCorrector::MapCorrector(const SiteMap& map, double tolerance)
    : latent_(map),
      objective_(tolerance),
      corrector_(whole_steps(), latent_.latents(), latent_.outputs(), **kernels(Isa::automatic)),
      memory_(corrector_.memory_doubles()),
      output_(static_cast<std::size_t>(latent_.outputs())) {
  begin();
}

void MapCorrector::begin() {
  latent_.begin();
  corrector_.reset(memory_.data());
}

StepReport MapCorrector::correct() {
  latent_.observe();
  const StepReport report = corrector_.correct(latent_, objective_, {}, latent_.z(), output_, memory_.data());
  latent_.commit(report.accepted > 0);
  return report;
}

HomeMap::HomeMap(const HomeMapOptions& options)
    : options_(options), map_(options.cells), corrector_(map_, options.tolerance), places_(kStallSteps) {}

void HomeMap::begin() {
  map_.begin();
  corrector_.begin();
  report_ = {};
  steps_ = refuted_ = asking_ = 0;
}

HomeDistance::Value HomeMap::home(Vec2 p) const {
  const Distance found = interpolate(map_, corrector_.latent().z(), map_.place() + p);
  return {found.value, found.slope};
}

bool HomeMap::is_stalled() {
  Vec2& oldest = places_[static_cast<std::size_t>(steps_ % kStallSteps)];
  const bool stalled = steps_ >= kStallSteps && norm(map_.place() - oldest) < kStallShare * kStallSteps * kSpeed;
  oldest = map_.place();
  return stalled;
}

bool HomeMap::is_refuted(std::span<const Vec2> proposed) {
  const bool blocked = std::ranges::any_of(proposed, [&](Vec2 p) { return map_.occupied(map_.at(map_.place() + p)); });
  refuted_ = blocked ? refuted_ + 1 : 0;
  return refuted_ >= kRefuted;
}

bool HomeMap::observe(const Observation& observation, std::span<const Vec2> proposed) {
  map_.observe(observation);
  const bool stalled = is_stalled(), refuted = is_refuted(proposed);
  ++steps_;
  const bool now = options_.when == AskMap::stalled ? stalled : options_.when == AskMap::refuted ? refuted : true;
  asking_ = now ? std::max(1, options_.ask_for) : std::max(0, asking_ - 1);
  report_ = asking_ > 0 ? corrector_.correct() : StepReport{};
  return asking_ > 0;
}

}  // namespace elastane::navigation
