#include "elastane/forecast/held_out_errors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace elastane {

HeldOutErrors::HeldOutErrors(const ForecastSizes& sizes)
    : sizes_(sizes),
      frozen_(static_cast<std::size_t>(sizes.targets) * static_cast<std::size_t>(sizes.horizon)),
      counts_(frozen_.size()),
      issued_(frozen_.size() * static_cast<std::size_t>(sizes.horizon)) {}

void HeldOutErrors::add(const Forecaster& f, std::uint64_t tick, std::span<const double> row) {
  if (f.tick() != tick || f.rows() == 0) return void(filled_ = 0);  // after a gap there is no forecast of this row
  const ForecastState& state = f.view();
  // the forecast of the row before, as it was published
  const std::size_t each = frozen_.size();
  double* newest = issued_.data() + static_cast<std::size_t>(state.slot(static_cast<double>(tick) - 1)) * each;
  for (std::size_t j = 0; j < each; ++j) newest[j] = f.in_units(static_cast<int>(j) % sizes_.targets, f.forecast()[j]);
  filled_ = std::min(filled_ + 1, sizes_.horizon);
  for (int i = 0; i < sizes_.targets; ++i) {
    const double label = f.in_units(i, row[i]);
    if (!std::isfinite(label)) continue;
    const auto squared = [&](double u) { return (u - label) * (u - label); };
    const UnitMap& map = state.guard[i].map;
    for (int h = 1; h <= static_cast<int>(state.header->origins); ++h) {
      const int slot = state.slot(static_cast<double>(tick) - h);
      const std::size_t at = static_cast<std::size_t>(i) * sizes_.horizon + slot;
      const double* guesses = state.guesses + at * sizes_.members * sizes_.steps;
      const std::size_t which = static_cast<std::size_t>(i) * sizes_.horizon + h - 1;
      persistence_ += squared(map.from(guesses[h - 1]));
      frozen_[which] += squared(map.from(guesses[sizes_.steps + h - 1]));
      const std::size_t step =
          static_cast<std::size_t>(slot) * each + static_cast<std::size_t>((h - 1) * sizes_.targets + i);
      mixed_ += squared(h <= filled_ ? issued_[step] : map.from(state.mixed[at * sizes_.steps + h - 1]));
      counts_[which] += 1;
      count_ += 1;
    }
  }
}

double HeldOutErrors::frozen() const { return mean(std::reduce(frozen_.begin(), frozen_.end())); }

void HeldOutErrors::set_noise(std::vector<float>& noise) const {
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (counts_[i] > 0) noise[i] = static_cast<float>(std::max(1e-6, std::sqrt(frozen_[i] / counts_[i])));
  }
}

}  // namespace elastane
