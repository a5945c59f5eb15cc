#include "lab/protein_loop/episode.h"

#include "lab/protein_loop/bend.h"

namespace elastane::protein_loop {

int Episode::distance(int residue) const {
  return residue < loop.first ? loop.first - residue : residue > loop.last() ? residue - loop.last() : 0;
}

Window draw_loop(const Protein& protein, Random& random) {
  Window loop{.first = 0, .residues = 8 + random.below(5)};
  // every window that touches the loop fits into the protein
  loop.first = kWindow + random.below(protein.size() - 2 * kWindow - loop.residues);
  return loop;
}

Episode bend_loop(const Protein& protein, const Window& loop, Random& random) {
  return bend_loop(Environment(protein), loop, inner(protein), random);
}

Episode bend_loop(const Environment& native, const Window& loop, const Window& stretch, Random& random) {
  const Protein& protein = native.protein();
  Episode episode{native, native, loop, stretch};
  const Surroundings surroundings(protein, {});
  const Energy energy(protein, surroundings, loop);
  const Torsions torsions = bent(energy, protein, episode.native.torsions(loop), random);
  protein_chain::Conformation at;
  energy.chain().place(torsions, at);
  episode.bent.commit(energy, torsions, at);
  return episode;
}

Episode draw_episode(std::uint64_t seed, int episode) {
  Random random(seed * 1'000'003 + 57, static_cast<std::uint64_t>(episode) << 32U);
  const Protein protein = build_protein(random.bits() >> 16U, {.residues = 60 + random.below(61)});
  const Window loop = draw_loop(protein, random);
  return bend_loop(protein, loop, random);
}

}  // namespace elastane::protein_loop
