#include "elastane/planners/rmpflow.h"

#include <algorithm>
#include <cmath>

#include "elastane/planners/eigen_view.h"
#include "elastane/planners/out_of_range.h"

namespace elastane::planners {
Status validate(const RmpFlowOptions& o) {
  // negated, so that NaN fails too
  if (!(o.damping >= 0 && o.damping < 1e12))
    return out_of_range("rmpflow", "damping", "at least 0, below 1e12", o.damping);
  if (!(o.cut_off >= 0 && o.cut_off < 1)) return out_of_range("rmpflow", "cut_off", "at least 0, below 1", o.cut_off);
  return {};
}

RmpFlow::RmpFlow(const RmpFlowOptions& options, int coordinates, int widest)
    : options_(options),
      d_(coordinates),
      widest_(widest),
      kernels_(kernels().value()),
      q_(static_cast<std::size_t>(coordinates)),
      velocity_(q_),
      metric_(coordinates, coordinates),
      force_(q_),
      x_(static_cast<std::size_t>(widest)),
      x_velocity_(x_),
      curvature_(x_),
      pull_(x_),
      jacobian_(widest, coordinates),
      leaf_metric_(widest, widest),
      mj_(widest, coordinates),
      system_(metric_),
      vectors_(metric_),
      values_(q_) {}

void RmpFlow::begin(std::span<const double> q, std::span<const double> velocity) {
  std::ranges::copy(q, q_.begin());
  std::ranges::copy(velocity, velocity_.begin());
  metric_.fill(0);
  std::ranges::fill(force_, 0.0);
}

bool RmpFlow::add(const TaskMap& map, const MotionPolicy& policy) {
  const int k = map.tasks();
  if (k > widest_) return false;
  const auto tasks = static_cast<std::size_t>(k);
  const std::span<double> x = std::span(x_).first(tasks), x_velocity = std::span(x_velocity_).first(tasks),
                          curvature = std::span(curvature_).first(tasks), pull = std::span(pull_).first(tasks);
  std::ranges::fill(x, 0.0), std::ranges::fill(curvature, 0.0), std::ranges::fill(pull, 0.0);
  jacobian_.fill(0), leaf_metric_.fill(0);

  const DoubleRows leaf_metric{leaf_metric_.values().data(), k, widest_};
  const auto j = as_eigen(jacobian_).topRows(k);
  const auto m = as_eigen(leaf_metric_).topLeftCorner(k, k);
  auto mj = as_eigen(mj_).topRows(k);

  // pushforward
  map.map(q_, velocity_, x, {jacobian_.values().data(), k, d_}, curvature);
  as_eigen(x_velocity).noalias() = j.lazyProduct(as_eigen(velocity_));  // ẋ = J q̇
  policy.evaluate(x, x_velocity, leaf_metric, pull);

  // pullback
  as_eigen(pull).noalias() -= m.lazyProduct(as_eigen(curvature));  // f_i − M_i J̇q̇
  mj.noalias() = m.lazyProduct(j);
  if (!mj.allFinite() || !as_eigen(pull).allFinite()) return false;
  as_eigen(metric_).noalias() += j.transpose().lazyProduct(mj);             // M += JᵀM_i J
  as_eigen(force_).noalias() += j.transpose().lazyProduct(as_eigen(pull));  // f += Jᵀ(f_i − M_i J̇q̇)
  return true;
}

bool RmpFlow::resolve(std::span<double> acceleration) {
  std::ranges::fill(acceleration, 0.0);
  system_ = metric_;
  as_eigen(system_).diagonal().array() += options_.damping;
  if (!kernels_->eigen_symmetric(system_.values().data(), d_, d_, values_.data(), vectors_.values().data(), d_)) {
    return false;
  }
  const double least = options_.cut_off * std::fabs(values_[0]);
  bool any = false;
  for (int i = 0; i < d_; ++i) {
    const double value = values_[static_cast<std::size_t>(i)];
    if (!(value > least)) continue;
    any = true;
    const auto direction = as_eigen(vectors_.row(i));
    as_eigen(acceleration) += direction.dot(as_eigen(force_)) / value * direction;  // q̈ = Σ v_i v_iᵀf/λ_i
  }
  return any;
}

}  // namespace elastane::planners
