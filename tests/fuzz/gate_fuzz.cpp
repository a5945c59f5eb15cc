// Fuzzes elastane/io/gate_file.cpp and metric_file.cpp: no bytes may crash what loads a gate or a metric; a gate that
// loads grants a depth it has, a metric that loads is positive, both are written back as they were read, and what is
// refused is refused with a reason.
#include <cstdlib>

#include "elastane/core/allocation/depth_examples.h"
#include "elastane/io/gate_file.h"
#include "elastane/io/metric_file.h"

namespace elastane {
namespace {

void check_gate(std::span<const std::byte> bytes) {
  const auto gate = parse_gate(bytes, "fuzz");
  if (!gate) return gate.error().empty() ? std::abort() : void();
  std::vector<double> f(kMostScoreFeatures, 1e6), a(kMostScoreHidden), o(kMostDepth + 1);
  gate->score(f.data(), a.data(), o.data());
  for (const double threshold : {gate->threshold(), gate->threshold(0.3)}) {
    const int depth = gate->depth(o.data(), threshold);
    if (depth < 0 || depth >= gate->depths()) std::abort();
  }
  if (parse_gate(format_gate(*gate).value(), "fuzz").value().network.score_weight != gate->network.score_weight)
    std::abort();
}

void check_metric(std::span<const std::byte> bytes) {
  const auto metric = parse_metric_file(bytes, "fuzz");
  if (!metric) return metric.error().empty() ? std::abort() : void();
  if (parse_metric_file(format_metric(*metric).value(), "fuzz").value().factor != metric->factor) std::abort();
}

}  // namespace
}  // namespace elastane

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  elastane::check_gate(std::as_bytes(std::span(data, size)));
  elastane::check_metric(std::as_bytes(std::span(data, size)));
  return 0;
}
