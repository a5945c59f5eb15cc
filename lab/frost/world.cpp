#include "lab/frost/world.h"

#include "lab/frost/benchmark.h"
#include "lab/frost/recording.h"
#include "lab/frost/reproduction.h"

namespace elastane::frost {

lab::World world() {
  lab::World world{.name = "frost", .what = "Recursion in depth: grids, prefixes, and streams that idle and move"};
  world.benchmarks = {{.name = "frost_grid",
                       .what = "Which cells of a grid a start can reach: a frontier that runs until it is certified",
                       .cost = "1 minute",
                       .open = make_benchmark,
                       .record = record_grid}};
  world.reproductions = {frost_reproduction()};
  return world;
}

}  // namespace elastane::frost
