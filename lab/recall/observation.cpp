#include "lab/recall/observation.h"

#include <algorithm>
#include <cmath>

namespace elastane::recall {
namespace {

constexpr int kKeyAt = kValues, kAskedKeyAt = kKeyAt + kKeys, kMarkerAt = kAskedKeyAt + kKeys,
              kNeedleAt = kMarkerAt + kTasks, kQueryAt = kNeedleAt + 1, kXAt = kQueryAt + 1,
              kAskedXAt = kXAt + kCentres, kYAt = kAskedXAt + kCentres;

// What is looked up by content stands out: a match of two keys shows in their product, which must not drown in the rest of
// the step.
constexpr float kLoud = 1.5F;

void write_x(double x, std::span<float> to) {
  constexpr double kSpacing = 2.0 / (kCentres - 1);
  for (int i = 0; i < kCentres; ++i) {
    const double off = (x - (-1 + i * kSpacing)) / kSpacing;
    to[i] = kLoud * static_cast<float>(std::exp(-0.5 * off * off));
  }
}

void write_y(double y, std::span<float> to) {
  // in units of cells, from the middle of the first
  const double at = std::clamp((y + kHeight) / (2 * kHeight) * kValues - 0.5, 0.0, kValues - 1.0);
  const int below = std::min(static_cast<int>(at), kValues - 2);
  to[below] = static_cast<float>(1 - (at - below));
  to[below + 1] = static_cast<float>(at - below);
}

}  // namespace

void observe(const Step& step, std::span<float> x) {
  std::ranges::fill(x, 0.0F);
  x[step.value] = 1;
  if (step.key >= 0) x[(step.query ? kAskedKeyAt : kKeyAt) + step.key] = kLoud;
  if (step.marker >= 0) x[kMarkerAt + step.marker] = 1;
  x[kNeedleAt] = step.needle ? 1 : 0;
  x[kQueryAt] = step.query ? 1 : 0;
  if (step.point) write_x(step.x, x.subspan(step.query ? kAskedXAt : kXAt, kCentres));
  if (step.point && !step.query) write_y(step.y, x.subspan(kYAt, kValues));
}

}  // namespace elastane::recall
