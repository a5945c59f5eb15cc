#include "lab/protein_loop/contours.h"

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

namespace elastane::protein_loop {
namespace {

struct Source {
  const char* file;
  double outlier;
};
// in the order of protein_chain::Class
constexpr std::array<Source, protein_chain::kClasses> kSources = {{{"rama8000-general-noGPIVpreP.data", 0.0005},
                                                                   {"rama8000-ileval-nopreP.data", 0.001},
                                                                   {"rama8000-gly-sym.data", 0.001},
                                                                   {"rama8000-transpro.data", 0.001},
                                                                   {"rama8000-prepro-noGP.data", 0.001}}};

std::size_t cell(double degrees, int cells) {
  const double turn = degrees + 180 - 360 * std::floor((degrees + 180) / 360);
  return static_cast<std::size_t>(turn / 360 * cells) % static_cast<std::size_t>(cells);
}

}  // namespace

std::optional<Contours> Contours::read(const std::string& folder) {
  Contours contours;
  for (std::size_t c = 0; c < kSources.size(); ++c) {
    std::ifstream file(folder + "/" + kSources[c].file);
    if (!file) return {};
    contours.levels_[c].assign(kCells * kCells, 0.0);
    for (std::string line; std::getline(file, line);) {
      double phi = 0, psi = 0, level = 0;
      if (line.starts_with('#') || !(std::istringstream(line) >> phi >> psi >> level)) continue;
      contours.levels_[c][cell(phi, kCells) * kCells + cell(psi, kCells)] = level;
    }
  }
  return contours;
}

bool Contours::is_outlier(protein_chain::Class residue, double phi, double psi) const {
  constexpr double kDegrees = 180 / std::numbers::pi;
  const auto c = static_cast<std::size_t>(residue);
  return levels_[c][cell(phi * kDegrees, kCells) * kCells + cell(psi * kDegrees, kCells)] < kSources[c].outlier;
}

}  // namespace elastane::protein_loop
