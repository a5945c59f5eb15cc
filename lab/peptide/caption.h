// An episode in words, for a reader who has never heard of this world.
#pragma once

#include <string>

#include "lab/peptide/draw_episode.h"

namespace elastane::peptide {

std::string title_of(const Episode& episode);
std::string caption_of(const DrawnEpisode& drawn);

}  // namespace elastane::peptide
