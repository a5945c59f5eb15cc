// Real-time code only.
// What may allocate is in stream_guard_setup.cpp.
#include "elastane/core/stream/stream_guard.h"

#include <cmath>

namespace elastane {
namespace {

constexpr double kMostOutput = 1e30;  // more means nothing, and the state must stay finite

void keep(std::span<const float> from, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::fabs(from[i]) <= kMostOutput ? from[i] : 0.0;
}

void give(std::span<const double> from, std::span<float> to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<float>(from[i]);
}

}  // namespace

void StreamGuard::reset(std::byte* state) const {
  guard_.reset(memory(state));
  for (const int row : {0, 1}) {
    for (double& value : outputs(state, row)) value = 0;
  }
}

void StreamGuard::begin_step(std::byte* state, std::span<const float> adapted, std::span<const float> frozen) const {
  keep(adapted, outputs(state, 0));
  keep(frozen, outputs(state, 1));
  guard_.decide(memory(state));
}

GuardReport StreamGuard::judge(std::byte* state, const Objective& objective) const {
  if (objective.empty()) return guard_.report(memory(state));
  const auto seen = static_cast<std::size_t>(judged_);
  return guard_.judge(objective.value(outputs(state, 1).first(seen)), objective.value(outputs(state, 0).first(seen)),
                      memory(state));
}

void StreamGuard::keep_adapted(std::byte* state, std::span<const float> adapted) const {
  keep(adapted, outputs(state, 0));
}

void StreamGuard::publish(const std::byte* state, std::span<const float> adapted, std::span<const float> frozen) {
  const double w = memory(state).spoken;
  for (std::size_t i = 0; i < spoken_.size(); ++i) {
    spoken_[i] = w >= 1 ? adapted[i] : w <= 0 ? frozen[i] : static_cast<float>((1 - w) * frozen[i] + w * adapted[i]);
  }
}

void StreamGuard::recall(const std::byte* state, std::span<float> adapted, std::span<float> frozen) const {
  give(outputs(state, 0), adapted);
  give(outputs(state, 1), frozen);
}

}  // namespace elastane
