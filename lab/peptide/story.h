// What a peptide is asked for, in words for somebody who has never heard of it.
#pragma once

#include <string>

#include "lab/peptide/draw.h"

namespace elastane::peptide {

std::string title_of(const Episode& episode);
std::string story_of(const Drawn& drawn);

}  // namespace elastane::peptide
