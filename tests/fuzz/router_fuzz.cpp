// Fuzzes elastane/io/router_file.cpp: no bytes may crash what loads a router; a router that loads decides something for
// every head, and is written back as it was read; what is refused is refused with a reason.
#include <cmath>
#include <cstdlib>

#include "elastane/core/backbone/head_router.h"
#include "elastane/io/router_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elastane;
  const auto router = parse_router(std::as_bytes(std::span(data, size)), "fuzz");
  if (!router) return router.error().empty() ? std::abort(), 0 : 0;
  for (const HeadRouter& layer : router->layers) {
    if (!layer.present()) continue;
    std::vector<double> features(static_cast<std::size_t>(layer.task.features()), 1e6);
    std::vector<double> scratch(static_cast<std::size_t>(layer.scratch_doubles()));
    std::vector<double> logits(static_cast<std::size_t>(layer.route.scores()));
    head_logits(layer, features.data(), scratch.data(), logits.data());
    for (const double logit : logits) {
      if ((logit > 0) == (logit <= 0) && !std::isnan(logit)) std::abort();
    }
  }
  if (!(parse_router(format_router(*router).value(), "fuzz").value() == *router)) std::abort();
  return 0;
}
