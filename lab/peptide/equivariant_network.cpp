#include "lab/peptide/equivariant_network.h"

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

// the chain that the sines and cosines of x describe. N, CA and C depend on torsions alone, whatever the letters
void place_residues(std::span<const float> x, Residues& r) {
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
  for (int i = 0; i < r.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    r.position[at] = conformation.at(chain.ca(i));
    r.vectors[at][0] = conformation.at(chain.index(i, AtomKind::n)) - r.position[at];
    r.vectors[at][1] = conformation.at(chain.index(i, AtomKind::c)) - r.position[at];
  }
}

void fill_scalars(std::span<const float> x, Residues& r) {
  for (int i = 0; i < r.count; ++i) {
    auto& s = r.scalars[static_cast<std::size_t>(i)];
    std::copy_n(x.begin() + 4 * i, 4, s.begin());
    std::copy_n(x.begin() + kClassPart + kClasses * i, kClasses, s.begin() + 4);
    s[9] = x[static_cast<std::size_t>(kMarkPart + i)];
    s[10] = x[kRequestPart], s[11] = x[kRequestPart + 1];
    s[12] = i > 0 ? x[static_cast<std::size_t>(kLeverPart + 2 * i - 1)] : 0.0F;
    s[13] = i + 1 < r.count ? x[static_cast<std::size_t>(kLeverPart + 2 * i)] : 0.0F;
    s[14] = i > 0 ? x[static_cast<std::size_t>(kSlopePart + 2 * i - 1)] : 0.0F;
    s[15] = i + 1 < r.count ? x[static_cast<std::size_t>(kSlopePart + 2 * i)] : 0.0F;
  }
}

// the vector between the two residues of the contact, if one is requested
void point_to_partner(Residues& r) {
  int marked[2] = {-1, -1};
  for (int i = 0; i < r.count; ++i) {
    if (r.scalars[static_cast<std::size_t>(i)][9] > 0.5F) marked[marked[0] < 0 ? 0 : 1] = i;
  }
  if (marked[1] < 0) return;
  const auto a = static_cast<std::size_t>(marked[0]), b = static_cast<std::size_t>(marked[1]);
  r.vectors[a][2] = 0.1 * (r.position[b] - r.position[a]);
  r.vectors[b][2] = -1.0 * r.vectors[a][2];
}

}  // namespace

Residues residues_of(std::span<const float> x) {
  Residues r;
  const auto is_there = [&](int i) {
    const auto classes = x.subspan(static_cast<std::size_t>(kClassPart + kClasses * i), kClasses);
    return std::ranges::any_of(classes, [](float c) { return c > 0.5F; });
  };
  while (r.count < kMaxResidues && is_there(r.count)) ++r.count;
  if (r.count < kMinResidues) return {};
  place_residues(x, r);
  fill_scalars(x, r);
  point_to_partner(r);
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

//                                                        meaning                       written by
struct EquivariantNetwork::Activations {
  std::array<Scalars, kMaxResidues> s;                  // scalars of each residue       embed, gather, feed_forward
  std::array<Vectors, kMaxResidues> v;                  // vectors                       embed, gather
  std::array<std::array<Vec3, 3>, kMaxResidues> frame;  // axes of each residue          embed
  std::array<Scalars, kMaxResidues> query, key, value;  // projections                   project
  std::array<Vectors, kMaxResidues> mixed;              // M v                           project
  std::array<std::array<float, kVectors>, kMaxResidues> push;  // p(s)                   project
  std::array<std::array<float, kMaxResidues>, kHeads> a;       // a_ij of one residue    attend
  std::array<Vec3, kMaxResidues> towards;                      // r̂_ij of one residue    attend
};

void EquivariantNetwork::embed(const Residues& r, Activations& at) const {
  for (std::size_t i = 0; i < static_cast<std::size_t>(r.count); ++i) {
    linear(embed_, r.scalars[i].data(), kNodeScalars, kScalars, at.s[i].data(), embed_bias_.data());
    for (std::size_t c = 0; c < kVectors; ++c) {
      at.v[i][c] = {};
      for (std::size_t k = 0; k < kNodeVectors; ++k) {
        at.v[i][c] += static_cast<double>(lift_[c * kNodeVectors + k]) * r.vectors[i][k];
      }
    }
    at.frame[i] = frame_of(r, static_cast<int>(i));
  }
}

void EquivariantNetwork::project(const Layer& layer, std::size_t residues, Activations& at) const {
  for (std::size_t i = 0; i < residues; ++i) {
    const float* s = at.s[i].data();
    linear(layer.query, s, kScalars, kScalars, at.query[i].data());
    linear(layer.key, s, kScalars, kScalars, at.key[i].data());
    linear(layer.value, s, kScalars, kScalars, at.value[i].data());
    linear(layer.push, s, kScalars, kVectors, at.push[i].data());
    for (std::size_t c = 0; c < kVectors; ++c) {
      at.mixed[i][c] = {};
      for (std::size_t k = 0; k < kVectors; ++k) {
        at.mixed[i][c] += static_cast<double>(layer.mix[c * kVectors + k]) * at.v[i][k];
      }
    }
  }
}

// a_ij of every head, from residue i to all j
void EquivariantNetwork::attend(const Layer& layer, const Residues& r, std::size_t i, Activations& at) const {
  const auto n = static_cast<std::size_t>(r.count);
  std::array<float, kHeads> most, total = {};
  most.fill(-1e30F);
  for (std::size_t j = 0; j < n; ++j) {
    const auto edge = edge_of(r, static_cast<int>(i), static_cast<int>(j));
    const Vec3 apart = r.position[j] - r.position[i];
    at.towards[j] = i == j ? Vec3{} : unit(apart);
    std::array<float, kHeads> bias;
    linear(layer.edge, edge.data(), kEdge, kHeads, bias.data());
    for (std::size_t h = 0; h < kHeads; ++h) {
      float score = 0;
      for (std::size_t c = h * kHeadSize; c < (h + 1) * kHeadSize; ++c) score += at.query[i][c] * at.key[j][c];
      at.a[h][j] = score / std::sqrt(static_cast<float>(kHeadSize)) + bias[h];
      most[h] = std::max(most[h], at.a[h][j]);
    }
  }
  for (std::size_t h = 0; h < kHeads; ++h) {
    for (std::size_t j = 0; j < n; ++j) total[h] += at.a[h][j] = std::exp(at.a[h][j] - most[h]);
    for (std::size_t j = 0; j < n; ++j) at.a[h][j] /= total[h];
  }
}

// s_i += O Σ_j a_ij V s_j,   v_i += Σ_j a_ij(p(s_j) ⊗ r̂_ij + M v_j)
void EquivariantNetwork::gather(const Layer& layer, std::size_t i, std::size_t residues, Activations& at) const {
  Scalars gathered = {}, out;
  for (std::size_t c = 0; c < kScalars; ++c) {
    for (std::size_t j = 0; j < residues; ++j) gathered[c] += at.a[c / kHeadSize][j] * at.value[j][c];
  }
  for (std::size_t c = 0; c < kVectors; ++c) {
    for (std::size_t j = 0; j < residues; ++j) {
      const double weight = at.a[c / kHeadVectors][j];
      at.v[i][c] += weight * (static_cast<double>(at.push[j][c]) * at.towards[j] + at.mixed[j][c]);
    }
  }
  linear(layer.out, gathered.data(), kScalars, kScalars, out.data());
  for (std::size_t c = 0; c < kScalars; ++c) at.s[i][c] += out[c];
}

// s_i += B silu(A [s_i, v_i in its frame])
void EquivariantNetwork::feed_forward(const Layer& layer, std::size_t i, Activations& at) const {
  std::array<float, kScalars + kFramed> in;
  std::array<float, kHidden> hidden;
  Scalars out;
  std::copy(at.s[i].begin(), at.s[i].end(), in.begin());
  for (std::size_t c = 0; c < kVectors; ++c) {
    for (std::size_t k = 0; k < 3; ++k) {
      in[kScalars + 3 * c + k] = static_cast<float>(dot(at.v[i][c], at.frame[i][k]));
    }
  }
  linear(layer.up, in.data(), kScalars + kFramed, kHidden, hidden.data(), layer.up_bias.data());
  for (float& h : hidden) h = silu(h);
  linear(layer.down, hidden.data(), kHidden, kScalars, out.data());
  for (std::size_t c = 0; c < kScalars; ++c) at.s[i][c] += out[c];
}

void EquivariantNetwork::decode(std::size_t residues, const Activations& at, std::span<float> y) const {
  for (std::size_t i = 0; i < residues; ++i) {
    std::array<float, kHidden> hidden;
    std::array<float, 2> move;
    linear(head_, at.s[i].data(), kScalars, kHidden, hidden.data(), head_bias_.data());
    for (float& h : hidden) h = silu(h);
    linear(last_, hidden.data(), kHidden, 2, move.data(), last_bias_.data());
    if (i > 0) y[2 * i - 1] = move[0];
    if (i + 1 < residues) y[2 * i] = move[1];
  }
}

void EquivariantNetwork::run(const Residues& r, std::span<float> y) const {
  std::fill(y.begin(), y.end(), 0.0F);
  Activations at;
  const auto n = static_cast<std::size_t>(r.count);
  embed(r, at);
  for (const Layer& layer : layers_) {
    project(layer, n, at);
    for (std::size_t i = 0; i < n; ++i) {
      attend(layer, r, i, at);
      gather(layer, i, n, at);
    }
    for (std::size_t i = 0; i < n; ++i) feed_forward(layer, i, at);
  }
  decode(n, at, y);
}

std::int64_t EquivariantNetwork::macs(int residues) const {
  const std::int64_t node = 4 * kScalars * kScalars + kVectors * (kScalars + 3 * kVectors) +
                            kHidden * (2 * kScalars + kFramed) + 9 * kVectors;
  const std::int64_t pair = kHeads * kEdge + 2 * kScalars + 6 * kVectors + kEdge;
  const std::int64_t ends = kScalars * kNodeScalars + 3 * kVectors * kNodeVectors + kHidden * (kScalars + 2);
  return residues * (kLayers * (node + residues * pair) + ends);
}

void EquivariantAgent::act(std::span<const float> x, std::span<const double> /*observed*/, const Contact& /*contact*/,
                           std::span<float> y) {
  const Residues residues = residues_of(x);
  network_->run(residues, y);
  report_.macs = static_cast<double>(network_->macs(residues.count));
}

}  // namespace elastane::peptide
