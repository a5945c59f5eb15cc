// What elastane demo shows: shipped models in worlds that change in mid-stream.
#pragma once

#include <cstdint>
#include <string>

namespace elastane::app {

struct DemoOptions {
  std::string world = "circuit", model, figure, report, trace, json;
  int steps = 12000;
  std::uint64_t seed = 1;
};

void demo_plant(const DemoOptions& options);  // circuit or reactor
void demo_lorenz(const DemoOptions& options);

}  // namespace elastane::app
