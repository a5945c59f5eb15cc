#include "lab/registry.h"

#include <stdexcept>

namespace elastane {

#define ELASTANE_WORLD(name, training) \
  namespace name {                     \
  lab::World world();                  \
  }
#include "lab/worlds.def"
#undef ELASTANE_WORLD

}  // namespace elastane

namespace elastane::lab {

const std::vector<World>& worlds() {
  static const std::vector<World> all = {
#define ELASTANE_WORLD(name, training) name::world(),
#include "lab/worlds.def"
#undef ELASTANE_WORLD
  };
  return all;
}

std::vector<const BenchmarkEntry*> shows() {
  std::vector<const BenchmarkEntry*> all;
  for (const World& world : worlds()) {
    for (const BenchmarkEntry& entry : world.benchmarks) all.push_back(&entry);
  }
  return all;
}

std::vector<const BenchmarkEntry*> benchmarks() {
  std::vector<const BenchmarkEntry*> all = shows();
  std::erase_if(all, [](const BenchmarkEntry* entry) { return !entry->open; });
  return all;
}

std::vector<const Reproduction*> reproductions() {
  std::vector<const Reproduction*> all;
  for (const World& world : worlds()) {
    for (const Reproduction& entry : world.reproductions) all.push_back(&entry);
  }
  return all;
}

const BenchmarkEntry& find_benchmark(const std::string& name) {
  std::string known;
  for (const BenchmarkEntry* entry : benchmarks()) {
    if (entry->name == name) return *entry;
    known += (known.empty() ? "" : ", ") + entry->name;
  }
  throw std::runtime_error("[benchmark] unknown benchmark \"" + name + "\", expected one of " + known);
}

}  // namespace elastane::lab
