// Real-time code only.
#include "elastane/core/forecast/size_histogram.h"

#include <algorithm>
#include <cmath>

namespace elastane {
namespace {

constexpr double kPerOctave = 4, kFirstOctave = -6;         // bins of 2^(1/4), from 1/64 on
constexpr double kMemory = 2000;                            // sizes
constexpr double kTail = 0.02;                              // share of the sizes that the power law is fitted to
constexpr double kWidth = 0.6931471805599453 / kPerOctave;  // of a bin, in logarithms
constexpr double kMostPower = 12;                           // bound of a
constexpr double kPriorCount = 2, kPriorExcess = 0.25;  // sizes that are assumed to be in the tail, and their logarithm
constexpr double kLeastShare = 1e-12;

// the position of a size, in bins
double position(double size) {
  const double at = kPerOctave * (std::log2(std::fmax(size, 1e-9)) - kFirstOctave);
  return std::fmax(at, 0.0);
}

}  // namespace

void SizeHistogram::add(double size) {
  for (double& count : counts) count *= 1 - 1 / kMemory;
  total = total * (1 - 1 / kMemory) + 1;
  counts[static_cast<std::size_t>(std::fmin(position(size), kBins - 1.0))] += 1;
}

double SizeHistogram::share_above(double size) const {
  if (total < 1) return 1;
  const double at = position(size);
  // the tail: bins from the top, up to 2 % of the sizes
  int edge = kBins;
  double above = 0;
  while (edge > 0 && above + counts[edge - 1] < kTail * total) above += counts[--edge];
  if (at >= edge) {
    double excess = kPriorCount * kPriorExcess;
    for (int j = edge; j < kBins; ++j) excess += counts[j] * (j - edge + 0.5) * kWidth;
    const double power = std::fmin(kMostPower, (above + kPriorCount) / excess);
    const double share = std::fmax(above, 0.5) / total * std::exp(-power * kWidth * (at - edge));
    return std::clamp(share, kLeastShare, 1.0);
  }
  const int bin = static_cast<int>(at);
  for (int j = edge - 1; j > bin; --j) above += counts[j];
  return std::clamp((above + (bin + 1 - at) * counts[bin]) / total, kLeastShare, 1.0);
}

}  // namespace elastane
