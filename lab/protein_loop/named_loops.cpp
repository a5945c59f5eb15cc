#include "lab/protein_loop/named_loops.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "lab/protein_loop/structure.h"

namespace elastane::protein_loop {
namespace {

std::string without_blanks(const std::string& text) {
  std::string kept;
  for (const char c : text) {
    if (c != ' ') kept += c;
  }
  return kept;
}

}  // namespace

std::vector<NamedLoop> benchmark_loops(const std::string& folder, int shift) {
  std::ifstream file(folder + "/loop_definitions.json");
  if (!file) throw_error("[loops] " + folder + ": expected loop_definitions.json, found none; set --data");
  std::vector<NamedLoop> loops;
  const nlohmann::json definitions = nlohmann::json::parse(file);
  for (const auto& [name, definition] : definitions.items()) {
    const auto text = [&entry = definition](const char* key) { return without_blanks(entry.at(key)); };
    NamedLoop loop{.name = name, .protein = {}, .window = {}};
    // chains with a gap far away are accepted
    loop.protein =
        read_structure(folder + "/reference/" + name + ".pdb", {.chain = text("chainID"), .whole = false}).value();
    loop.window = find_window(loop.protein, text("StartResidueID"), text("EndResidueID")).value();
    loop.window.first += shift;
    if (shift != 0 && !validate(loop.window, loop.protein)) continue;
    loops.push_back(std::move(loop));
  }
  return loops;
}

std::vector<NamedLoop> built_loops(int count, std::uint64_t seed) {
  std::vector<NamedLoop> loops;
  for (int n = 0; n < count; ++n) {
    const std::uint64_t one = seed * 1000 + static_cast<std::uint64_t>(n);
    loops.push_back({"built " + std::to_string(one), build_protein(one), Window{.first = 34}});
  }
  return loops;
}

}  // namespace elastane::protein_loop
