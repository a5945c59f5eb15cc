// Episodes, drawn by seed: a sequence, a start, two contacts that the expert can meet, and when they are asked for.
#pragma once

#include <optional>

#include "lab/peptide/expert.h"

namespace elastane::peptide {

inline constexpr int kWorlds = 16;  // sequences of one seed

// what is known of an episode beforehand
struct Drawn {
  Episode episode;
  double best_cost = 0;  // of the expert's way through it
  bool meetable = true;  // by the expert; false only where a hundred draws were not
};

// what somebody wants of an episode; the rest is drawn. A contact that is wished for is the only one
struct Wish {
  std::optional<Sequence> sequence = {};
  std::optional<Contact> contact = {};  // of residues that the sequence has, and valid
};

// the same for equal (seed, episode), whatever was drawn before
Drawn draw_episode(std::uint64_t seed, int episode, const Wish& wish = {});
// its letters, without the work of drawing the rest
Sequence draw_sequence(std::uint64_t seed, int episode);

// any that is valid
Contact random_contact(int residues, Random& random);
// allowed, and without a clash
Torsions random_start(const Energy& energy, Random& random);

// the expert walks through the episode: it sees the torsions as they are, and plans when what is asked for changes
class ExpertWalk {
 public:
  ExpertWalk(const Energy& energy, std::uint64_t seed, const ExpertOptions& options = {});
  std::array<float, kMostTorsions> next(const Trial& trial);

 private:
  Expert expert_;
  Random random_;
  Way way_;
  Contact planned_;
  std::size_t taken_ = 0;
  bool begun_ = false;
};

}  // namespace elastane::peptide
