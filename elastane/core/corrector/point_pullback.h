// A model and an objective at a point, as metrics see them: A = JᵀWJ with the model's J and the objective's W.
#pragma once

#include <span>

#include "elastane/core/corrector/latent_model.h"
#include "elastane/core/metric/pullback.h"

namespace elastane {

class PointPullback final : public Pullback {
 public:
  // y: the outputs at the model's point. Without an objective only products with J may be asked for
  PointPullback(LatentModel& model, const Objective* objective, std::span<const double> y)
      : model_(model), objective_(objective), y_(y) {}

  int latents() const override { return model_.latents(); }
  int outputs() const override { return model_.outputs(); }
  void jvp(ConstDoubleRows q, DoubleRows jq) override { model_.jvp(q, jq); }
  void vjp(ConstDoubleRows w, DoubleRows jtw) override { model_.vjp(w, jtw); }
  void jacobian(ConstDoubleRows units, DoubleRows rows) override { model_.jacobian(units, rows); }
  void weigh(ConstDoubleRows u, DoubleRows wu) override { objective_->gauss_newton(y_, u, wu); }
  bool diagonal(std::span<double> w) override { return objective_->diagonal(y_, w); }

  LatentModel& model() { return model_; }
  const Objective& objective() const { return *objective_; }
  std::span<const double> y() const { return y_; }

 private:
  LatentModel& model_;
  const Objective* objective_;
  std::span<const double> y_;
};

}  // namespace elastane
