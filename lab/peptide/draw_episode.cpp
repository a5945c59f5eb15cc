#include "lab/peptide/draw_episode.h"

#include "lab/peptide/sequence.h"

namespace elastane::peptide {
namespace {

constexpr int kAttempts = 100;

// a contact whose change from another has this size; if none is found, any
Contact random_change(const Contact& from, int size, int residues, Random& random) {
  Contact to = from;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    to = random_contact(residues, random);
    if (!(to == from) && size_of_change(from, to) == size) break;
  }
  return to;
}

}  // namespace

Contact random_contact(int residues, Random& random) {
  for (;;) {
    const Contact contact{random.below(residues), random.below(residues)};
    if (contact.j - contact.i >= kMinSeparation) return contact;
  }
}

Torsions random_start(const Energy& energy, Random& random) {
  const Chain& chain = energy.chain();
  Torsions torsions = {};
  Conformation there;
  for (int attempt = 0; attempt < 10'000; ++attempt) {
    for (int i = 0; i < chain.residues(); ++i) {
      const Class residue = chain.sequence().classes[static_cast<std::size_t>(i)];
      Pair pair = draw(residue, random);
      while (!is_allowed(residue, Angle::of(pair.phi), Angle::of(pair.psi))) pair = draw(residue, random);
      if (i > 0) torsions[static_cast<std::size_t>(2 * i - 1)] = wrapped(pair.phi);
      if (i + 1 < chain.residues()) torsions[static_cast<std::size_t>(2 * i)] = wrapped(pair.psi);
    }
    chain.place(torsions, there);
    if (energy.clashes(there) == 0) break;
  }
  return torsions;
}

Sequence draw_sequence(std::uint64_t seed, int episode) {
  Random letters(seed * 1'000'003 + 17, static_cast<std::uint64_t>(episode % kWorlds) << 32U);
  return random_sequence(letters);
}

DrawnEpisode draw_episode(std::uint64_t seed, int episode, const EpisodeRequest& request) {
  DrawnEpisode drawn;
  Episode& e = drawn.episode;
  e.sequence = request.sequence ? *request.sequence : draw_sequence(seed, episode);
  e.world = static_cast<int>(seed % 100'000) * kWorlds + episode % kWorlds;
  Random random(seed * 1'000'003 + 18, static_cast<std::uint64_t>(episode) << 32U);
  e.noise = random.bits();
  const int when = (episode / kWorlds) % 3, size = (episode / kWorlds / 3) % 3;
  e.appears = kAppearances[static_cast<std::size_t>(when)];
  e.kind = 3 * when + size;

  const Energy energy{Chain(e.sequence)};
  EnergyPoint point;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    e.start = random_start(energy, random);
    e.first = request.contact ? *request.contact : random_contact(energy.chain().residues(), random);
    if (!request.contact) e.second = random_change(e.first, size, energy.chain().residues(), random);
    energy.evaluate(e.start, e.first, point);
    if (energy.contact_distance(point.conformation, e.first) < kContact + 2) continue;  // already met, or nearly
    Environment environment(e, energy);
    ExpertPolicy expert(energy, e.noise);
    while (!environment.is_over()) environment.move(expert.next(environment));
    drawn.best_cost = environment.cost();
    drawn.feasible = environment.outcome().success;
    if (drawn.feasible) break;
  }
  return drawn;
}

}  // namespace elastane::peptide
