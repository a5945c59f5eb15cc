// `elastane reproduce esm`: runs every world of the table, then joins them.
#pragma once

#include <string>

#include "lab/benchmark/reproduce.h"

namespace elastane::esm {

struct EsmOptions {
  benchmark::ReproduceOptions run;  // with a journal for each world; agents and grid are not used
  std::string models = "models";
  std::string figure;  // success against compute, as SVG; empty: none
};

int reproduce(const EsmOptions& options);  // the exit code: 0, or a signal's

}  // namespace elastane::esm
