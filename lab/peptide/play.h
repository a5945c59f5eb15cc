// One agent's way through an episode, step by step.
#pragma once

#include <functional>

#include "lab/peptide/draw.h"
#include "lab/peptide/roster.h"

namespace elastane::peptide {

// what a step looked like, after it was made
struct Step {
  const Trial& trial;
  Contact contact;         // asked for
  double distance;         // of it, Å; 0 where none is asked for
  double micros;           // that the agent took
  const DriveReport& did;  // the driver's; zeros for the oracle
};

// driver: none for the oracle. Regret and what the driver did are in the outcome
benchmark::Outcome play(const Drawn& drawn, Driver* driver, const std::function<void(const Step&)>& see = {});

}  // namespace elastane::peptide
