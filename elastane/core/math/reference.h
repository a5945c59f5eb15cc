// Naive twins of the kernels: scalar, plain loops, sums in double. They define what a kernel computes, and test it.
//
// A twin has its kernel's name and arguments, but needs no alignment and no padding.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <vector>

#include "elastane/core/math/kernels.h"

namespace elastane::reference {

inline double sigmoid(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
inline double softplus(double x) { return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))); }  // log(1 + eˣ)
inline double silu(double x) { return x * sigmoid(x); }
inline double gelu(double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }  // x·Φ(x)

// x where it is finite and within the limit, else 0
inline double bounded(double v, double limit) { return std::fabs(v) <= limit ? v : 0.0; }
inline float admissible(double s) { return static_cast<float>(bounded(s, kStateLimit)); }

// y_r = start + W x_r
inline void linear(const PackedMatrix& w, const float* start, ConstRows x, Rows y) {
  for (int r = 0; r < x.count; ++r) {
    for (int i = 0; i < w.rows; ++i) {
      double sum = start != nullptr ? start[i] : 0.0;
      for (int j = 0; j < w.cols; ++j) sum += static_cast<double>(element(w, i, j)) * x[r][j];
      y[r][i] = static_cast<float>(sum);
    }
  }
}

inline void activate(Activation kind, float* x, int n) {
  for (int i = 0; i < n; ++i) {
    switch (kind) {
      case Activation::none: break;
      case Activation::tanh: x[i] = static_cast<float>(std::tanh(static_cast<double>(x[i]))); break;
      case Activation::silu: x[i] = static_cast<float>(silu(x[i])); break;
      case Activation::gelu: x[i] = static_cast<float>(gelu(x[i])); break;
    }
  }
}

inline void add(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = y[i] + x[i];
}

inline void multiply(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = y[i] * x[i];
}

inline void scale_rows(const float* f, ConstRows x, int n, Rows y) {
  for (int r = 0; r < x.count; ++r) {
    for (int i = 0; i < n; ++i) y[r][i] = f[i] * x[r][i];
  }
}

inline void gated_linear_unit(const float* p, const float* q, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = static_cast<float>(p[i] * sigmoid(q[i]));  // y = p ⊙ σ(q)
}

inline void softplus(float scale, float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(scale * softplus(static_cast<double>(x[i])));
}

inline void bound(float limit, float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(bounded(x[i], limit));
}

// a value with its first and second derivative
struct Jet {
  double value, slope, curvature;
};
inline Jet jet(Curve kind, double x) {
  const double s = sigmoid(x), t = sigmoid(-x), tanh = std::tanh(x), e = std::exp(x);
  const double cdf = 0.5 * std::erfc(-x / std::sqrt(2.0)),
               density = std::exp(-0.5 * x * x) / std::sqrt(8 * std::atan(1.0));
  switch (kind) {
    case Curve::tanh: return {tanh, 1 - tanh * tanh, -2 * tanh * (1 - tanh * tanh)};
    case Curve::silu: return {x * s, s * (1 + x * t), s * t * (2 + x * (t - s))};
    case Curve::gelu: return {x * cdf, cdf + x * density, density * (2 - x * x)};
    case Curve::sigmoid: return {s, s * t, s * t * (t - s)};
    case Curve::softplus: return {softplus(x), s, s * t};
    case Curve::log_sigmoid: return {-softplus(-x), t, -s * t};
    case Curve::exponential: return {e, e, e};
  }
  return {};
}

// y = φ(x), slope = φ′(x), curvature = φ″(x)
inline void activation_jet(Curve kind, const float* x, int n, float* y, float* slope, float* curvature) {
  for (int i = 0; i < n; ++i) {
    const Jet j = jet(kind, x[i]);
    y[i] = static_cast<float>(j.value);
    if (slope != nullptr) slope[i] = static_cast<float>(j.slope);
    if (curvature != nullptr) curvature[i] = static_cast<float>(j.curvature);
  }
}

// y = w ⊙ x/√(mean x² + ε)
inline void rms_norm(const float* x, const float* w, int n, float* y) {
  double squares = 0;
  for (int i = 0; i < n; ++i) squares += static_cast<double>(x[i]) * x[i];
  const double scale = 1 / std::sqrt(squares / n + kNormEpsilon);
  for (int i = 0; i < n; ++i) y[i] = static_cast<float>(w[i] * (x[i] * scale));
}

// y = w ⊙ (x − mean)/√(var + ε) + b
inline void layer_norm(const float* x, const float* w, const float* b, int n, float* y) {
  double total = 0, squares = 0;
  for (int i = 0; i < n; ++i) total += x[i];
  const double mean = total / n;
  for (int i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const double scale = 1 / std::sqrt(squares / n + kNormEpsilon);
  for (int i = 0; i < n; ++i) y[i] = static_cast<float>(w[i] * ((x[i] - mean) * scale) + b[i]);
}

// y = Σ_k w_k ⊙ x_{t−k}; the input of k steps ago lies k slots before `newest`, around the ring
inline void convolve_linear(const float* w, int taps, int newest, const float* x, int n, float* ring, float* y) {
  for (int i = 0; i < n; ++i) {
    ring[newest * n + i] = admissible(x[i]);
    double sum = 0;
    for (int k = 0; k < taps; ++k) {
      const int slot = (newest - k + taps) % taps;
      sum += static_cast<double>(w[k * n + i]) * ring[slot * n + i];
    }
    y[i] = static_cast<float>(sum);
  }
}

// y = silu(b + Σ_k w_k ⊙ x_{t−k})
inline void convolve(const float* w, const float* b, int taps, int newest, const float* x, int n, float* ring,
                     float* y) {
  convolve_linear(w, taps, newest, x, n, ring, y);
  for (int i = 0; i < n; ++i) y[i] = static_cast<float>(silu(static_cast<double>(b[i]) + y[i]));
}

// M ← keep·M + gain·errorᵀ, M [keys][n]
inline void memory_write(const MemoryWrite& w, int keys, int n, float* m) {
  for (int i = 0; i < keys; ++i) {
    for (int j = 0; j < n; ++j) {
      m[i * n + j] =
          static_cast<float>(static_cast<double>(w.keep) * m[i * n + j] + static_cast<double>(w.gain[i]) * w.error[j]);
    }
  }
}

// Mᵀkey and Mᵀquery
inline void memory_read(const float* key, const float* query, int keys, int n, const float* m, float* by_key,
                        float* by_query) {
  for (int j = 0; j < n; ++j) {
    double k = 0, q = 0;
    for (int i = 0; i < keys; ++i) {
      k += static_cast<double>(key[i]) * m[i * n + j];
      q += static_cast<double>(query[i]) * m[i * n + j];
    }
    by_key[j] = static_cast<float>(k);
    by_query[j] = static_cast<float>(q);
  }
}

inline void memory_fold(const MemoryWrite& w, const float* key, const float* query, int keys, int n, float* m,
                        float* by_key, float* by_query) {
  memory_write(w, keys, n, m);
  memory_read(key, query, keys, n, m, by_key, by_query);
}

// e = v − keep·Mᵀk
inline MemoryResidual memory_residual(float keep, const float* value, const float* by_key, int n, float* error) {
  double errors = 0, values = 0;
  for (int i = 0; i < n; ++i) {
    const double v = bounded(value[i], kDriveLimit);
    const double e = bounded(v - static_cast<double>(keep) * by_key[i], kDriveLimit);
    error[i] = static_cast<float>(e);
    errors += e * e, values += v * v;
  }
  return {static_cast<float>(errors), static_cast<float>(values)};
}

inline float dot(const float* x, const float* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * y[i];
  return static_cast<float>(sum);
}

inline void blend(float a, const float* x, float b, const float* y, int n, float* out) {
  for (int i = 0; i < n; ++i)
    out[i] = static_cast<float>(static_cast<double>(a) * x[i] + static_cast<double>(b) * y[i]);
}

// y = Px, P_ij at i(i + 1)/2 + j for j ≤ i
inline void triangle_multiply(const float* p, const float* x, int n, float* y) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      const int row = std::max(i, j), column = std::min(i, j);
      sum += static_cast<double>(p[row * (row + 1) / 2 + column]) * x[j];
    }
    y[i] = static_cast<float>(sum);
  }
}

// P ← keep·(P + c·uuᵀ) + (1 − keep)·I
inline void triangle_update(float c, const float* u, float keep, int n, float* p) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j, ++p) {
      const double sum = *p + static_cast<double>(c) * u[i] * u[j];
      *p = static_cast<float>(keep * sum + (i == j ? 1.0 - keep : 0.0));
    }
  }
}

// s ← s + ((e^(ΔA) − 1)s + (Δ·x)B), with a = A·log2(e); Δ and Δ·x beyond their limits count as zero
inline void selective_advance(const float* a, const float* delta, const float* x, const float* b, int states, int n,
                              float* s) {
  const double ln2 = std::log(2.0);
  for (int k = 0; k < states; ++k) {
    for (int i = 0; i < n; ++i) {
      const double step = bounded(delta[i], kStateLimit), drive = bounded(step * x[i], kDriveLimit);
      const double change = std::expm1(step * a[k * n + i] * ln2);  // e^(ΔA) − 1
      s[k * n + i] = static_cast<float>(s[k * n + i] + (change * s[k * n + i] + drive * b[k]));
    }
  }
}

// y = Σ_k C_k s_k + D ⊙ x
inline void selective_read(const float* c, const float* d, const float* x, const float* s, int states, int n,
                           float* y) {
  for (int i = 0; i < n; ++i) {
    double sum = static_cast<double>(d[i]) * x[i];
    for (int k = 0; k < states; ++k) sum += static_cast<double>(c[k]) * s[k * n + i];
    y[i] = static_cast<float>(sum);
  }
}

// z ← z + (e^(ΔA) − 1)(z − b), with a = A·log2(e); Δ and b beyond their limits count as zero
inline void leaky_advance(const float* a, const float* delta, const float* b, int n, float* z) {
  const double ln2 = std::log(2.0);
  for (int i = 0; i < n; ++i) {
    const double step = bounded(delta[i], kStateLimit), drive = bounded(b[i], kDriveLimit);
    z[i] = admissible(z[i] + std::expm1(step * a[i] * ln2) * (z[i] - drive));
  }
}

// s ← s + (Ēs + B̄u), complex
inline void diagonal_advance(const DiagonalPlanes& p, const float* u, int pairs, int n, float* s_re, float* s_im) {
  using Complex = std::complex<double>;
  for (int k = 0; k < pairs * n; ++k) {
    const Complex s(s_re[k], s_im[k]), e(p.e_re[k], p.e_im[k]), b(p.b_re[k], p.b_im[k]);
    const double input = u[k % n];
    // products written out: those of the library have special rules for infinities
    const double re = e.real() * s.real() - e.imag() * s.imag() + b.real() * input;
    const double im = e.real() * s.imag() + e.imag() * s.real() + b.imag() * input;
    s_re[k] = admissible(s.real() + re);
    s_im[k] = admissible(s.imag() + im);
  }
}

// y = Re Σ_k C_k s_k + D ⊙ u
inline void diagonal_read(const float* c_re, const float* c_im, const float* d, const float* u, const float* s_re,
                          const float* s_im, int pairs, int n, float* y) {
  for (int i = 0; i < n; ++i) {
    double sum = static_cast<double>(d[i]) * u[i];
    for (int k = i; k < pairs * n; k += n) {
      sum += static_cast<double>(c_re[k]) * s_re[k] - static_cast<double>(c_im[k]) * s_im[k];
    }
    y[i] = static_cast<float>(sum);
  }
}

// z = Δ·dt·A.   zero-order hold: Ē = eᶻ − 1, B̄ = Ē/A.   bilinear: Ē = z/(1 − z/2), B̄ = Δ·dt/(1 − z/2)
inline void discretise(bool bilinear, const float* a_re, const float* a_im, const float* step, float dt, int pairs,
                       int n, float* out) {
  using Complex = std::complex<double>;
  const int plane = pairs * n;
  for (int k = 0; k < plane; ++k) {
    const double delta = static_cast<double>(dt) * step[k % n];
    const Complex a(a_re[k], a_im[k]), z = delta * a;
    Complex e, b;
    if (bilinear) {
      e = z / (1.0 - 0.5 * z);
      b = delta / (1.0 - 0.5 * z);
    } else {
      // eᶻ − 1 without cancellation: 1 − cos = 2 sin²(·/2)
      const double grown = std::expm1(z.real()), half = std::sin(0.5 * z.imag());
      e = {grown * std::cos(z.imag()) - 2 * half * half, (grown + 1) * std::sin(z.imag())};
      b = a == 0.0 ? Complex(delta) : e / a;
    }
    out[k] = static_cast<float>(e.real());
    out[plane + k] = static_cast<float>(e.imag());
    out[2 * plane + k] = static_cast<float>(b.real());
    out[3 * plane + k] = static_cast<float>(b.imag());
  }
}

// r, z = σ(·), n = tanh(gi + r ⊙ gh), h ← (1 − z^dt)n + z^dt·h
inline void gru_advance(const float* gi, const float* gh, float dt, int n, float* h) {
  for (int i = 0; i < n; ++i) {
    const double r = sigmoid(static_cast<double>(gi[i]) + gh[i]);
    const double z = static_cast<double>(gi[n + i]) + gh[n + i];
    const double kept = std::exp(-dt * softplus(-z));  // σ(z)^dt
    const double candidate = std::tanh(gi[2 * n + i] + r * gh[2 * n + i]);
    h[i] = admissible((1 - kept) * candidate + kept * h[i]);
  }
}

// i, f, o = σ(·), g = tanh(·), φ = f^dt, c ← φc + ((1 − φ)/(1 − f))·i·g, h ← o·tanh(c)
inline void lstm_advance(const float* gi, const float* gh, float dt, int n, float* h, float* c) {
  for (int i = 0; i < n; ++i) {
    const auto gate = [&](int g) { return static_cast<double>(gi[g * n + i]) + gh[g * n + i]; };
    const double in = sigmoid(gate(0)), g = std::tanh(gate(2)), out = sigmoid(gate(3));
    const double log_kept = -dt * softplus(-gate(1));  // log φ = dt·log σ(f)
    const double forgotten = sigmoid(-gate(1));        // 1 − f
    const double entering = forgotten > 0 ? -std::expm1(log_kept) / forgotten : dt;
    c[i] = admissible(std::exp(log_kept) * c[i] + entering * in * g);
    h[i] = admissible(out * std::tanh(static_cast<double>(c[i])));
  }
}

// one channel of a key or a value, as a panel holds it
inline double cached_key(const AttentionShape& s, const float* panels, int panel, int head, int j, int channel) {
  const float* at = panels + s.keys_at(panel, head);
  if (!s.bfloat16) return at[channel * s.block + j];
  const auto bits = std::bit_cast<std::uint32_t>(at[channel / 2 * s.block + j]);
  return from_bfloat16(static_cast<std::uint16_t>(channel % 2 == 0 ? bits : bits >> 16));
}
inline double cached_value(const AttentionShape& s, const float* panels, int panel, int head, int j, int channel) {
  const float* at = panels + s.values_at(panel, head) + j * s.value_words();
  if (!s.bfloat16) return at[channel];
  const auto bits = std::bit_cast<std::uint32_t>(at[channel / 32 * 16 + channel % 16]);
  return from_bfloat16(static_cast<std::uint16_t>(channel % 32 < 16 ? bits : bits >> 16));
}

// y = softmax(q·k/√size)·v over what every row sees of the listed panels, row by row
inline void attend_rows(const AttentionShape& s, const float* panels, const KeyBlock* list, int count, int head,
                        ConstRows q, Rows y) {
  const int kv = head / s.group();
  for (int row = 0; row < q.count; ++row) {
    const float* query = q[row] + head * s.size;
    std::vector<double> sums(as_size(s.size));
    double peak = -HUGE_VAL, total = 0;
    const auto each_seen = [&](auto f) {
      for (int b = 0; b < count; ++b) {
        for (int j = 0; j < s.block; ++j) {
          const int age = row - list[b].from - j;
          if (age >= 0 && age < list[b].reach) f(list[b].panel, j);
        }
      }
    };
    const auto score = [&](int panel, int j) {
      double product = 0;
      for (int c = 0; c < s.size; ++c) product += query[c] * cached_key(s, panels, panel, kv, j, c);
      return product / std::sqrt(static_cast<double>(s.size));
    };
    each_seen([&](int panel, int j) { peak = std::max(peak, score(panel, j)); });
    each_seen([&](int panel, int j) {
      const double weight = std::exp(score(panel, j) - peak);
      total += weight;
      for (int c = 0; c < s.size; ++c) sums[as_size(c)] += weight * cached_value(s, panels, panel, kv, j, c);
    });
    for (int c = 0; c < s.size; ++c) y[row][head * s.size + c] = static_cast<float>(sums[as_size(c)] / total);
  }
}

// Σ_s q_(15−s)·k_s/(√size·16) of groups of 16 rows
inline void stride_scores(const AttentionShape& s, const float* panels, const KeyBlock* list, int count, int head,
                          ConstRows q, Rows out) {
  const int groups = s.block / kStride;
  for (int i = 0; i < groups; ++i) {
    for (int j = 0; j < count * groups; ++j) {
      double sum = 0;
      for (int lane = 0; lane < kStride; ++lane) {
        const int row = i * kStride + kStride - 1 - lane, key = j % groups * kStride + lane;
        for (int c = 0; c < s.size && row < q.count; ++c) {
          sum += q[row][head * s.size + c] * cached_key(s, panels, list[j / groups].panel, head / s.group(), key, c);
        }
      }
      out[i][j] = static_cast<float>(sum / (std::sqrt(static_cast<double>(s.size)) * kStride));
    }
  }
}

// Σ_c max(q_c·low_c, q_c·high_c)
inline double bound_score(const float* q, const float* low, const float* high, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::max(double{q[i]} * low[i], double{q[i]} * high[i]);
  return sum;
}

// out_ij = a_i·b_j
inline void gram(ConstDoubleRows a, ConstDoubleRows b, int n, double* out, int stride) {
  for (int i = 0; i < a.count; ++i) {
    for (int j = 0; j < b.count; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i][k] * b[j][k];
      out[i * stride + j] = sum;
    }
  }
}

inline void gram_self(ConstDoubleRows a, int n, double* out, int stride) { gram(a, a, n, out, stride); }

// y_i = Σ_j m_ij x_j
inline void add_scaled(double f, const double* x, int n, double* y) {
  for (int i = 0; i < n; ++i) y[i] += f * x[i];
}

inline void shrink(const double* u, double c, double grow, int n, DoubleRows p) {
  for (int i = 0; i < p.count; ++i) {
    for (int j = 0; j < n; ++j) p[i][j] = grow * (p[i][j] - c * u[i] * u[j]);
  }
}

inline void combine(const double* m, int stride, ConstDoubleRows x, int n, DoubleRows y) {
  for (int i = 0; i < y.count; ++i) {
    for (int k = 0; k < n; ++k) {
      double sum = 0;
      for (int j = 0; j < x.count; ++j) sum += m[i * stride + j] * x[j][k];
      y[i][k] = sum;
    }
  }
}

// A = RᵀR, row after row: r_kk² = a_kk − Σ r_lk², r_kj = (a_kj − Σ r_lk r_lj)/r_kk
inline bool cholesky(double* a, int n, int stride) {
  for (int k = 0; k < n; ++k) {
    for (int j = k; j < n; ++j) {
      double sum = a[k * stride + j];
      for (int l = 0; l < k; ++l) sum -= a[l * stride + k] * a[l * stride + j];
      if (j == k && !(sum > 0 && sum < 1e300)) return false;
      a[k * stride + j] = j == k ? std::sqrt(sum) : sum / a[k * stride + k];
    }
  }
  return true;
}

}  // namespace elastane::reference
