// Fuzzes lab/maze/map_file.cpp: no bytes may crash or stall what reads maps and scenarios; what is read can
// be walked through, and what is refused is refused with a reason.
//
// A map and its scenarios in one input, with a line "version" between them.
#include <cstdlib>
#include <string_view>

#include "lab/maze/expert.h"
#include "lab/maze/map_file.h"

namespace elastane::maze {
namespace {

constexpr int kFewCells = 256, kFewErrands = 4;  // walks take time

void walk_through(const Task& task) {
  Walk walk(task);
  Replanner expert;
  expert.begin(task);
  while (!walk.over()) {
    expert.see(walk.look());
    walk.move(expert.act());
  }
}

void check(std::string_view text) {
  const std::size_t split = std::min(text.find("version"), text.size());
  const auto map = parse_map(text.substr(0, split));
  const auto errands = parse_errands(text.substr(split));
  if (!map && map.error().empty()) std::abort();
  if (!errands && errands.error().empty()) std::abort();
  if (!map || !errands || map->cells() > kFewCells) return;
  int walked = 0;
  for (const MapErrand& errand : *errands) {
    if (++walked > kFewErrands) break;
    const auto task = make_task(*map, errand, walked % 2 == 0 ? Told::nothing : Told::map);
    if (!task && task.error().empty()) std::abort();
    if (task) walk_through(with_change(*task, {}, static_cast<std::uint64_t>(walked)));
  }
}

}  // namespace
}  // namespace elastane::maze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  elastane::maze::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
