// Real-time code only.
#include "elastane/core/latent/persistent.h"

#include <cmath>
#include <cstring>

#include "elastane/core/math/dense.h"

namespace elastane {

void PersistentLatent::carve_memory(double* at, int carried) {
  memory.surprise = at;
  at += double_stride(1);
  memory.c = at;
  at += double_stride(n_);
  memory.covariance = {at, n_, double_stride(n_)};
  at += static_cast<std::ptrdiff_t>(n_) * double_stride(n_);
  memory.sensitivity = {at, n_ - still_, double_stride(carried)};
}

void PersistentLatent::reset_memory() {
  *memory.surprise = 0;
  for (int i = 0; i < n_; ++i) {
    memory.c[i] = 0;
    for (int j = 0; j < memory.covariance.stride; ++j) memory.covariance[i][j] = i == j ? options_.variances[i] : 0.0;
  }
  forget_past();
}

void PersistentLatent::forget_past() {
  for (int i = 0; i < memory.sensitivity.count; ++i) {
    for (int j = 0; j < memory.sensitivity.stride; ++j) memory.sensitivity[i][j] = 0;
  }
}

void PersistentLatent::leak() {
  const double rho = options_.leak;
  const bool alarmed = options_.alarm > 0 && *memory.surprise > options_.alarm;
  const double doubt = alarmed ? 1 / options_.alarm_memory : 0.0;
  for (int i = 0; i < n_; ++i) {
    memory.c[i] *= rho;
    if (!options_.accumulate) continue;  // a fixed covariance neither drifts nor leaks
    for (int j = 0; j < n_; ++j) memory.covariance[i][j] *= rho * rho;
    memory.covariance[i][i] += options_.noises[i] + doubt * options_.variances[i];
  }
}

// for a squared error, loss and prior after the best step are half of eᵀ(JPJᵀ + R)⁻¹e, which is ℓ − ½κ
void PersistentLatent::notice(const Objective& objective, std::span<const double> y, const StepReport& report) {
  if (!(options_.alarm > 0) || report.depth == 0) return;
  objective.gauss_newton(y, work_.unit, work_.weight);
  int observed = 0;
  for (int i = 0; i < m_; ++i) observed += work_.weight[i][i] > 0 ? 1 : 0;
  const double left = 2 * report.loss_before - report.kappa;
  if (observed == 0 || !(left >= 0)) return;
  const double bounded = std::fmin(left / observed, 10 * options_.alarm);  // one outlier is not a change
  *memory.surprise += (bounded - *memory.surprise) / options_.alarm_memory;
}

bool PersistentLatent::begin(LatentModel& inner) {
  inner_ = &inner;
  if (factorise()) return true;
  // rounding has destroyed the covariance: keep c, and start the covariance again
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j < n_; ++j) memory.covariance[i][j] = i == j ? options_.variances[i] : 0.0;
  }
  return factorise();
}

// λPc = RᵀR, so M = Rᵀ
bool PersistentLatent::factorise() {
  const double lambda = 1 / options_.latent_variance;
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j < n_; ++j) work_.factor[i][j] = lambda * memory.covariance[i][j];
  }
  return k_->cholesky(work_.factor.data, n_, work_.factor.stride);
}

// (dζ, dĉ) ↦ (dζ + S dc, dc), dc = M dĉ
void PersistentLatent::tangent_to_inner(const double* q, double* zc) const {
  for (int i = 0; i < z_; ++i) zc[i] = q[i];
  double* dc = zc + z_;
  for (int i = 0; i < n_; ++i) dc[i] = 0;
  for (int j = 0; j < n_; ++j) {
    const double along = q[z_ + j];
    for (int i = j; i < n_ && along != 0; ++i) dc[i] += work_.factor[j][i] * along;
  }
  for (int i = still_; i < n_; ++i) {
    const double* s = memory.sensitivity[i - still_];
    for (int l = 0; l < z_; ++l) zc[l] += s[l] * dc[i];
  }
}

void PersistentLatent::to_inner(std::span<const double> q, std::span<double> zc) const {
  tangent_to_inner(q.data(), zc.data());
  for (int i = 0; i < n_; ++i) zc[z_ + i] += memory.c[i];
}

void PersistentLatent::linearise(std::span<const double> q, std::span<double> y) {
  to_inner(q, mapped());
  inner_->linearise(mapped(), y);
}

void PersistentLatent::output(std::span<const double> q, std::span<double> y) {
  to_inner(q, mapped());
  inner_->output(mapped(), y);
}

void PersistentLatent::jvp(ConstDoubleRows q, DoubleRows jq) {
  for (int first = 0; first < q.count; first += kMappedRows) {
    const int count = q.count - first < kMappedRows ? q.count - first : kMappedRows;
    for (int r = 0; r < count; ++r) tangent_to_inner(q[first + r], work_.mapped[r]);
    inner_->jvp(work_.mapped.slice(0, count), jq.slice(first, count));
  }
}

void PersistentLatent::vjp(ConstDoubleRows w, DoubleRows jtw) {
  inner_->vjp(w, jtw);
  adjoints_to_outer(jtw.slice(0, w.count));
}

void PersistentLatent::jacobian(ConstDoubleRows units, DoubleRows rows) {
  inner_->jacobian(units, rows);
  adjoints_to_outer(rows.slice(0, units.count));
}

// (w_z, w_c) ↦ (w_z, Mᵀ(Sᵀw_z + w_c))
void PersistentLatent::adjoints_to_outer(DoubleRows w) {
  for (int r = 0; r < w.count; ++r) {
    double* pulled = w[r];
    double* direct = work_.mapped[0];
    for (int i = 0; i < n_; ++i) {
      direct[i] = pulled[z_ + i];
      for (int l = 0; i >= still_ && l < z_; ++l) direct[i] += memory.sensitivity[i - still_][l] * pulled[l];
    }
    for (int i = 0; i < n_; ++i) {
      double sum = 0;
      for (int j = i; j < n_; ++j) sum += work_.factor[i][j] * direct[j];
      pulled[z_ + i] = sum;
    }
  }
}

void PersistentLatent::second(std::span<const double> q, std::span<double> d2) {
  tangent_to_inner(q.data(), work_.mapped[0]);
  inner_->second(mapped(), d2);
}

void PersistentLatent::roll_tangent(std::span<const double> v, DoubleRows dy) {
  tangent_to_inner(v.data(), work_.mapped[0]);
  inner_->roll_tangent(mapped(), dy);
}

void PersistentLatent::roll(std::span<const double> q, DoubleRows y) {
  to_inner(q, mapped());
  inner_->roll(mapped(), y);
}

LatentCost PersistentLatent::cost_over(const LatentModel& inner) const {
  LatentCost cost = inner.cost();
  const std::int64_t map = static_cast<std::int64_t>(n_) * (z_ + n_);
  for (std::int64_t* part : {&cost.read, &cost.jvp, &cost.vjp, &cost.second}) *part += map;
  return cost;
}

bool PersistentLatent::absorb(const Objective& objective, std::span<const double> y, double alpha) {
  objective.gauss_newton(y, work_.unit, work_.weight);
  inner_->jacobian(work_.unit, work_.jacobian);
  measure_effect();
  if (!absorb_into_sensitivity(alpha)) return false;
  return !options_.accumulate || absorb_into_covariance(alpha);
}

// effect ← Hᵀ: H_i = J S_i + J_c e_i
void PersistentLatent::measure_effect() {
  const DoubleRows jacobian = work_.jacobian, effect = work_.effect;
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j < m_; ++j) {
      effect[i][j] = jacobian[j][z_ + i];
      for (int l = 0; i >= still_ && l < z_; ++l) effect[i][j] += jacobian[j][l] * memory.sensitivity[i - still_][l];
    }
  }
}

// S ← S − αKzH, with Kz = PzJᵀ(I + WX)⁻¹W, X = JPzJᵀ
bool PersistentLatent::absorb_into_sensitivity(double alpha) {
  const double pz = options_.latent_variance;
  const DoubleRows jacobian = work_.jacobian;
  for (int i = 0; i < m_; ++i) {
    for (int j = 0; j < m_; ++j) {
      double sum = 0;
      for (int l = 0; l < z_; ++l) sum += jacobian[i][l] * jacobian[j][l];
      work_.state_spread[i][j] = pz * sum;
    }
  }
  if (!solve_gain(work_.state_spread)) return false;
  for (int i = still_; i < n_; ++i) {
    for (int j = 0; j < m_; ++j) {
      const double factor = alpha * pz * work_.gain[i][j];
      for (int l = 0; l < z_; ++l) memory.sensitivity[i - still_][l] -= factor * jacobian[j][l];
    }
  }
  return true;
}

// Pc ← Pc − α(2 − α)PcHᵀ(I + WX)⁻¹WHPc, with X = JPzJᵀ + HPcHᵀ
bool PersistentLatent::absorb_into_covariance(double alpha) {
  const DoubleRows effect = work_.effect, spread = work_.spread, gain = work_.gain;
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j < m_; ++j) spread[i][j] = 0;
    for (int l = 0; l < n_; ++l) {
      for (int j = 0; j < m_; ++j) spread[i][j] += memory.covariance[i][l] * effect[l][j];  // PcHᵀ
    }
  }
  for (int i = 0; i < m_; ++i) {
    for (int j = 0; j < m_; ++j) {
      for (int l = 0; l < n_; ++l) work_.state_spread[i][j] += effect[l][i] * spread[l][j];
    }
  }
  std::memcpy(effect.data, spread.data, sizeof(double) * as_size(n_) * as_size(effect.stride));
  if (!solve_gain(work_.state_spread)) return false;  // gain = (I + WX)⁻¹W(HPc)
  const double taken = alpha * (2 - alpha);
  for (int i = 0; i < n_; ++i) {
    for (int l = 0; l <= i; ++l) {
      double sum = 0;
      for (int j = 0; j < m_; ++j) sum += 0.5 * (spread[i][j] * gain[l][j] + spread[l][j] * gain[i][j]);
      memory.covariance[i][l] -= taken * sum;
      memory.covariance[l][i] = memory.covariance[i][l];
    }
  }
  return true;
}

// rows of gain ← (I + WX)⁻¹W·(rows of effect)
bool PersistentLatent::solve_gain(ConstDoubleRows x) {
  for (int i = 0; i < m_; ++i) {
    for (int j = 0; j < m_; ++j) {
      double sum = i == j ? 1.0 : 0.0;
      for (int l = 0; l < m_; ++l) sum += work_.weight[i][l] * x[l][j];
      work_.system[i][j] = sum;
    }
  }
  if (!eliminate(work_.system.data, m_, work_.system.stride, work_.pivots)) return false;
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j < m_; ++j) {
      double sum = 0;
      for (int l = 0; l < m_; ++l) sum += work_.weight[j][l] * work_.effect[i][l];
      work_.gain[i][j] = sum;
    }
    solve_eliminated(work_.system.data, m_, work_.system.stride, work_.pivots, work_.gain[i]);
    for (int j = 0; j < m_; ++j) {
      if (!(std::fabs(work_.gain[i][j]) <= 1e100)) return false;
    }
  }
  return true;
}

}  // namespace elastane
