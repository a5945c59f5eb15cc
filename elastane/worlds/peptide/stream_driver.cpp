#include "elastane/worlds/peptide/stream_driver.h"

#include <algorithm>

#include "elastane/worlds/peptide/observation.h"

namespace elastane::peptide {

DriveReport summary_of(const StepReport& report, double network_madds) {
  DriveReport summary{.depth = report.depth, .accepted = report.accepted};
  summary.products = report.products;
  summary.condition = report.condition * report.depth;
  summary.madds = network_madds + static_cast<double>(report.total_madds());
  summary.radius = report.radius;
  summary.loss_before = report.loss_before, summary.loss_after = report.loss_after;
  return summary;
}

StreamDriver::StreamDriver(const Model& model, const StreamOptions& options, const MoveOptions& move)
    : stream_(model, options), corrects_(options.corrector.has_value()), move_(move) {
  report_.madds = static_cast<double>(model.madds());
}

void StreamDriver::begin(const Energy& energy) {
  stream_.reset();
  objective_.emplace(energy, move_);
}

void StreamDriver::drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                         std::span<float> y) {
  stream_.advance(x, kPace);
  if (corrects_) {
    objective_->begin_at(observed, contact);
    report_ = summary_of(stream_.correct(*objective_), static_cast<double>(stream_.model().madds()));
  }
  std::copy_n(stream_.output().begin(), std::min(y.size(), stream_.output().size()), y.begin());
}

}  // namespace elastane::peptide
