// Fuzzes lab/protein_loop/structure.cpp, and gemmi behind it: no bytes may crash or stall what reads PDB
// and mmCIF files; loops of what is read can be asked for, and what is refused is refused with a reason.
#include <cstdlib>

#include "lab/protein_loop/structure.h"

namespace elastane::protein_loop {
namespace {

constexpr int kFewResidues = 64;  // loops take time

template <typename T>
void explain(const Result<T>& result) {
  if (!result && result.error().empty()) std::abort();
}

void check(const std::string& text) {
  explain(parse_structure(text, "fuzz"));
  const auto protein = parse_structure(text, "fuzz", {.whole = false});
  explain(protein);
  if (!protein || protein->size() > kFewResidues) return;
  for (const char* first : {"1", "2", "3A"}) {
    for (const char* last : {"2", "8", "-1"}) explain(find_window(*protein, first, last));
  }
}

}  // namespace
}  // namespace elastane::protein_loop

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  elastane::protein_loop::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
