#include "lab/peptide/reckoning.h"

#include <algorithm>

#include "lab/peptide/trial.h"

namespace elastane::peptide {
namespace {

constexpr int kMostSights = 64;  // beyond, old ones fade: a mean for ever would keep what was once wrong

}  // namespace

void ReckoningDriver::begin(const Energy& energy) {
  inner_->begin(energy);
  torsions_ = energy.chain().torsions();
  seen_ = 0;
}

void ReckoningDriver::drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                            std::span<float> y) {
  seen_ = std::min(seen_ + 1, kMostSights);
  for (std::size_t t = 0; t < static_cast<std::size_t>(torsions_); ++t) {
    const double surprise = wrapped(observed[t] - reckoned_[t]);
    reckoned_[t] = wrapped(reckoned_[t] + surprise / seen_);
  }
  inner_->drive(x, reckoned_, contact, y);
  reckoned_ = moved(reckoned_, y, torsions_, MoveOptions{}.limit);
}

}  // namespace elastane::peptide
