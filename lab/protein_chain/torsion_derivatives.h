// From derivatives by atom positions to derivatives by torsions.
#pragma once

#include "elastane/core/base/view.h"
#include "lab/protein_chain/chain.h"

namespace elastane::protein_chain {

// ∂E/∂θ for every torsion, from ∂E/∂r of every atom
void pull_back(const Chain& chain, const Conformation& at, std::span<const Vec3> force, std::span<double> gradient);

// W += row·rowᵀ, above the diagonal, for a residual whose derivative by torsion t in [first, last) is push·∂end/∂θ_t
void add_row(const Conformation& at, int first, int last, Vec3 end, Vec3 push, DoubleRows w);
// copies what is above the diagonal to below it
void complete(DoubleRows w);

}  // namespace elastane::protein_chain
