// One agent's way through an episode, step by step, and a record of it for a page.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "elastane/worlds/peptide/agents.h"
#include "elastane/worlds/peptide/draw.h"

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
contest::Outcome play(const Drawn& drawn, Driver* driver, const std::function<void(const Step&)>& see = {});

// one episode for a page: agents side by side
struct Recording {
  struct Frame {
    std::vector<float> atoms;  // [atoms][3], Å
    float distance = 0;        // of the contact asked for; 0 where none is
    int depth = 0, accepted = 0;
    float radius = 0, micros = 0;
    float contact = 0, wall = 0, well = 0, ramachandran = 0;  // energy terms
    int clashes = 0, disallowed = 0;
  };
  struct Track {
    std::string agent;
    contest::Outcome outcome;
    std::vector<Frame> frames;
    std::string pdb;  // the last structure
  };
  std::string sequence;
  std::vector<std::string> atom_names;  // "CA", …
  std::vector<int> atom_residues;
  Contact first, second;
  int appears = 0, changes = 0, ends = 0;
  std::vector<Track> tracks;
};
// of agents by name; a name that is none is an error
Result<Recording> record(const Networks& networks, const std::vector<std::string>& names, std::uint64_t seed,
                         int episode);

}  // namespace elastane::peptide
