// elastane reproduce crowd: crowds of 5, 10 and 20 people on circle and square, drawn by seed.
#pragma once

#include "lab/world.h"

namespace elastane::crowd {

lab::Reproduction dense_reproduction();

}  // namespace elastane::crowd
