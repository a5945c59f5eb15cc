// A plan as a latent: velocities, each held for some steps. Its outputs are the positions that they lead to.
#pragma once

#include <span>

#include "elastane/core/corrector/latent_model.h"
#include "elastane/planners/vec2.h"

namespace elastane::crowd {

struct PlanShape {
  int knots = 10;  // velocities
  int hold = 2;    // steps for which each is held
  int steps() const { return knots * hold; }
};

// y_h = p + Δt Σ_{s ≤ h} z_{s/hold}: linear, so J is constant. The latent does not change by itself.
class PlanLatent final : public LatentModel {
 public:
  PlanLatent(const PlanShape& shape, double time_step) : shape_(shape), time_step_(time_step) {}

  void begin(planners::Vec2 position) { position_ = position; }

  int latents() const override { return 2 * shape_.knots; }
  int outputs() const override { return 2 * shape_.steps(); }
  LatentCost cost() const override {
    return {.read = outputs(),
            .jvp = outputs(),
            .vjp = outputs(),
            .second = outputs(),
            .roll = outputs(),
            .roll_jvp = outputs()};
  }

  void linearise(std::span<const double> z, std::span<double> y) override {
    point_ = z;
    output(z, y);
  }
  void output(std::span<const double> z, std::span<double> y) override { accumulate(z.data(), position_, y.data()); }
  void jvp(ConstDoubleRows q, DoubleRows jq) override {
    for (int r = 0; r < q.count; ++r) accumulate(q[r], {}, jq[r]);
  }
  void vjp(ConstDoubleRows w, DoubleRows jtw) override {
    for (int r = 0; r < w.count; ++r) accumulate_back(w[r], jtw[r]);
  }
  void second(std::span<const double> /*q*/, std::span<double> d2) override {
    for (double& value : d2) value = 0;
  }

  void roll_point(DoubleRows y) override { roll(point_, y); }
  void roll_tangent(std::span<const double> v, DoubleRows dy) override {
    for (int h = 0; h < dy.count; ++h) accumulate(v.data(), {}, dy[h]);
  }
  void roll(std::span<const double> z, DoubleRows y) override {
    for (int h = 0; h < y.count; ++h) accumulate(z.data(), position_, y[h]);
  }

 private:
  void accumulate(const double* velocities, planners::Vec2 at, double* positions) const {
    for (int h = 0; h < shape_.steps(); ++h) {
      const double* v = velocities + 2 * (h / shape_.hold);
      at += time_step_ * planners::Vec2{v[0], v[1]};
      positions[2 * h] = at.x, positions[2 * h + 1] = at.y;
    }
  }
  void accumulate_back(const double* weights, double* pulled) const {
    planners::Vec2 sum;
    for (int i = 0; i < latents(); ++i) pulled[i] = 0;
    for (int h = shape_.steps() - 1; h >= 0; --h) {
      sum += planners::Vec2{weights[2 * h], weights[2 * h + 1]};
      double* v = pulled + 2 * (h / shape_.hold);
      v[0] += time_step_ * sum.x, v[1] += time_step_ * sum.y;
    }
  }

  PlanShape shape_;
  double time_step_;
  planners::Vec2 position_;
  std::span<const double> point_;
};

}  // namespace elastane::crowd
