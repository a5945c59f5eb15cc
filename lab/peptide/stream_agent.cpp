#include "lab/peptide/stream_agent.h"

#include <algorithm>

#include "lab/peptide/observation.h"

namespace elastane::peptide {

AgentReport summary_of(const StepReport& report, double network_macs) {
  AgentReport summary{.depth = report.depth, .accepted = report.accepted};
  summary.products = report.products;
  summary.condition = report.condition * report.depth;
  summary.macs = network_macs + static_cast<double>(report.total_macs());
  summary.radius = report.radius;
  summary.loss_before = report.loss_before, summary.loss_after = report.loss_after;
  return summary;
}

StreamAgent::StreamAgent(const Model& model, const StreamOptions& options, const MoveOptions& move)
    : stream_(model, options), corrects_(options.corrector.has_value()), move_(move) {}

void StreamAgent::begin(const Energy& energy) {
  stream_.reset();
  objective_.emplace(energy, move_);
}

void StreamAgent::act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                      std::span<float> y) {
  report_.macs = static_cast<double>(stream_.advance(x, kTimeStep).macs);
  if (corrects_) {
    objective_->set_start(observed, contact);
    report_ = summary_of(stream_.correct(*objective_), report_.macs);
  }
  std::copy_n(stream_.output().begin(), std::min(y.size(), stream_.output().size()), y.begin());
}

}  // namespace elastane::peptide
