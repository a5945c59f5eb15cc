#include "lab/protein_loop/own_loop.h"

#include <algorithm>

#include "lab/protein_loop/bend.h"

namespace elastane::protein_loop {
namespace {

constexpr double kShortestTrans = 3.4;  // Å between neighbouring CA: trans peptides have 3.8, cis ones 2.9

bool is_trans(const Protein& protein, int i) {
  return length(protein.residue(i + 1).at.ca - protein.residue(i).at.ca) > kShortestTrans;
}

// a stray coordinate would make the grid of atoms larger than memory
constexpr double kFarthest = 300;  // Å from the loop

Status validate_extent(const Protein& protein, const Window& loop) {
  const Vec3 middle = protein.residue(loop.first).at.ca;
  for (const ProteinResidue& residue : protein.residues) {
    for (const AtomKind kind : {AtomKind::n, AtomKind::ca, AtomKind::c, AtomKind::o}) {
      if (length(residue.atom(kind) - middle) < kFarthest) continue;
      return Error{"[structure] residue " + residue.name +
                   ": expected it within 300 Å of the loop, found it farther; " +
                   "correct its coordinates, or remove it"};
    }
  }
  return {};
}

std::string between(const Protein& protein, int first, int last) {
  return protein.residue(first).name + " and " + protein.residue(last).name;
}

// A fit weighs the closure against all other atoms, and leaves some of a gap. The next window takes that up; after the
// last there is none, so it is fitted again with an aim that lies as far beyond the end as the last fit fell short.
constexpr int kClosingFits = 6;

Torsions fitted(const Energy& energy, const Protein& protein, int fits) {
  const protein_chain::Chain& chain = energy.chain();
  const int after = energy.window().last() + 1, end = chain.residues() - 1;
  const protein_chain::Residue& wanted = protein.residue(after).at;
  Protein aim = protein;
  Torsions torsions = idealised(energy, aim);
  for (int fit = 1; fit < fits; ++fit) {
    protein_chain::Conformation at;
    chain.place(torsions, at);
    protein_chain::Residue& beyond = aim.residue(after).at;
    beyond.n = beyond.n + (wanted.n - at.at(chain.index(end, AtomKind::n)));
    beyond.ca = beyond.ca + (wanted.ca - at.at(chain.ca(end)));
    beyond.c = beyond.c + (wanted.c - at.at(chain.index(end, AtomKind::c)));
    torsions = idealised(energy, aim);
  }
  return torsions;
}

}  // namespace

Result<Window> stretch_around(const Protein& protein, const Window& loop) {
  if (loop.residues < kShortestLoop || loop.residues > kWindow) {
    return Error{"[protein_loop] loop: expected " + std::to_string(kShortestLoop) + " to " + std::to_string(kWindow) +
                 " residues, found " + std::to_string(loop.residues) + "; agents see " + std::to_string(kWindow) +
                 " at a time"};
  }
  if (const Status status = validate(loop, protein); !status) return Error{status.error()};
  if (const Status status = validate_extent(protein, loop); !status) return Error{status.error()};
  for (int i = loop.first - 1; i <= loop.last(); ++i) {
    if (is_trans(protein, i)) continue;
    return Error{"[protein_loop] residues " + between(protein, i, i + 1) +
                 ": expected a trans peptide, found a cis one, which agents cannot build; choose another loop"};
  }
  const auto goes_on = [&](int i) { return is_bonded(protein, i) && is_trans(protein, i); };
  // both stay in place
  int before = loop.first - 1, after = loop.last() + 1;
  while (goes_on(before - 1)) --before;
  while (goes_on(after)) ++after;
  const int whole = after - before - 1;
  if (whole < kWindow) {
    return Error{"[protein_loop] loop: expected " + std::to_string(kWindow) +
                 " residues or more between two that stay in place, found " + std::to_string(whole) + " between " +
                 between(protein, before, after) + "; the chain ends, is broken or has a cis peptide there"};
  }
  const int residues = std::min(whole, kLongestStretch);
  const int first = std::clamp(loop.first + (loop.residues - residues) / 2, before + 1, after - residues);
  return Window{.first = first, .residues = residues};
}

Fold laid_ideally(const Protein& protein, const Window& stretch) {
  Fold fold(protein);
  const Surroundings surroundings(protein, {});  // an energy wants some; walls have no part in the fit
  // each window begins where the one before it was laid, and ends at a residue of the file
  for (int first = stretch.first; first + kWindow - 1 <= stretch.last(); ++first) {
    const Energy energy(fold.protein(), surroundings, {.first = first, .residues = kWindow});
    const Torsions torsions = fitted(energy, protein, first + kWindow - 1 == stretch.last() ? kClosingFits : 1);
    protein_chain::Conformation at;
    energy.chain().place(torsions, at);
    fold.commit(energy, torsions, at);
  }
  return fold;
}

Result<Damage> bend_own(const Protein& protein, const Window& loop, std::uint64_t seed, int episode) {
  const auto stretch = stretch_around(protein, loop);
  if (!stretch) return Error{stretch.error()};
  Random random(seed * 1'000'003 + 57, static_cast<std::uint64_t>(episode) << 32U);
  return bend(laid_ideally(protein, *stretch), loop, *stretch, random);
}

}  // namespace elastane::protein_loop
