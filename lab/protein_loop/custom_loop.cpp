#include "lab/protein_loop/custom_loop.h"

#include <algorithm>

#include "lab/protein_loop/bend.h"

namespace elastane::protein_loop {
namespace {

constexpr double kMinTrans = 3.4;  // Å between neighbouring CA: trans peptides have 3.8, cis ones 2.9

bool is_trans(const Protein& protein, int i) {
  return length(protein.residue(i + 1).at.ca - protein.residue(i).at.ca) > kMinTrans;
}

// a stray coordinate would make the grid of atoms larger than memory
constexpr double kMaxExtent = 300;  // Å from the loop

Status validate_extent(const Protein& protein, const Window& loop) {
  const Vec3 middle = protein.residue(loop.first).at.ca;
  for (const ProteinResidue& residue : protein.residues) {
    for (const AtomKind kind : {AtomKind::n, AtomKind::ca, AtomKind::c, AtomKind::o}) {
      if (length(residue.atom(kind) - middle) < kMaxExtent) continue;
      return Error{"[structure] residue " + residue.name +
                   ": expected it within 300 Å of the loop, found it farther away; " +
                   "correct its coordinates, or remove it"};
    }
  }
  return {};
}

std::string between(const Protein& protein, int first, int last) {
  return protein.residue(first).name + " and " + protein.residue(last).name;
}

// A fit weighs the closure against all other atoms and leaves a small gap, which the next window absorbs. The last window
// has no next one, so it is fitted again with a target as far beyond the end as the last fit fell short.
constexpr int kClosingFits = 6;

Torsions fitted(const Energy& energy, const Protein& protein, int fits) {
  const protein_chain::Chain& chain = energy.chain();
  const int after = energy.window().last() + 1, end = chain.residues() - 1;
  const protein_chain::Residue& wanted = protein.residue(after).at;
  Protein target = protein;
  Torsions torsions = idealised(energy, target);
  for (int fit = 1; fit < fits; ++fit) {
    protein_chain::Conformation at;
    chain.place(torsions, at);
    protein_chain::Residue& beyond = target.residue(after).at;
    beyond.n = beyond.n + (wanted.n - at.at(chain.index(end, AtomKind::n)));
    beyond.ca = beyond.ca + (wanted.ca - at.at(chain.ca(end)));
    beyond.c = beyond.c + (wanted.c - at.at(chain.index(end, AtomKind::c)));
    torsions = idealised(energy, target);
  }
  return torsions;
}

Status validate_loop(const Protein& protein, const Window& loop) {
  if (loop.residues < kMinLoop || loop.residues > kWindow) {
    return Error{"[protein_loop] loop: expected " + std::to_string(kMinLoop) + " to " + std::to_string(kWindow) +
                 " residues, found " + std::to_string(loop.residues) + "; agents observe " + std::to_string(kWindow) +
                 " at a time"};
  }
  if (const Status status = validate(loop, protein); !status) return status;
  if (const Status status = validate_extent(protein, loop); !status) return status;
  for (int i = loop.first - 1; i <= loop.last(); ++i) {
    if (is_trans(protein, i)) continue;
    return Error{"[protein_loop] residues " + between(protein, i, i + 1) +
                 ": expected a trans peptide, found a cis one, which agents cannot build; choose another loop"};
  }
  return {};
}

}  // namespace

Result<Window> stretch_around(const Protein& protein, const Window& loop) {
  if (const Status status = validate_loop(protein, loop); !status) return Error{status.error()};
  const auto continues = [&](int i) { return is_bonded(protein, i) && is_trans(protein, i); };
  // both are fixed
  int before = loop.first - 1, after = loop.last() + 1;
  while (continues(before - 1)) --before;
  while (continues(after)) ++after;
  const int whole = after - before - 1;
  if (whole < kWindow) {
    return Error{"[protein_loop] loop: expected " + std::to_string(kWindow) +
                 " residues or more between two that stay in place, found " + std::to_string(whole) + " between " +
                 between(protein, before, after) + "; the chain ends, is broken or has a cis peptide there"};
  }
  const int residues = std::min(whole, kMaxStretch);
  const int first = std::clamp(loop.first + (loop.residues - residues) / 2, before + 1, after - residues);
  return Window{.first = first, .residues = residues};
}

Environment idealised_stretch(const Protein& protein, const Window& stretch) {
  Environment environment(protein);
  const Surroundings surroundings(protein, {});  // the energy needs some; walls do not matter for the fit
  // each window starts where the one before it was fitted, and ends at a residue of the file
  for (int first = stretch.first; first + kWindow - 1 <= stretch.last(); ++first) {
    const Energy energy(environment.protein(), surroundings, {.first = first, .residues = kWindow});
    const Torsions torsions = fitted(energy, protein, first + kWindow - 1 == stretch.last() ? kClosingFits : 1);
    protein_chain::Conformation at;
    energy.chain().place(torsions, at);
    environment.commit(energy, torsions, at);
  }
  return environment;
}

Result<Episode> bend_custom_loop(const Protein& protein, const Window& loop, std::uint64_t seed, int episode) {
  const auto stretch = stretch_around(protein, loop);
  if (!stretch) return Error{stretch.error()};
  Random random(seed * 1'000'003 + 57, static_cast<std::uint64_t>(episode) << 32U);
  return bend_loop(idealised_stretch(protein, *stretch), loop, *stretch, random);
}

}  // namespace elastane::protein_loop
