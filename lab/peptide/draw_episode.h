// Episodes drawn by seed: a sequence, a start, two contacts that the expert can meet, and when they are requested.
#pragma once

#include <optional>

#include "lab/peptide/expert.h"

namespace elastane::peptide {

inline constexpr int kWorlds = 16;  // sequences of one seed

// an episode, and what the expert makes of it
struct DrawnEpisode {
  Episode episode;
  double best_cost = 0;  // of the expert's run
  bool feasible = true;  // the expert meets both contacts; false only after a hundred draws without success
};

// what is fixed beforehand; the rest is drawn. A contact that is given here is the only one
struct EpisodeRequest {
  std::optional<Sequence> sequence = {};
  std::optional<Contact> contact = {};  // valid for the sequence
};

// the same for equal (seed, episode), independent of earlier draws
DrawnEpisode draw_episode(std::uint64_t seed, int episode, const EpisodeRequest& request = {});
// its sequence alone, without the work of drawing the rest
Sequence draw_sequence(std::uint64_t seed, int episode);

// any valid contact
Contact random_contact(int residues, Random& random);
// every residue allowed, no clash
Torsions random_start(const Energy& energy, Random& random);

}  // namespace elastane::peptide
