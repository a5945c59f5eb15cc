// A loop of somebody's own protein, made ready for a pass.
//
// Agents build chains of ideal bonds and flat, trans peptides; a crystal's are a little off, so that every window of it
// would look broken. The stretch around the loop is therefore first laid into ideal geometry, as near to the file's
// atoms as that goes. The rest stays as the file has it, there to bump into.
#pragma once

#include "lab/protein_loop/damage.h"

namespace elastane::protein_loop {

inline constexpr int kShortestLoop = 4;
inline constexpr int kLongestStretch = 118;  // as long as the longest protein that agents learned on, but for its ends

// Residues on both sides of the loop, while the chain is whole and its peptides are trans; what is in the way is named
// where it is in the loop, or so near that no window fits.
Result<Window> stretch_around(const Protein& protein, const Window& loop);

// the protein with that stretch in ideal geometry, closed at both ends
Fold laid_ideally(const Protein& protein, const Window& stretch);

// bent by 4 to 8 Å; the same for equal (seed, episode)
Result<Damage> bend_own(const Protein& protein, const Window& loop, std::uint64_t seed, int episode = 0);

}  // namespace elastane::protein_loop
