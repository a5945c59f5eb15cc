// A small SE(3)-equivariant transformer over residues: attention weights do not change when space is rotated, and vector
// features rotate along (after Fuchs et al. 2020 and Schütt et al. 2021, in plain C++).
//
//   residue i   s_i scalars, v_i vectors; positions r_i of CA
//   layer       a_ij = softmax_j(q(s_i)·k(s_j)/√size + e_ij)           e_ij from |r_ij| and j − i
//               s_i += O Σ_j a_ij V s_j      v_i += Σ_j a_ij(p(s_j) ⊗ r̂_ij + M v_j)
//               s_i += B silu(A [s_i, v_i in the frame of N, CA, C])
//   output      the moves of φ and ψ of each residue, from s_i
//
// Frames turn vectors into scalars. Moves therefore stay the same when the whole chain is rotated or shifted, and may
// change when it is mirrored, as torsions do.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/math/binder.h"
#include "lab/peptide/agent.h"

namespace elastane::peptide {

inline constexpr int kNodeScalars = 16, kNodeVectors = 3;
inline constexpr int kScalars = 32, kVectors = 8, kHeads = 4, kLayers = 2, kHidden = 64;
inline constexpr int kShells = 8, kOffsets = 9, kEdge = kShells + kOffsets;  // of |r_ij|, and of j − i in −4 … 4

// the network's input: derived from x of observation.h alone
struct Residues {
  int count = 0;
  std::array<std::array<float, kNodeScalars>, kMaxResidues> scalars = {};
  std::array<std::array<Vec3, kNodeVectors>, kMaxResidues> vectors = {};  // to N, to C, to the partner in 10 Å
  std::array<Vec3, kMaxResidues> position = {};                           // of CA
};
Residues residues_of(std::span<const float> x);
// features of the edge from i to j
std::array<float, kEdge> edge_of(const Residues& residues, int i, int j);

// axes at a residue: towards N, in the plane of C, and normal to it
std::array<Vec3, 3> frame_of(const Residues& residues, int i);

// names and shapes of the weights, for training and for files
std::vector<TensorSpec> equivariant_specs();

class EquivariantNetwork {
 public:
  static Result<EquivariantNetwork> create(std::span<const Tensor> tensors, const std::string& source);
  static Result<EquivariantNetwork> load(const std::string& path);
  static Result<std::vector<Tensor>> read(const std::string& path);  // its weights

  // moves of all torsions; 0 for those that the chain does not have
  void run(const Residues& residues, std::span<float> y) const;
  std::int64_t macs(int residues) const;

 private:
  struct Layer {
    std::vector<float> query, key, value, out, edge, push, mix, up, up_bias, down;
  };
  struct Activations;
  void embed(const Residues& r, Activations& at) const;
  void project(const Layer& layer, std::size_t residues, Activations& at) const;
  void attend(const Layer& layer, const Residues& r, std::size_t i, Activations& at) const;
  void gather(const Layer& layer, std::size_t i, std::size_t residues, Activations& at) const;
  void feed_forward(const Layer& layer, std::size_t i, Activations& at) const;
  void decode(std::size_t residues, const Activations& at, std::span<float> y) const;

  std::vector<float> embed_, embed_bias_, lift_, head_, head_bias_, last_, last_bias_;
  std::array<Layer, kLayers> layers_;
};

// an agent whose moves are the network's
class EquivariantAgent final : public Agent {
 public:
  explicit EquivariantAgent(const EquivariantNetwork& network) : network_(&network) {}

  void begin(const Energy&) override {}
  void act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
           std::span<float> y) override;
  AgentReport report() const override { return report_; }

 private:
  const EquivariantNetwork* network_;
  AgentReport report_;
};

}  // namespace elastane::peptide
