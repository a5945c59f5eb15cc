// Fuzzes lab/navigation/site_file.cpp and scenario.cpp: no bytes may crash or stall the reader. What is accepted is a
// valid site; what is refused is refused with a reason.
#include <cstdlib>
#include <string_view>

#include "lab/navigation/environment.h"
#include "lab/navigation/scenario.h"

namespace elastane::navigation {
namespace {

constexpr std::size_t kFew = 8;  // shapes; planning a route takes longer with more

void check(std::string_view text) {
  const auto file = parse_site(text);
  if (!file) return file.error().empty() ? std::abort() : void();
  const Site& site = file->site;
  if (!validate(site)) std::abort();
  if (site.barriers.size() + site.discs.size() + site.hills.size() > kFew) return;
  const auto scenario = make_scenario(*file, 1);
  if (!scenario) return scenario.error().empty() ? std::abort() : void();
  Environment environment(scenario->site.site, scenario->episode);
  if (environment.over()) std::abort();
  while (!environment.over()) {
    environment.observe();
    environment.step(site.dock - environment.position());
  }
}

}  // namespace
}  // namespace elastane::navigation

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  elastane::navigation::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
