#include <algorithm>

#include "lab/protein_chain/torsion_derivatives.h"
#include "lab/protein_loop/energy.h"

namespace elastane::protein_loop {

void Energy::gradient(const EnergyPoint& point, std::span<double> gradient) const {
  protein_chain::pull_back(chain_, point.conformation, point.force, gradient);
  for (int i = 0; i < chain_.residues(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i > 0) gradient[2 * at - 1] += point.push[at] * point.by_phi[at];
    if (i + 1 < chain_.residues()) gradient[2 * at] += point.push[at] * point.by_psi[at];
  }
}

void Energy::curvature(const EnergyPoint& point, DoubleRows w) const {
  const protein_chain::Conformation& r = point.conformation;
  for (int t = 0; t < w.count; ++t) std::fill_n(w[t], w.count, 0.0);
  for (int k = 0; k < point.walls_count; ++k) {
    const EnergyPoint::Wall& wall = point.walls[static_cast<std::size_t>(k)];
    protein_chain::add_row(r, wall.first, wall.last, wall.end, wall.push, w);
  }
  const double c = point.closure_weight;
  for (const int a : closing_atoms()) {
    for (const Vec3 push : {Vec3{c, 0, 0}, Vec3{0, c, 0}, Vec3{0, 0, c}}) {
      protein_chain::add_row(r, 0, chain_.atom(a).depth, r.at(a), push, w);
    }
  }
  const int last = chain_.residues() - 1;
  for (int i = 0; i <= last; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double by_phi = point.by_phi[at], by_psi = point.by_psi[at];
    if (i > 0) w[2 * i - 1][2 * i - 1] += by_phi * by_phi;
    if (i > 0 && i < last) w[2 * i - 1][2 * i] += by_phi * by_psi;
    if (i < last) w[2 * i][2 * i] += by_psi * by_psi;
  }
  protein_chain::complete(w);
}

// about thirty for placing an atom, five for examining a pair, twenty for a wall; for the torsions of a residue two sines
// and a dozen bumps of ten
std::int64_t Energy::evaluation_macs(const EnergyPoint& point) const {
  return 30 * chain_.atoms() + 5 * point.pairs + 20 * point.walls_count + 140 * chain_.residues() +
         12 * chain_.torsions();
}

std::int64_t Energy::curvature_macs(const EnergyPoint& point) const {
  std::int64_t sum = 0;
  const auto row = [](std::int64_t n) { return 9 * n + n * (n + 1) / 2; };
  for (int k = 0; k < point.walls_count; ++k) {
    const EnergyPoint::Wall& wall = point.walls[static_cast<std::size_t>(k)];
    sum += row(wall.last - wall.first);
  }
  return sum + 9 * row(chain_.torsions()) + 6 * chain_.torsions();
}

}  // namespace elastane::protein_loop
