#include "lab/peptide/estimating_agent.h"

#include <algorithm>

#include "lab/peptide/environment.h"

namespace elastane::peptide {
namespace {

constexpr int kMaxObservations = 64;  // beyond, old ones fade: an endless mean would keep an old error for ever

}  // namespace

void EstimatingAgent::begin(const Energy& energy) {
  inner_->begin(energy);
  torsions_ = energy.chain().torsions();
  observations_ = 0;
}

void EstimatingAgent::act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                          std::span<float> y) {
  observations_ = std::min(observations_ + 1, kMaxObservations);
  for (std::size_t t = 0; t < static_cast<std::size_t>(torsions_); ++t) {
    const double innovation = wrapped(observed[t] - estimate_[t]);
    estimate_[t] = wrapped(estimate_[t] + innovation / observations_);
  }
  inner_->act(x, estimate_, contact, y);
  estimate_ = moved(estimate_, y, torsions_, MoveOptions{}.limit);
}

}  // namespace elastane::peptide
