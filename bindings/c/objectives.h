// An objective of the C interface as one of the library's: built in, or made of the caller's functions.
#pragma once

#include <array>
#include <variant>

#include "bindings/c/handles.h"

namespace elastane::c {

inline constexpr std::size_t kMostOutputs = 2048;  // of a model that callbacks judge: their scratch lies on the stack

// the caller's functions; W is diagonal
class CallbackObjective final : public Objective {
 public:
  explicit CallbackObjective(const elastane_objective& given) : given_(given) {}

  double value(std::span<const double> y) const override { return given_.value(given_.context, y.data(), y.size()); }
  void gradient(std::span<const double> y, std::span<double> gradient) const override {
    given_.gradient(given_.context, y.data(), y.size(), gradient.data());
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override {
    std::array<double, kMostOutputs> w;
    diagonal(y, {w.data(), y.size()});
    for (int r = 0; r < directions.count; ++r) {
      for (std::size_t i = 0; i < y.size(); ++i) products[r][i] = w[i] * directions[r][i];
    }
  }
  bool diagonal(std::span<const double> y, std::span<double> w) const override {
    given_.curvature(given_.context, y.data(), y.size(), w.data());
    return true;
  }
  const Objective& at(int h) const override { return given_.lasts != 0 ? *this : Objective::at(h); }

 private:
  const elastane_objective& given_;
};

// Calls act(objective) with what the struct describes, or fails. Nothing is allocated.
template <class Act>
elastane_status with_objective(const elastane_objective* given, std::size_t outputs, Act act) {
  elastane_objective o = ELASTANE_OBJECTIVE;
  if (given == nullptr || !read_struct(given, o)) return refuse("[objective] expected an objective with its size");
  if (o.kind == ELASTANE_CATEGORICAL) {
    act(Categorical({.label = o.label, .classes = o.classes, .lasts = o.lasts != 0}));
    return ELASTANE_OK;
  }
  if (o.kind == ELASTANE_CALLBACK) {
    if (o.value == nullptr || o.gradient == nullptr || o.curvature == nullptr || outputs > kMostOutputs) {
      return refuse("[objective] expected value, gradient and curvature, and at most 2048 outputs");
    }
    act(CallbackObjective(o));
    return ELASTANE_OK;
  }
  if (o.kind != ELASTANE_GAUSSIAN && o.kind != ELASTANE_HUBER) return refuse("[objective] unknown kind");
  if (o.target == nullptr || o.count != outputs) return refuse("[objective] expected one target per output");
  const Target target{.values = {o.target, o.count},
                      .present = {o.present, o.present == nullptr ? 0 : o.count},
                      .noises = {},
                      .noise = o.noise,
                      .lasts = o.lasts != 0};
  if (o.kind == ELASTANE_GAUSSIAN) {
    act(Gaussian(target));
  } else {
    act(Huber(target, o.threshold));
  }
  return ELASTANE_OK;
}

}  // namespace elastane::c
