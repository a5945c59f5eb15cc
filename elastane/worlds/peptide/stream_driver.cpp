#include "elastane/worlds/peptide/stream_driver.h"

#include <algorithm>

namespace elastane::peptide {

StreamDriver::StreamDriver(const Model& model, const StreamOptions& options, const MoveOptions& move)
    : stream_(model, options), corrects_(options.corrector.has_value()), move_(move) {}

void StreamDriver::begin(const Energy& energy) {
  stream_.reset();
  objective_.emplace(energy, move_);
}

void StreamDriver::drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                         std::span<float> y) {
  stream_.advance(x);
  if (corrects_) {
    objective_->begin_at(observed, contact);
    report_ = stream_.correct(*objective_);
  }
  std::copy_n(stream_.output().begin(), std::min(y.size(), stream_.output().size()), y.begin());
}

}  // namespace elastane::peptide
