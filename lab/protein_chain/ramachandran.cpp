#include "lab/protein_chain/ramachandran.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "lab/protein_chain/vec3.h"

namespace elastane::protein_chain {
namespace {

constexpr double kNegligible = 25;  // e^−25 of the largest term

constexpr std::size_t kMaxBasins = 13;

struct Basin {
  double phi, psi, phi_width, psi_width;  // degrees
  double share;                           // of the residues of a random start
};

// one basin, ready to evaluate
struct Bump {
  double phi_cosine, phi_sine, psi_cosine, psi_sine, kappa, nu;
  Basin basin;
};

std::vector<Bump> bumps(std::vector<Basin> basins) {
  std::vector<Bump> made;
  for (const Basin& b : basins) {
    const double phi = radians(b.phi), psi = radians(b.psi);
    made.push_back({std::cos(phi), std::sin(phi), std::cos(psi), std::sin(psi), 1 / std::pow(radians(b.phi_width), 2),
                    1 / std::pow(radians(b.psi_width), 2), b});
  }
  return made;
}

// by class: β, PII, the bridge from β to αR in three pieces, αR in two, the region below β, αL; that of glycine is
// symmetric
const std::array<std::vector<Bump>, kClasses> kMixtures = {
    bumps({{-115, 142, 29, 24, .28},
           {-76, 147, 14, 17, .2},
           {-106, 85, 18, 18, .04},
           {-116, 30, 18, 24, .03},
           {-99, -16, 21, 17, .12},
           {-75, -38, 14, 15, .28},
           {-112, -52, 22, 15, .02},
           {-122, -168, 23, 13, .01},
           {-123, -115, 14, 22, .005},
           {57, 38, 6, 13, .02}}),
    bumps({{-112, 135, 25, 20, .34},
           {-81, 136, 14, 15, .12},
           {-103, 85, 15, 17, .03},
           {-119, 26, 11, 15, .02},
           {-99, -14, 20, 15, .07},
           {-78, -40, 14, 13, .38},
           {-102, -55, 17, 11, .02},
           {-113, 166, 19, 12, .02}}),
    bumps({{-77, -35, 14, 18, .15},
           {77, 35, 14, 18, .15},
           {-98, 2, 15, 15, .06},
           {98, -2, 15, 15, .06},
           {-115, 178, 26, 20, .11},
           {115, -178, 26, 20, .11},
           {180, 180, 30, 20, .12},
           {-88, 142, 15, 17, .08},
           {88, -142, 15, 17, .08},
           {-105, 85, 18, 23, .02},
           {105, -85, 18, 23, .02},
           {-122, 40, 18, 18, .02},
           {122, -40, 18, 18, .02}}),
    bumps({{-67, -31, 9, 12, .3}, {-79, -4, 9, 10, .1}, {-81, 62, 7, 17, .05}, {-75, 146, 11, 17, .55}}),
    bumps({{-115, 132, 30, 23, .35},
           {-78, 146, 15, 17, .38},
           {-138, 78, 16, 18, .08},
           {-68, -42, 10, 10, .1},
           {-86, -36, 10, 10, .05},
           {-116, 170, 25, 10, .02},
           {54, 56, 4, 5, .02}})};

constexpr double kApart = 50;  // degrees between main basins, in φ or in ψ

bool are_apart(const Basin& a, const Basin& b) {
  return std::fabs(std::remainder(a.phi - b.phi, 360.0)) >= kApart ||
         std::fabs(std::remainder(a.psi - b.psi, 360.0)) >= kApart;
}

std::vector<Pair> main_basins(const std::vector<Bump>& mixture) {
  std::vector<Basin> sorted, chosen;
  for (const Bump& b : mixture) sorted.push_back(b.basin);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Basin& a, const Basin& b) { return a.share > b.share; });
  for (const Basin& b : sorted) {
    if (std::all_of(chosen.begin(), chosen.end(), [&](const Basin& other) { return are_apart(b, other); }))
      chosen.push_back(b);
  }
  std::vector<Pair> centres;
  for (const Basin& b : chosen) centres.push_back({radians(b.phi), radians(b.psi)});
  return centres;
}

}  // namespace

Angle Angle::of(double radians) { return {std::cos(radians), std::sin(radians)}; }

Likelihood ramachandran(Class residue, Angle phi, Angle psi) {
  const std::vector<Bump>& mixture = kMixtures[static_cast<std::size_t>(residue)];
  // relative to the nearest basin, so that E has a slope however far away that is
  std::array<double, kMaxBasins> exponents;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < mixture.size(); ++k) {
    const Bump& b = mixture[k];
    const double near_phi = phi.cosine * b.phi_cosine + phi.sine * b.phi_sine;  // cos(φ − φ_k)
    const double near_psi = psi.cosine * b.psi_cosine + psi.sine * b.psi_sine;
    exponents[k] = b.kappa * (near_phi - 1) + b.nu * (near_psi - 1);
    most = std::fmax(most, exponents[k]);
  }
  double sum = 0, by_phi = 0, by_psi = 0;
  for (std::size_t k = 0; k < mixture.size(); ++k) {
    if (exponents[k] < most - kNegligible) continue;
    const Bump& b = mixture[k];
    const double bump = std::exp(exponents[k] - most);
    sum += bump;
    by_phi += bump * b.kappa * (phi.sine * b.phi_cosine - phi.cosine * b.phi_sine);  // sin(φ − φ_k)
    by_psi += bump * b.nu * (psi.sine * b.psi_cosine - psi.cosine * b.psi_sine);
  }
  return {-most - std::log(sum), by_phi / sum, by_psi / sum};
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

std::span<const Pair> basins(Class residue) {
  static const auto kAll = [] {
    std::array<std::vector<Pair>, kClasses> all;
    for (std::size_t c = 0; c < kClasses; ++c) all[c] = main_basins(kMixtures[c]);
    return all;
  }();
  return kAll[static_cast<std::size_t>(residue)];
}

}  // namespace elastane::protein_chain
