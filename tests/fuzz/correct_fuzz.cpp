// Fuzzes elastane/core/stream/stream.cpp and what corrects it: no order of verbs, no label and no objective may leave a state
// that is not sound, or accept what is worse.
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/corrected_life.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string problem = elastane::CorrectedLife({data, size}).run();
  if (problem.empty()) return 0;
  std::fprintf(stderr, "%s\n", problem.c_str());
  std::abort();
}
