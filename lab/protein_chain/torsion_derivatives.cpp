#include "lab/protein_chain/torsion_derivatives.h"

namespace elastane::protein_chain {

// ∂E/∂θ_t = Σ F_a·(axis_t × (r_a − pivot_t)) = axis_t·(Σ r_a × F_a − pivot_t × Σ F_a) over the atoms that t moves
void pull_back(const Chain& chain, const Conformation& at, std::span<const Vec3> force, std::span<double> gradient) {
  Vec3 sum{}, torque{};
  int a = chain.atoms() - 1;
  for (int t = chain.torsions() - 1; t >= 0; --t) {
    for (; a >= 0 && chain.atom(a).depth > t; --a) {
      const Vec3 f = force[static_cast<std::size_t>(a)];
      sum += f;
      torque += cross(at.at(a), f);
    }
    const auto place = static_cast<std::size_t>(t);
    gradient[place] = dot(at.axis[place], torque - cross(at.pivot[place], sum));
  }
}

void add_row(const Conformation& at, int first, int last, Vec3 end, Vec3 push, DoubleRows w) {
  std::array<double, kMaxTorsions> row;
  for (int t = first; t < last; ++t) {
    const auto place = static_cast<std::size_t>(t);
    row[place] = dot(at.axis[place], cross(end - at.pivot[place], push));
  }
  for (int t = first; t < last; ++t) {
    const double factor = row[static_cast<std::size_t>(t)];
    double* into = w[t];
    for (int s = t; s < last; ++s) into[s] += factor * row[static_cast<std::size_t>(s)];
  }
}

void complete(DoubleRows w) {
  for (int t = 0; t < w.count; ++t) {
    for (int s = 0; s < t; ++s) w[t][s] = w[s][t];
  }
}

}  // namespace elastane::protein_chain
