// Streams as rough as real ones, with known truth: one disturbance at a known row of a series whose law is known.
//
// A stream is a family (the law of the undisturbed series) and a kind (what goes wrong). Equal seeds and families give
// equal rows up to the disturbance, so a forecaster is fitted once for all kinds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "elastane/forecast/dataset.h"

namespace elastane::series {

enum class Family : std::uint8_t {
  load,          // positive: day, weekend and an autoregression
  sharp,         // positive: two narrow peaks per day
  walk,          // a random walk with a small season
  signed_noise,  // an autoregression about zero with a small season
  sun,           // zero at night, clouds by day
  heavy,         // a season and an autoregression with Student's t of three degrees
  intermittent,  // mostly zero, sometimes a demand
  counts,        // Poisson, with a seasonal rate
};
const char* name(Family family);
std::vector<std::string> family_names();
std::vector<Family> families_named(const std::vector<std::string>& names);  // all if none is named

enum class Rough : std::uint8_t {
  none,
  spike,          // one row, `size` deviations off
  two_spikes,     // two rows in sequence, `size` and −`size`
  burst,          // 20 rows of ±`size` deviations
  long_burst,     // 300 rows of ±`size` deviations
  jump,           // the level moves by `size` deviations, for good
  unit,           // all values times `size`, for good
  gain,           // the same, by less than a unit
  stuck,          // `size` rows repeat the last value
  gap,            // `size` rows are missing
  season_shift,   // the season is `size` rows late, for good
  season_change,  // the season is `size` rows long, for good
  noise,          // the noise is `size` times as large, for good
};
const char* name(Rough kind);

struct RoughKind {
  Rough kind = Rough::none;
  double size = 0;
};

struct RoughStream {
  Dataset data;
  std::size_t at = 0;        // the first disturbed row
  std::vector<bool> faulty;  // rows whose values say nothing of the series
  std::vector<double> gain;  // what the true values were multiplied by
};

struct RoughOptions {
  Family family = Family::load;
  RoughKind kind;
  std::uint64_t seed = 1;
  std::size_t learn = 2'000, held_out = 400, before = 200, after = 1'024;

  std::size_t at() const { return learn + held_out + before; }
};
RoughStream rough_stream(const RoughOptions& options);

}  // namespace elastane::series
