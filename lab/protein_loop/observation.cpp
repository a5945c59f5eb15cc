#include "lab/protein_loop/observation.h"

#include <algorithm>
#include <cmath>

namespace elastane::protein_loop {
namespace {

double soft(double x) { return x / (1 + std::fabs(x)); }

}  // namespace

void observe(const Energy& energy, const EnergyPoint& point, std::span<float> x) {
  std::size_t next = 0;
  const auto put = [&](double value) { x[next++] = static_cast<float>(value); };
  for (std::size_t t = 0; t < kTorsions; ++t) put(point.conformation.cosine[t]), put(point.conformation.sine[t]);
  for (int i = 1; i <= kWindow; ++i) {
    const auto residue = static_cast<int>(energy.chain().sequence().classes[static_cast<std::size_t>(i)]);
    for (int c = 0; c < protein_chain::kClasses; ++c) put(c == residue ? 1 : 0);
  }
  const protein_chain::Frame frame = energy.frame_after();
  for (const Vec3 gap : point.gap) {
    for (const Vec3 axis : {frame.along, frame.within, frame.normal}) put(soft(dot(gap, axis)));
  }
  Torsions slope;
  energy.gradient(point, slope);
  double squares = 0;
  for (std::size_t t = 0; t < kTorsions; ++t) squares += slope[t] * slope[t];
  const double steepness = std::sqrt(squares);
  for (std::size_t t = 0; t < kTorsions; ++t) put(slope[t] / std::max(steepness, 1e-9));
  for (const double value :
       {steepness, point.gap_length(), point.terms.closure, point.terms.wall, point.terms.ramachandran}) {
    put(0.2 * std::log1p(value));
  }
}

}  // namespace elastane::protein_loop
