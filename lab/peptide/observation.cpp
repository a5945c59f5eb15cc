#include "lab/peptide/observation.h"

#include <algorithm>

namespace elastane::peptide {
namespace {

constexpr double kUnit = 10;  // Å

float as_input(double value) { return static_cast<float>(value); }

void write_slope(const Energy& energy, const EnergyPoint& point, std::span<float> x) {
  Torsions slope = {};
  energy.gradient(point, slope);
  for (int t = 0; t < energy.chain().torsions(); ++t) {
    const double s = MoveOptions{}.limit * slope[static_cast<std::size_t>(t)];
    x[static_cast<std::size_t>(kSlopePart + t)] = as_input(s / (1 + std::fabs(s)));
  }
}

void write_residues(const Chain& chain, const Conformation& conformation, std::span<float> x) {
  for (int i = 0; i < chain.residues(); ++i) {
    const auto at = static_cast<std::size_t>(4 * i), phi = static_cast<std::size_t>(2 * i - 1);
    if (i > 0) {
      x[at] = as_input(conformation.sine[phi]);
      x[at + 1] = as_input(conformation.cosine[phi]);
    }
    if (i + 1 < chain.residues()) {
      x[at + 2] = as_input(conformation.sine[phi + 1]);
      x[at + 3] = as_input(conformation.cosine[phi + 1]);
    }
    const auto residue = static_cast<std::size_t>(chain.sequence().classes[static_cast<std::size_t>(i)]);
    x[static_cast<std::size_t>(kClassPart + kClasses * i) + residue] = 1;
  }
}

void write_contact(const Chain& chain, const Conformation& conformation, const Contact& contact, std::span<float> x) {
  const int a = chain.ca(contact.i), b = chain.ca(contact.j);
  const Vec3 apart = conformation.at(b) - conformation.at(a);
  const double d = length(apart);
  x[static_cast<std::size_t>(kMarkPart + contact.i)] = x[static_cast<std::size_t>(kMarkPart + contact.j)] = 1;
  x[kRequestPart] = 1;
  x[kRequestPart + 1] = as_input((d - kContact) / kUnit);
  for (int t = chain.atom(a).depth; t < chain.atom(b).depth; ++t) {
    x[static_cast<std::size_t>(kLeverPart + t)] =
        as_input(dot(chain.derivative(conformation, b, t), apart) / (d * kUnit));
  }
}

}  // namespace

void coarse_map(const Chain& chain, const Conformation& conformation, std::span<float> map) {
  std::array<Vec3, kSegments> middle = {};
  for (int s = 0; s < kSegments; ++s) {
    const int first = s * chain.residues() / kSegments, last = (s + 1) * chain.residues() / kSegments;
    Vec3 sum{};
    for (int i = first; i < last; ++i) sum += conformation.at(chain.ca(i));
    middle[static_cast<std::size_t>(s)] = (1.0 / (last - first)) * sum;
  }
  std::size_t at = 0;
  for (std::size_t a = 0; a < kSegments; ++a) {
    for (std::size_t b = a + 1; b < kSegments; ++b) {
      map[at++] = static_cast<float>(length(middle[a] - middle[b]) / kUnit);
    }
  }
}

void observe(const Energy& energy, std::span<const double> torsions, const Contact& contact, EnergyPoint& point,
             std::span<float> x) {
  const Chain& chain = energy.chain();
  energy.evaluate(torsions, contact, point);
  std::fill(x.begin(), x.end(), 0.0F);
  write_slope(energy, point, x);
  write_residues(chain, point.conformation, x);
  coarse_map(chain, point.conformation, x.subspan(kMapPart, kMapSize));
  if (contact.is_requested()) write_contact(chain, point.conformation, contact, x);
}

}  // namespace elastane::peptide
