#include "elastane/worlds/peptide/ramachandran.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace elastane::peptide {
namespace {

constexpr double kFloor = 1e-4;  // ε: keeps E finite far from every basin
constexpr double kWidth = 17;    // degrees: a basin of this width and all of the share has E = 0 at its centre

struct Basin {
  double phi, psi, phi_width, psi_width, share;  // degrees
};

// one basin in the form that is evaluated
struct Bump {
  double phi_cosine, phi_sine, psi_cosine, psi_sine, kappa, nu, weight;
  Basin basin;
};

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

std::vector<Bump> bumps(std::vector<Basin> basins) {
  std::vector<Bump> made;
  for (const Basin& b : basins) {
    const double phi = radians(b.phi), psi = radians(b.psi);
    made.push_back({std::cos(phi), std::sin(phi), std::cos(psi), std::sin(psi), 1 / std::pow(radians(b.phi_width), 2),
                    1 / std::pow(radians(b.psi_width), 2), b.share * kWidth * kWidth / (b.phi_width * b.psi_width), b});
  }
  return made;
}

// by class: αR and its bridge to ψ = 0, β in three pieces, PII, αL; glycine is its own mirror image
const std::array<std::vector<Bump>, kClasses> kMixtures = {
    bumps({{-65, -42, 12, 12, .34},
           {-83, -20, 15, 15, .14},
           {-100, 2, 13, 14, .08},
           {-125, 135, 22, 18, .16},
           {-105, 126, 18, 16, .10},
           {-140, 155, 15, 12, .06},
           {-75, 145, 15, 15, .16},
           {56, 44, 7, 10, .015}}),
    bumps({{-64, -44, 11, 11, .42}, {-118, 128, 18, 14, .35}, {-95, 125, 14, 14, .12}, {-70, 132, 11, 12, .09}}),
    bumps({{-65, -40, 13, 15, .15},
           {65, 40, 13, 15, .15},
           {-82, 172, 15, 18, .20},
           {82, -172, 15, 18, .20},
           {180, 180, 30, 18, .18},
           {90, 5, 14, 14, .09},
           {-90, -5, 14, 14, .09}}),
    bumps({{-64, -30, 8, 12, .32}, {-68, 146, 9, 13, .68}}),
    bumps({{-62, -45, 11, 9, .15},
           {-122, 120, 20, 20, .27},
           {-85, 125, 16, 16, .12},
           {-69, 146, 13, 14, .43},
           {55, 48, 6, 8, .015}})};

}  // namespace

Angle Angle::of(double radians) { return {std::cos(radians), std::sin(radians)}; }

Likelihood ramachandran(Class residue, Angle phi, Angle psi) {
  double sum = kFloor, by_phi = 0, by_psi = 0;
  for (const Bump& b : kMixtures[static_cast<std::size_t>(residue)]) {
    const double near_phi = phi.cosine * b.phi_cosine + phi.sine * b.phi_sine;  // cos(φ − φ_k)
    const double near_psi = psi.cosine * b.psi_cosine + psi.sine * b.psi_sine;
    const double exponent = b.kappa * (near_phi - 1) + b.nu * (near_psi - 1);
    if (exponent < -25) continue;  // 1e-11 of a basin: below what ε leaves to see
    const double bump = b.weight * std::exp(exponent);
    sum += bump;
    by_phi += bump * b.kappa * (phi.sine * b.phi_cosine - phi.cosine * b.phi_sine);  // sin(φ − φ_k)
    by_psi += bump * b.nu * (psi.sine * b.psi_cosine - psi.cosine * b.psi_sine);
  }
  return {-std::log(sum), by_phi / sum, by_psi / sum};
}

Pair draw(Class residue, Random& random) {
  const std::vector<Bump>& mixture = kMixtures[static_cast<std::size_t>(residue)];
  double total = 0;
  for (const Bump& b : mixture) total += b.basin.share;
  double left = random.uniform() * total;
  const Basin* chosen = &mixture.back().basin;
  for (const Bump& b : mixture) {
    chosen = &b.basin;
    if ((left -= b.basin.share) < 0) break;
  }
  return {radians(chosen->phi + chosen->phi_width * random.normal()),
          radians(chosen->psi + chosen->psi_width * random.normal())};
}

}  // namespace elastane::peptide
