#include "lab/peptide/caption.h"

namespace elastane::peptide {
namespace {

// "C2 and H7", numbered as in PDB files
std::string pair_of(const Contact& contact, const Sequence& sequence) {
  const auto named = [&](int i) { return sequence.letters[static_cast<std::size_t>(i)] + std::to_string(i + 1); };
  return named(contact.i) + " and " + named(contact.j);
}

}  // namespace

std::string title_of(const Episode& episode) {
  const std::string text = episode.sequence.text();
  if (!episode.second.is_requested()) return pair_of(episode.first, episode.sequence) + " of " + text + " are to meet";
  return "Two contacts for " + text + ", one after the other";
}

std::string caption_of(const DrawnEpisode& drawn) {
  const Episode& e = drawn.episode;
  std::string caption = "A peptide of " + std::to_string(e.sequence.residues) + " residues relaxes. From step " +
                        std::to_string(e.appears) + " on, residues " + pair_of(e.first, e.sequence) +
                        " should be within 6 Å of each other";
  if (e.second.is_requested()) {
    caption += "; from step " + std::to_string(e.changes()) + " on, " + pair_of(e.second, e.sequence) + " instead";
  }
  caption += ". A contact counts once it has held for " + std::to_string(kHold) +
             " steps, without clashes and with every residue in an allowed region of its Ramachandran plot. A step may "
             "turn each torsion by 10°, and torsions are observed with half a degree of noise.";
  if (!drawn.feasible) caption += " The expert found no solution either.";
  return caption;
}

}  // namespace elastane::peptide
