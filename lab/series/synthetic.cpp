#include "lab/series/synthetic.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "elastane/core/base/random.h"
#include "elastane/forecast/season.h"

namespace elastane::series {
namespace {

constexpr double kNoise = 0.3;

// the season of one channel
struct Wave {
  double first, second, phase, second_phase;
  double at(double turn) const { return first * std::sin(turn + phase) + second * std::sin(2 * turn + second_phase); }
};

// the parameters of a row
struct Generator {
  double level = 0, turn = 0, amplitude = 1, coupling = 0.15, other = 0;
};

Generator world_at(const SyntheticOptions& o, std::size_t row) {
  Generator world;
  if (o.change == Change::none || row < o.at) return world;
  const double share = static_cast<double>(row - o.at) / static_cast<double>(std::max<std::size_t>(1, o.rows - o.at));
  switch (o.change) {
    case Change::level: world.level = share < 1.0 / 3 ? 3 : 0; break;
    case Change::phase: world.turn = std::numbers::pi / 2; break;
    case Change::gain:
      world.amplitude = 2;
      world.coupling = -0.15;
      break;
    default: world.other = share; world.level = 2 * share;
  }
  return world;
}

Wave draw_wave(Random& random) {
  return {random.uniform(0.6, 1.4), random.uniform(0.1, 0.5), random.uniform(0, 2 * std::numbers::pi),
          random.uniform(0, 2 * std::numbers::pi)};
}

}  // namespace

const char* name(Change change) {
  switch (change) {
    case Change::none: return "none";
    case Change::level: return "level";
    case Change::phase: return "phase";
    case Change::gain: return "gain";
    default: return "slow";
  }
}

Dataset synthetic(const SyntheticOptions& o) {
  Random random(o.seed);
  std::vector<Wave> waves, others;
  for (std::size_t c = 0; c < o.channels; ++c) {
    waves.push_back(draw_wave(random));
    others.push_back(draw_wave(random));
  }
  Dataset data;
  data.targets = o.channels;
  data.grid.step = 86400 / o.season;  // a season is a day
  data.series.resize(1);
  Series& s = data.series.front();
  s.channels = o.channels;
  std::vector<double> noise(o.channels), before(o.channels), next(o.channels);
  for (std::size_t c = 0; c < o.channels; ++c) data.names.push_back("channel" + std::to_string(c));
  for (std::size_t r = 0; r < o.rows; ++r) {
    const Generator world = world_at(o, r);
    const double turn = 2 * std::numbers::pi * static_cast<double>(r) / o.season + world.turn;
    for (std::size_t c = 0; c < o.channels; ++c) {
      const double driven = world.coupling * noise[(c + o.channels - 1) % o.channels];
      next[c] = 1.1 * noise[c] - 0.4 * before[c] + driven + kNoise * random.normal();
    }
    before = noise;
    noise = next;
    for (std::size_t c = 0; c < o.channels; ++c) {
      const double season = (1 - world.other) * waves[c].at(turn) + world.other * others[c].at(turn);
      s.values.push_back(world.level + world.amplitude * season + noise[c]);
    }
    s.ticks.push_back(r);
  }
  return data;
}

Dataset repeat_held_out(const Dataset& data, const DataSplit& split, std::size_t times, DataSplit& repeated) {
  if (data.series.size() != 1) throw std::runtime_error("[data] expected one series to repeat, found several");
  const Series& from = data.series.front();
  const SplitEnds ends = split_ends(split, from.rows());
  const double season = find_season(data, split);
  std::size_t part = ends.held_out - ends.learn;
  if (season >= 2) {
    const double whole = std::floor(static_cast<double>(part) / season) * season;
    if (whole >= season) part = static_cast<std::size_t>(std::lround(whole));
  }
  Dataset result = data;
  Series& to = result.series.front();
  to.values.assign(from.values.begin(), from.values.begin() + static_cast<std::ptrdiff_t>(ends.learn * from.channels));
  to.ticks.assign(from.ticks.begin(), from.ticks.begin() + static_cast<std::ptrdiff_t>(ends.learn));
  for (std::size_t i = 0; i <= times; ++i) {
    for (std::size_t r = ends.learn; r < ends.learn + part; ++r) {
      to.values.insert(to.values.end(), from.row(r).begin(), from.row(r).end());
      to.ticks.push_back(to.ticks.back() + 1);
    }
  }
  repeated.learn.amount = static_cast<double>(ends.learn);
  repeated.held_out.amount = static_cast<double>(part);
  repeated.test.amount = static_cast<double>(part * times);
  return result;
}

}  // namespace elastane::series
