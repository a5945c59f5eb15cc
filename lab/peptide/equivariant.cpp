#include "lab/peptide/equivariant.h"

#include <algorithm>
#include <cmath>

#include "lab/peptide/observation.h"

namespace elastane::peptide {
namespace {

constexpr int kHeadSize = kScalars / kHeads, kHeadVectors = kVectors / kHeads;
constexpr int kFramed = 3 * kVectors;  // vectors in the residue's frame

using Scalars = std::array<float, kScalars>;
using Vectors = std::array<Vec3, kVectors>;

// y = W x (+ b)
void linear(const std::vector<float>& w, const float* x, int inputs, int outputs, float* y,
            const float* bias = nullptr) {
  for (int o = 0; o < outputs; ++o) {
    const float* row = w.data() + static_cast<std::ptrdiff_t>(o) * inputs;
    float sum = bias ? bias[o] : 0.0F;
    for (int i = 0; i < inputs; ++i) sum += row[i] * x[i];
    y[o] = sum;
  }
}

float silu(float x) { return x / (1 + std::exp(-x)); }

}  // namespace

Residues residues_of(std::span<const float> x) {
  Residues r;
  const auto is_there = [&](int i) {
    const auto classes = x.subspan(static_cast<std::size_t>(kClassPart + kClasses * i), kClasses);
    return std::ranges::any_of(classes, [](float c) { return c > 0.5F; });
  };
  while (r.count < kMostResidues && is_there(r.count)) ++r.count;
  if (r.count < kLeastResidues) return {};
  // N, CA and C lie where torsions say, whatever the letters
  Torsions torsions = {};
  for (int t = 0; t < 2 * r.count - 2; ++t) {
    const auto at = static_cast<std::size_t>(t % 2 == 0 ? 4 * (t / 2) + 2 : 4 * (t / 2 + 1));
    torsions[static_cast<std::size_t>(t)] = std::atan2(x[at], x[at + 1]);
  }
  Sequence plain;
  plain.residues = r.count;
  plain.letters.fill('G');
  const Chain chain(plain);
  Conformation conformation;
  chain.place(torsions, conformation);
  int marked[2] = {-1, -1};
  for (int i = 0; i < r.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    auto& s = r.scalars[at];
    std::copy_n(x.begin() + 4 * i, 4, s.begin());
    std::copy_n(x.begin() + kClassPart + kClasses * i, kClasses, s.begin() + 4);
    s[9] = x[static_cast<std::size_t>(kMarkPart + i)];
    s[10] = x[kAskedPart], s[11] = x[kAskedPart + 1];
    s[12] = i > 0 ? x[static_cast<std::size_t>(kLeverPart + 2 * i - 1)] : 0.0F;
    s[13] = i + 1 < r.count ? x[static_cast<std::size_t>(kLeverPart + 2 * i)] : 0.0F;
    s[14] = i > 0 ? x[static_cast<std::size_t>(kSlopePart + 2 * i - 1)] : 0.0F;
    s[15] = i + 1 < r.count ? x[static_cast<std::size_t>(kSlopePart + 2 * i)] : 0.0F;
    r.position[at] = conformation.at(chain.ca(i));
    r.vectors[at][0] = conformation.at(chain.index(i, AtomKind::n)) - r.position[at];
    r.vectors[at][1] = conformation.at(chain.index(i, AtomKind::c)) - r.position[at];
    if (s[9] > 0.5F) marked[marked[0] < 0 ? 0 : 1] = i;
  }
  if (marked[1] >= 0) {
    const auto a = static_cast<std::size_t>(marked[0]), b = static_cast<std::size_t>(marked[1]);
    r.vectors[a][2] = 0.1 * (r.position[b] - r.position[a]);
    r.vectors[b][2] = -1.0 * r.vectors[a][2];
  }
  return r;
}

std::array<float, kEdge> edge_of(const Residues& residues, int i, int j) {
  std::array<float, kEdge> e = {};
  const double d =
      length(residues.position[static_cast<std::size_t>(j)] - residues.position[static_cast<std::size_t>(i)]);
  for (int shell = 0; shell < kShells; ++shell) {
    const double off = (d - 4.0 * shell) / 4.0;  // Å: shells every four
    e[static_cast<std::size_t>(shell)] = static_cast<float>(std::exp(-off * off));
  }
  e[static_cast<std::size_t>(kShells + std::clamp(j - i, -4, 4) + 4)] = 1;
  return e;
}

std::array<Vec3, 3> frame_of(const Residues& residues, int i) {
  const auto& [to_n, to_c, to_partner] = residues.vectors[static_cast<std::size_t>(i)];
  const Vec3 along = unit(to_n), normal = unit(cross(to_n, to_c));
  return {along, cross(normal, along), normal};
}

void Equivariant::run(const Residues& r, std::span<float> y) const {
  std::fill(y.begin(), y.end(), 0.0F);
  std::array<Scalars, kMostResidues> s, query, key, value;
  std::array<Vectors, kMostResidues> v, mixed;
  std::array<std::array<float, kVectors>, kMostResidues> push;
  std::array<std::array<Vec3, 3>, kMostResidues> frame;
  const auto n = static_cast<std::size_t>(r.count);
  for (std::size_t i = 0; i < n; ++i) {
    linear(embed_, r.scalars[i].data(), kNodeScalars, kScalars, s[i].data(), embed_bias_.data());
    for (std::size_t c = 0; c < kVectors; ++c) {
      v[i][c] = {};
      for (std::size_t k = 0; k < kNodeVectors; ++k) {
        v[i][c] += static_cast<double>(lift_[c * kNodeVectors + k]) * r.vectors[i][k];
      }
    }
    frame[i] = frame_of(r, static_cast<int>(i));
  }
  for (const Layer& layer : layers_) {
    for (std::size_t i = 0; i < n; ++i) {
      linear(layer.query, s[i].data(), kScalars, kScalars, query[i].data());
      linear(layer.key, s[i].data(), kScalars, kScalars, key[i].data());
      linear(layer.value, s[i].data(), kScalars, kScalars, value[i].data());
      linear(layer.push, s[i].data(), kScalars, kVectors, push[i].data());
      for (std::size_t c = 0; c < kVectors; ++c) {
        mixed[i][c] = {};
        for (std::size_t k = 0; k < kVectors; ++k) {
          mixed[i][c] += static_cast<double>(layer.mix[c * kVectors + k]) * v[i][k];
        }
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      // a_ij of every head, then what it gathers
      std::array<std::array<float, kMostResidues>, kHeads> a;
      std::array<Vec3, kMostResidues> towards;
      std::array<float, kHeads> most, total = {};
      most.fill(-1e30F);
      for (std::size_t j = 0; j < n; ++j) {
        const auto edge = edge_of(r, static_cast<int>(i), static_cast<int>(j));
        const Vec3 apart = r.position[j] - r.position[i];
        towards[j] = i == j ? Vec3{} : unit(apart);
        std::array<float, kHeads> bias;
        linear(layer.edge, edge.data(), kEdge, kHeads, bias.data());
        for (std::size_t h = 0; h < kHeads; ++h) {
          float score = 0;
          for (std::size_t c = h * kHeadSize; c < (h + 1) * kHeadSize; ++c) score += query[i][c] * key[j][c];
          a[h][j] = score / std::sqrt(static_cast<float>(kHeadSize)) + bias[h];
          most[h] = std::max(most[h], a[h][j]);
        }
      }
      for (std::size_t h = 0; h < kHeads; ++h) {
        for (std::size_t j = 0; j < n; ++j) total[h] += a[h][j] = std::exp(a[h][j] - most[h]);
        for (std::size_t j = 0; j < n; ++j) a[h][j] /= total[h];
      }
      Scalars gathered = {}, out;
      for (std::size_t c = 0; c < kScalars; ++c) {
        for (std::size_t j = 0; j < n; ++j) gathered[c] += a[c / kHeadSize][j] * value[j][c];
      }
      for (std::size_t c = 0; c < kVectors; ++c) {
        for (std::size_t j = 0; j < n; ++j) {
          const double weight = a[c / kHeadVectors][j];
          v[i][c] += weight * (static_cast<double>(push[j][c]) * towards[j] + mixed[j][c]);
        }
      }
      linear(layer.out, gathered.data(), kScalars, kScalars, out.data());
      for (std::size_t c = 0; c < kScalars; ++c) s[i][c] += out[c];
    }
    for (std::size_t i = 0; i < n; ++i) {
      std::array<float, kScalars + kFramed> in;
      std::array<float, kHidden> hidden;
      Scalars out;
      std::copy(s[i].begin(), s[i].end(), in.begin());
      for (std::size_t c = 0; c < kVectors; ++c) {
        for (std::size_t k = 0; k < 3; ++k) in[kScalars + 3 * c + k] = static_cast<float>(dot(v[i][c], frame[i][k]));
      }
      linear(layer.up, in.data(), kScalars + kFramed, kHidden, hidden.data(), layer.up_bias.data());
      for (float& h : hidden) h = silu(h);
      linear(layer.down, hidden.data(), kHidden, kScalars, out.data());
      for (std::size_t c = 0; c < kScalars; ++c) s[i][c] += out[c];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::array<float, kHidden> hidden;
    std::array<float, 2> move;
    linear(head_, s[i].data(), kScalars, kHidden, hidden.data(), head_bias_.data());
    for (float& h : hidden) h = silu(h);
    linear(last_, hidden.data(), kHidden, 2, move.data(), last_bias_.data());
    if (i > 0) y[2 * i - 1] = move[0];
    if (i + 1 < n) y[2 * i] = move[1];
  }
}

std::int64_t Equivariant::macs(int residues) const {
  const std::int64_t node = 4 * kScalars * kScalars + kVectors * (kScalars + 3 * kVectors) +
                            kHidden * (2 * kScalars + kFramed) + 9 * kVectors;
  const std::int64_t pair = kHeads * kEdge + 2 * kScalars + 6 * kVectors + kEdge;
  const std::int64_t ends = kScalars * kNodeScalars + 3 * kVectors * kNodeVectors + kHidden * (kScalars + 2);
  return residues * (kLayers * (node + residues * pair) + ends);
}

void EquivariantDriver::drive(std::span<const float> x, std::span<const double> /*observed*/,
                              const Contact& /*contact*/, std::span<float> y) {
  const Residues residues = residues_of(x);
  network_->run(residues, y);
  report_.macs = static_cast<double>(network_->macs(residues.count));
}

}  // namespace elastane::peptide
