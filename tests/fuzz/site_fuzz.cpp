// Fuzzes lab/navigation/site_file.cpp and errand.cpp: no bytes may crash or stall what reads a site; what
// is read is a valid site, and what is refused is refused with a reason.
#include <cstdlib>
#include <string_view>

#include "lab/navigation/errand.h"

namespace elastane::navigation {
namespace {

constexpr std::size_t kFew = 8;  // shapes; a route takes time by their number

void check(std::string_view text) {
  const auto drawn = parse_site(text);
  if (!drawn) return drawn.error().empty() ? std::abort() : void();
  const Site& site = drawn->site;
  if (!validate(site)) std::abort();
  if (site.barriers.size() + site.discs.size() + site.hills.size() > kFew) return;
  const auto errand = make_errand(*drawn, 1);
  if (!errand) return errand.error().empty() ? std::abort() : void();
  Drive drive(errand->place.site, errand->scenario);
  if (drive.over()) std::abort();
  while (!drive.over()) {
    drive.look();
    drive.move(site.dock - drive.position());
  }
}

}  // namespace
}  // namespace elastane::navigation

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  elastane::navigation::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
