// A loop of the user's own protein, prepared for a pass.
//
// Agents build chains of ideal bonds and flat, trans peptides. Those of a crystal are a little off, so that every window of
// it would look broken. The stretch around the loop is therefore first fitted with ideal geometry, as near to the file's
// atoms as possible. The rest stays as in the file, as obstacles.
#pragma once

#include "lab/protein_loop/episode.h"

namespace elastane::protein_loop {

inline constexpr int kMinLoop = 4;
inline constexpr int kMaxStretch = 118;  // the longest protein of the training, without its ends

// The loop with residues on both sides, as far as the chain is unbroken and its peptides are trans. The error names an
// obstacle in the loop, or one so near that no window fits.
Result<Window> stretch_around(const Protein& protein, const Window& loop);

// the protein with that stretch in ideal geometry, closed at both ends
Environment idealised_stretch(const Protein& protein, const Window& stretch);

// the loop bent by 4 to 8 Å; the same for equal (seed, episode)
Result<Episode> bend_custom_loop(const Protein& protein, const Window& loop, std::uint64_t seed, int episode = 0);

}  // namespace elastane::protein_loop
