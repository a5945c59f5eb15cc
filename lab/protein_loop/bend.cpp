#include "lab/protein_loop/bend.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "elastane/core/math/dense.h"
#include "elastane/core/math/kernels.h"

namespace elastane::protein_loop {
namespace {

constexpr AtomKind kMainChain[] = {AtomKind::n, AtomKind::ca, AtomKind::c, AtomKind::o};

// damped Gauss–Newton on atom positions
constexpr int kFitSteps = 40;
constexpr double kFitDamping = 0.3;  // Å² per square radian, decreasing
constexpr double kClosureWeight = 30;

constexpr int kStride = double_stride(kMaxTorsions);

// min Σ w‖r − r*‖² over atoms: its Gauss–Newton matrix and right-hand side
struct FitSystem {
  std::array<double, kMaxTorsions * kStride> matrix;
  Torsions step;  // the right-hand side, then the solution

  double& at(int row, int column) { return matrix[static_cast<std::size_t>(row * kStride + column)]; }

  // the upper triangle
  void add_atom(const protein_chain::Chain& chain, const protein_chain::Conformation& at_now, int a, Vec3 off,
                double weight) {
    for (int t = 0; t < chain.atom(a).depth; ++t) {
      const Vec3 by_t = chain.derivative(at_now, a, t);
      step[static_cast<std::size_t>(t)] -= weight * dot(by_t, off);
      for (int s = 0; s <= t; ++s) at(s, t) += weight * dot(by_t, chain.derivative(at_now, a, s));
    }
  }
  bool solve(const Kernels& k, int n, double damping) {
    for (int t = 0; t < n; ++t) {
      at(t, t) += damping;
      for (int s = 0; s < t; ++s) at(t, s) = at(s, t);
    }
    if (!k.cholesky(matrix.data(), n, kStride)) return false;
    solve_cholesky(matrix.data(), n, kStride, step.data());
    return true;
  }
};

}  // namespace

Torsions torsions_of(const Protein& protein, const Window& window) {
  Torsions torsions = {};
  for (int i = 0; i <= window.residues; ++i) {
    torsions[static_cast<std::size_t>(2 * i)] = protein.psi(window.first - 1 + i);
    torsions[static_cast<std::size_t>(2 * i + 1)] = protein.phi(window.first + i);
  }
  return torsions;
}

double loop_rmsd(const Energy& energy, const protein_chain::Conformation& conformation, const Protein& native) {
  double squares = 0;
  const Window& window = energy.window();
  for (int i = 1; i <= window.residues; ++i) {
    for (const AtomKind kind : kMainChain) {
      const Vec3 off = conformation.at(energy.chain().index(i, kind)) - native.residue(window.first + i - 1).atom(kind);
      squares += dot(off, off);
    }
  }
  return std::sqrt(squares / (4 * window.residues));
}

double loop_rmsd(const Protein& protein, const Protein& native, const Window& window) {
  double squares = 0;
  for (int i = window.first; i <= window.last(); ++i) {
    for (const AtomKind kind : kMainChain) {
      const Vec3 off = protein.residue(i).atom(kind) - native.residue(i).atom(kind);
      squares += dot(off, off);
    }
  }
  return std::sqrt(squares / (4 * window.residues));
}

Torsions idealised(const Energy& energy, const Protein& protein) {
  const Kernels& k = *kernels().value();
  const protein_chain::Chain& chain = energy.chain();
  const int n = energy.torsions();
  FitSystem system;
  Torsions torsions = torsions_of(protein, energy.window());
  protein_chain::Conformation at;
  double damping = kFitDamping;
  for (int pass = 0; pass < kFitSteps; ++pass, damping *= 0.8) {
    chain.place(torsions, at);
    system.matrix.fill(0);
    system.step.fill(0);
    for (int a = 0; a < chain.atoms(); ++a) {
      const protein_chain::Atom& atom = chain.atom(a);
      const bool closing = atom.residue + 1 == chain.residues();
      if (atom.kind == AtomKind::cb || (closing && atom.kind == AtomKind::o)) continue;
      const Vec3 off = at.at(a) - protein.residue(energy.window().first - 1 + atom.residue).atom(atom.kind);
      system.add_atom(chain, at, a, off, closing ? kClosureWeight : 1);
    }
    if (!system.solve(k, n, damping)) break;
    for (std::size_t t = 0; t < static_cast<std::size_t>(n); ++t) torsions[t] += system.step[t];
  }
  for (double& t : torsions) t = protein_chain::wrapped(t);
  return torsions;
}

Torsions bent(const Energy& energy, const Protein& native, const Torsions& from, Random& random,
              const BendOptions& options) {
  const double wanted = random.uniform(options.min, options.max);
  const auto n = static_cast<std::size_t>(energy.torsions());
  Torsions direction = {}, torsions = from;
  for (std::size_t t = 0; t < n; ++t) direction[t] = random.normal();
  protein_chain::Conformation at;
  constexpr double kTurn = 0.5 * std::numbers::pi / 180;
  for (int turns = 0; turns < 720; ++turns) {
    for (std::size_t t = 0; t < n; ++t) torsions[t] = protein_chain::wrapped(torsions[t] + kTurn * direction[t]);
    energy.chain().place(torsions, at);
    if (loop_rmsd(energy, at, native) >= wanted) break;
  }
  return torsions;
}

Torsions random_torsions(const Energy& energy, Random& random, int draws) {
  const protein_chain::Chain& chain = energy.chain();
  protein_chain::Conformation at;
  Torsions torsions = {}, best = {};
  double least = std::numeric_limits<double>::infinity();
  for (int d = 0; d < draws; ++d) {
    for (int i = 0; i < chain.residues(); ++i) {
      const auto place = static_cast<std::size_t>(i);
      const protein_chain::Pair pair = protein_chain::draw(chain.sequence().classes[place], random);
      if (i > 0) torsions[2 * place - 1] = protein_chain::wrapped(pair.phi);
      if (i + 1 < chain.residues()) torsions[2 * place] = protein_chain::wrapped(pair.psi);
    }
    chain.place(torsions, at);
    const double gap = energy.gap_at(at);
    if (gap < least) least = gap, best = torsions;
  }
  return best;
}

void place_loop(const Energy& energy, const protein_chain::Conformation& conformation, Protein& protein) {
  const protein_chain::Chain& chain = energy.chain();
  const Window& window = energy.window();
  protein.residue(window.first - 1).o = conformation.at(chain.index(0, AtomKind::o));
  for (int i = 1; i <= window.residues; ++i) {
    ProteinResidue& residue = protein.residue(window.first + i - 1);
    residue.at = {conformation.at(chain.index(i, AtomKind::n)), conformation.at(chain.ca(i)),
                  conformation.at(chain.index(i, AtomKind::c))};
    residue.o = conformation.at(chain.index(i, AtomKind::o));
  }
}

}  // namespace elastane::protein_loop
