// What a table or a file of results was made with: the command, and the commit of the sources.
#pragma once

#include <string>

namespace elastane::lab {

struct Provenance {
  std::string command, commit = "unknown";
};

// The program sets it once, before it runs a command; the lab does not know the program.
void set_provenance(Provenance provenance);
const Provenance& provenance();

}  // namespace elastane::lab
