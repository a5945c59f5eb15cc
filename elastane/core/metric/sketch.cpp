// Real-time code only.
// A rank-r Nyström sketch of A whose running average is an average of metrics, not of factors (docs/science.md §1.6).
#include <cmath>
#include <cstring>
#include <limits>

#include "elastane/core/base/random.h"
#include "elastane/core/math/inner.h"
#include "elastane/core/metric/geometry.h"

namespace elastane {

// Ω = orth[ĝ, p, leading directions of U, fresh random signs], the last always fresh; returns the number of directions
int Geometry::draw_probes(std::span<const double> gradient) {
  Random random(options_.seed, draw() * 8191 * 4);
  const int d = latents_;
  int drawn = 0, old = 0;
  for (int slot = 0; slot < rank_; ++slot) {
    double* q = work.probes[drawn];
    const bool fresh = slot == rank_ - 1 || (slot >= 2 && (old >= rank_ || !(memory.strength[old] > 0)));
    if (slot == 0 && rank_ > 1) {
      for (int i = 0; i < d; ++i) q[i] = gradient[i];
    } else if (slot == 1 && !fresh) {
      for (int i = 0; i < d; ++i) q[i] = memory.previous[i];
    } else if (!fresh) {
      for (int i = 0; i < d; ++i) q[i] = memory.factor[old][i];
      ++old;
    }
    // a direction that lies in the others is replaced by a random one; signs are few where d is small
    bool independent = !fresh && orthogonalise(drawn, q);
    for (int attempt = 0; attempt < 2 && !independent; ++attempt) {
      for (int i = 0; i < d; ++i) q[i] = attempt == 0 ? random.sign() : random.uniform(-1, 1);
      independent = orthogonalise(drawn, q);
    }
    if (independent) ++drawn;
  }
  return drawn;
}

// q ← unit part of q outside the probes drawn so far; false if there is none
bool Geometry::orthogonalise(int drawn, double* q) const {
  const int d = latents_;
  const auto scale = [&](double factor) {
    for (int i = 0; i < d; ++i) q[i] *= factor;
  };
  double length = std::sqrt(dot(q, q, d));
  if (!(length > 1e-150) || !(length < 1e150)) return false;
  scale(1 / length);
  for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Kahan and Parlett)
    double *along = work.values, *inside = work.latent[0];
    k_->gram({q, 1, stride_}, work.probes.slice(0, drawn), stride_, along, 0);
    k_->combine(along, 0, work.probes.slice(0, drawn), stride_, {inside, 1, stride_});
    for (int i = 0; i < d; ++i) q[i] -= inside[i];
    length = std::sqrt(dot(q, q, d));
    if (!(length > 1e-10)) return false;
    scale(1 / length);
  }
  return true;
}

// N with NNᵀ = AΩ(ΩᵀAΩ)⁺ΩᵀA, into work.product                       (Frangella, Tropp, Udell 2023, alg. 2.1)
bool Geometry::nystrom(int probes) {
  const int d = latents_;
  const DoubleRows y = work.product.slice(0, probes), omega = work.probes.slice(0, probes);
  double squares = 0;
  for (int j = 0; j < probes; ++j) squares += dot(y[j], y[j], d);
  if (!std::isfinite(squares)) return false;
  if (squares == 0) return true;  // A = 0, and so N
  const double shift = std::sqrt(static_cast<double>(d)) * std::numeric_limits<double>::epsilon() * std::sqrt(squares);
  for (int j = 0; j < probes; ++j) {
    for (int i = 0; i < d; ++i) y[j][i] += shift * omega[j][i];  // Yν = Y + νΩ
  }
  const DoubleRows t = work.small;  // ΩᵀYν
  k_->gram(omega, y, stride_, t.data, t.stride);
  for (int i = 0; i < probes; ++i) {
    for (int j = 0; j < i; ++j) t[i][j] = t[j][i] = 0.5 * (t[i][j] + t[j][i]);
  }
  for (int i = 0; i < probes; ++i) {
    for (int j = 0; j < probes; ++j) work.vectors[i][j] = t[i][j];
  }
  if (!k_->cholesky(work.vectors.data, probes, work.vectors.stride)) return divide_by_eigenvalues(y);
  divide_by_root(y);
  return true;
}

// Y ← N with N R = Yν, column by column, where work.vectors holds R
void Geometry::divide_by_root(DoubleRows y) {
  const DoubleRows r = work.vectors;
  double *factors = work.values, *before = work.latent[0];
  for (int j = 0; j < y.count; ++j) {
    for (int l = 0; l < j; ++l) factors[l] = r[l][j];
    k_->combine(factors, 0, y.slice(0, j), stride_, {before, 1, stride_});
    const double inverse = 1 / r[j][j];
    for (int i = 0; i < latents_; ++i) y[j][i] = (y[j][i] - before[i]) * inverse;
  }
}

// the same where rounding made ΩᵀYν indefinite: by its eigenvalues, of which only the sound ones are used
bool Geometry::divide_by_eigenvalues(DoubleRows y) {
  const int probes = y.count;
  const DoubleRows t = work.small;
  if (!k_->eigen_symmetric(t.data, probes, t.stride, work.values, work.vectors.data, work.vectors.stride)) return false;
  if (work.values[probes - 1] < -1e-3 * std::fabs(work.values[0])) return false;  // W is not a curvature
  const double floor = work.values[0] * 1e-14;
  for (int j = 0; j < probes; ++j) {
    const double factor = work.values[j] > floor ? 1 / std::sqrt(work.values[j]) : 0.0;
    for (int i = 0; i < probes; ++i) work.vectors[j][i] *= factor;
  }
  k_->combine(work.vectors.data, work.vectors.stride, y, stride_, work.basis.slice(0, probes));
  for (int j = 0; j < probes; ++j) std::memcpy(y[j], work.basis[j], sizeof(double) * as_size(stride_));
  return true;
}

// B = [βU, √(1−β²)N], then the r leading directions of BBᵀ = β²UUᵀ + (1−β²)NNᵀ
bool Geometry::average(int probes) {
  const double beta = memory_factor(), fresh = std::sqrt(1 - beta * beta);
  int n = 0;
  for (int j = 0; j < rank_ && beta > 0 && *memory.weight > 0; ++j) {
    if (!(memory.strength[j] > 0)) continue;
    for (int i = 0; i < stride_; ++i) work.basis[n][i] = beta * memory.factor[j][i];
    ++n;
  }
  for (int j = 0; j < probes; ++j, ++n) {
    for (int i = 0; i < stride_; ++i) work.basis[n][i] = fresh * work.product[j][i];
  }
  const DoubleRows basis = work.basis.slice(0, n);
  k_->gram_self(basis, stride_, work.small.data, work.small.stride);
  if (!k_->eigen_symmetric(work.small.data, n, work.small.stride, work.values, work.vectors.data,
                           work.vectors.stride)) {
    return false;
  }
  const int kept = n < rank_ ? n : rank_;
  k_->combine(work.vectors.data, work.vectors.stride, basis, stride_, memory.factor.slice(0, kept));
  for (int j = 0; j < rank_; ++j) {
    memory.strength[j] = j < kept && work.values[j] > 1e-14 * work.values[0] ? work.values[j] : 0.0;
  }
  *memory.weight = beta * beta * *memory.weight + (1 - beta * beta);
  return true;
}

bool Geometry::prepare_sketch(Pullback& a, std::span<const double> gradient) {
  if (is_frozen()) {
    if (!follow_scale(*memory.scale * latents_)) return false;
    raise_damping();
    return true;
  }
  const int probes = draw_probes(gradient);
  if (probes == 0) return false;
  const DoubleRows omega = work.probes.slice(0, probes), image = work.image.slice(0, probes);
  const DoubleRows y = work.product.slice(0, probes);
  a.jvp(omega, image);
  a.weigh(image, image);
  a.vjp(image, y);  // Y = JᵀWJΩ
  // the last probe is random and orthogonal to the others, so this is a mean over what the sketch does not span
  const double outside = std::fmax(0.0, dot(omega[probes - 1], y[probes - 1], latents_));
  if (!nystrom(probes) || !average(probes)) return false;
  *memory.residual = *memory.count == 0 ? outside : *memory.residual + 0.3 * (outside - *memory.residual);

  double trace = 0;
  for (int j = 0; j < rank_; ++j) trace += memory.strength[j] / bias();
  const double rest = latents_ > rank_ ? static_cast<double>(latents_ - rank_) : 0.0;
  if (!follow_scale(trace + *memory.residual * rest)) return false;
  raise_damping();
  return true;
}

// λ covers what the sketch does not span, and limits the condition                     (docs/science.md §1.7)
void Geometry::raise_damping() {
  const double top = memory.strength[0] / bias();
  const double floor = top / (options_.condition_limit - 1);
  damping_ = std::fmax(damping_, std::fmax(floor, latents_ > rank_ ? *memory.residual : 0.0));
  condition_ = 1 + top / damping_;
}

// v = −[g_⊥/λ + Σ û_i(û_iᵀg)/(σ_i² + λ)]; only the sum, if span_only
void Geometry::solve_factor(std::span<const double> gradient, std::span<double> v, bool span_only) const {
  double *along = work.values, *sum = work.latent[0];  // u_iᵀg, with u_i = σ_i û_i
  k_->gram({gradient.data(), 1, stride_}, memory.factor, stride_, along, 0);
  const double outside = span_only ? 0.0 : 1 / damping_;
  for (int j = 0; j < rank_; ++j) {
    const double sigma2 = memory.strength[j];
    along[j] = sigma2 > 0 ? along[j] / sigma2 * (outside - 1 / (sigma2 / bias() + damping_)) : 0.0;
  }
  k_->combine(along, 0, memory.factor, stride_, {sum, 1, stride_});
  for (int i = 0; i < latents_; ++i) v[i] = sum[i] - outside * gradient[i];
}

}  // namespace elastane
