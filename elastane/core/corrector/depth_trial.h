// What each depth would do in a step, tried from the same latent and without a gate.
//
//   DepthTrial trial(options, d, m, kernels);
//   trial.run(model, objective, z, memory, [&](int depth, std::span<const double> z, std::span<const double> y) {
//     losses[depth] = task_loss(y);
//   });
//   corrector.correct(model, objective, budget, z, y, memory);        // the step itself, with its gate
//   if (!corrector.gate_features().empty()) examples.add(corrector.gate_features(), losses);
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "elastane/core/math/kernels.h"

namespace elastane {

class DepthTrial {
 public:
  // For a corrector with these options; the gate's kind does not matter. With a learned gate use Corrector::options(),
  // which holds its K_max
  DepthTrial(CorrectorOptions options, int latents, int outputs, const Kernels& k, const LearnedMetric& learned = {})
      : depths_(options.gate.depth + 1),
        // Micro-steps taken one by one are the same as all at once, and cheaper than each depth from the start; but not
        // where a micro-step depends on where the step began, or an observation may count only once.
        stepwise_(options.retraction.drift == 0 && options.metric.kind != Metric::kalman),
        z_(as_size(latents)),
        y_(as_size(outputs)) {
    for (int depth = 1; depth < (stepwise_ ? std::min(depths_, 2) : depths_); ++depth) {
      options.gate = {.kind = Gate::always, .depth = depth};
      correctors_.emplace_back(options, latents, outputs, k, learned);
    }
    if (!correctors_.empty()) memory_.resize(correctors_.front().memory_doubles());
  }

  // Calls visit(depth, z, y) for 0 … K_max; after a micro-step that is refused, all deeper ones have the same result.
  // `memory` is that of the corrector that takes the step, and is not changed. The model's point moves, so call
  // anticipate afterwards.
  template <class Visit>
  void run(LatentModel& model, const Objective& objective, std::span<const double> z, const double* memory,
           Visit visit) {
    const auto begin = [&] {
      std::copy(z.begin(), z.end(), z_.begin());
      std::copy_n(memory, memory_.size(), memory_.begin());  // the gate's part comes after these
    };
    begin();
    model.output(z_, y_);
    bool moving = true;
    for (int depth = 0; depth < depths_; ++depth) {
      if (depth > 0 && moving) {
        if (!stepwise_) begin();
        Corrector& corrector = correctors_[stepwise_ ? 0 : as_size(depth) - 1];
        const StepReport report = corrector.correct(model, objective, Budget::none(), z_, y_, memory_.data());
        moving = report.accepted == corrector.options().gate.depth;
      }
      visit(depth, std::span<const double>(z_), std::span<const double>(y_));
    }
  }

 private:
  int depths_;
  bool stepwise_;
  std::vector<Corrector> correctors_;  // one micro-step; or one corrector for each depth from 1
  std::vector<double> z_, y_, memory_;
};

}  // namespace elastane
