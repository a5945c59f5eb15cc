// Real-time code only.
#include "elastane/core/stream/late_labels.h"

#include <limits>

namespace elastane {

LateLabels::Entry LateLabels::at(std::uint64_t position) {
  const auto slot = static_cast<std::size_t>(position % static_cast<std::uint64_t>(depth_));
  const auto inputs = static_cast<std::size_t>(inputs_), outputs = static_cast<std::size_t>(outputs_);
  Fixed& fixed = fixed_[slot];
  return {{x_.data() + slot * inputs, inputs},
          {present_.data() + slot * inputs, inputs},
          {labels_.data() + slot * outputs, outputs},
          fixed.dt,
          fixed.anticipated,
          fixed.corrected,
          fixed.budget};
}

void LateLabels::keep(std::uint64_t position, const Sample& sample) {
  if (depth_ == 0) return;
  const Entry entry = at(position);
  for (std::size_t i = 0; i < entry.x.size(); ++i) {
    const bool offered = i < sample.x.size() && (i >= sample.present.size() || sample.present[i] != 0);
    entry.x[i] = offered ? sample.x[i] : 0.0F;
    entry.present[i] = offered ? 1 : 0;
  }
  for (float& label : entry.label) label = std::numeric_limits<float>::quiet_NaN();
  entry.dt = sample.dt;
  entry.anticipated = false;
  entry.corrected = Corrected::no;
}

}  // namespace elastane
