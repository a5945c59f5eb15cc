#include "lab/series/rough_streams.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "elastane/core/base/random.h"

namespace elastane::series {
namespace {

constexpr double kDayRows = 24, kFullTurn = 2 * std::numbers::pi;
constexpr std::size_t kBurst = 20, kLongBurst = 300;

constexpr std::array<const char*, 8> kFamilies = {"load", "sharp", "walk",         "signed_noise",
                                                  "sun",  "heavy", "intermittent", "counts"};
constexpr std::array<const char*, 13> kKinds = {"none",         "spike",         "two_spikes", "burst", "long_burst",
                                                "jump",         "unit",          "gain",       "stuck", "gap",
                                                "season_shift", "season_change", "noise"};

double student3(Random& random) {
  double squares = 0;
  const double z = random.normal();
  for (int i = 0; i < 3; ++i) {
    const double each = random.normal();
    squares += each * each;
  }
  return z / std::sqrt(squares / 3) / std::sqrt(3.0);  // of deviation 1
}

double poisson(Random& random, double rate) {
  double product = random.uniform(), count = 0;
  for (const double least = std::exp(-rate); product > least; ++count) product *= random.uniform();
  return count;
}

double peak(double hour, double at, double width) {
  const double away = std::remainder(hour - at, kDayRows) / width;
  return std::exp(-away * away / 2);
}

// the law of a series, drawn by its seed
class Law {
 public:
  explicit Law(const RoughOptions& o)
      : family_(o.family), random_(o.seed * 1000 + static_cast<std::uint64_t>(o.family)) {
    level_ = random_.uniform(20, 60);
    wide_ = random_.uniform(4, 9);
    memory_ = random_.uniform(0.4, 0.85);
    rough_ = random_.uniform(0.5, 1.2);
    late_ = random_.uniform(0, kDayRows);
  }

  // the value at this hour of the season and this day
  double next(double hour, std::size_t day, double noise) {
    const double turn = kFullTurn * (hour - late_) / kDayRows, shock = random_.normal();
    const double season = std::sin(turn) + 0.5 * std::sin(2 * turn + 1);
    const double share = day % 7 >= 5 ? 0.6 : 1.0;
    mood_ = memory_ * mood_ + noise * rough_ * (family_ == Family::heavy ? 1.5 * student3(random_) : shock);
    switch (family_) {
      case Family::load: return level_ + share * wide_ * season + mood_;
      case Family::sharp:
        return level_ + 3 * wide_ * share * (peak(hour, late_, 1.2) + 0.6 * peak(hour, late_ + 9, 1.5)) + mood_;
      case Family::walk: return walk_ += 0.7 * noise * shock, 4 * level_ + walk_ + 0.8 * season;
      case Family::signed_noise: return walk_ = 0.95 * walk_ + noise * shock, walk_ + 0.8 * season;
      case Family::sun: return clouds(noise, shock) * wide_ * std::fmax(0.0, std::sin(turn));
      case Family::heavy: return level_ + wide_ * season + mood_;
      case Family::intermittent: return demand(hour);
      default: return poisson(random_, 8 * std::exp(0.5 * season / 1.5));
    }
  }

 private:
  double clouds(double noise, double shock) {
    walk_ = 0.9 * walk_ + 0.3 * noise * shock;
    return 5 / (1 + std::exp(-walk_ - 1));
  }
  double demand(double hour) {
    const double chance = 0.12 + 0.12 * std::fmax(0.0, std::sin(kFullTurn * (hour - late_) / kDayRows));
    const bool is_wanted = random_.uniform() < chance;
    const double size = std::ceil(std::exp(1.5 + 0.6 * random_.normal()));
    return is_wanted ? size : 0.0;
  }

  Family family_;
  Random random_;
  double level_, wide_, memory_, rough_, late_;
  double mood_ = 0, walk_ = 0;
};

double deviation_of(const std::vector<double>& x, std::size_t rows) {
  double mean = 0, squares = 0;
  for (std::size_t r = 0; r < rows; ++r) mean += x[r] / static_cast<double>(rows);
  for (std::size_t r = 0; r < rows; ++r) squares += (x[r] - mean) * (x[r] - mean);
  return std::sqrt(squares / static_cast<double>(rows));
}

// changes of the law itself
std::vector<double> draw_rows(const RoughOptions& o) {
  Law law(o);
  std::vector<double> x;
  double hour = 0;
  for (std::size_t r = 0; r < o.at() + o.after; ++r) {
    const bool is_changed = r >= o.at();
    const double noise = is_changed && o.kind.kind == Rough::noise ? o.kind.size : 1;
    if (r == o.at() && o.kind.kind == Rough::season_shift) hour -= o.kind.size;
    x.push_back(law.next(hour, r / static_cast<std::size_t>(kDayRows), noise));
    hour += is_changed && o.kind.kind == Rough::season_change ? kDayRows / o.kind.size : 1;
  }
  return x;
}

// rows `from` on that are ±size deviations off
void disturb(std::size_t rows, const RoughOptions& o, double deviation, std::vector<double>& x, RoughStream& stream) {
  Random random(o.seed + 77'000);
  for (std::size_t r = stream.at; r < stream.at + rows; ++r) {
    const double sign = o.kind.kind == Rough::two_spikes ? (r == stream.at ? 1 : -1) : random.sign();
    const double share = rows > 2 ? random.uniform(0.5, 1.5) : 1;
    x[r] += sign * share * o.kind.size * deviation;
    stream.faulty[r] = true;
  }
}

void apply(const RoughOptions& o, double deviation, std::vector<double>& x, RoughStream& stream) {
  const double size = o.kind.size;
  const auto many = static_cast<std::size_t>(size);
  switch (o.kind.kind) {
    case Rough::spike: return disturb(1, o, deviation, x, stream);
    case Rough::two_spikes: return disturb(2, o, deviation, x, stream);
    case Rough::burst: return disturb(kBurst, o, deviation, x, stream);
    case Rough::long_burst: return disturb(kLongBurst, o, deviation, x, stream);
    case Rough::jump:
      for (std::size_t r = stream.at; r < x.size(); ++r) x[r] += size * deviation;
      return;
    case Rough::unit:
    case Rough::gain:
      for (std::size_t r = stream.at; r < x.size(); ++r) x[r] *= stream.gain[r] = size;
      return;
    case Rough::stuck:
    case Rough::gap:
      for (std::size_t r = stream.at; r < stream.at + many; ++r) {
        x[r] = o.kind.kind == Rough::stuck ? x[stream.at - 1] : std::numeric_limits<double>::quiet_NaN();
        stream.faulty[r] = true;
      }
      return;
    default: return;
  }
}

}  // namespace

const char* name(Family family) { return kFamilies[static_cast<std::size_t>(family)]; }
const char* name(Rough kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(Family::counts); ++i) names.emplace_back(name(static_cast<Family>(i)));
  return names;
}

std::vector<Family> families_named(const std::vector<std::string>& names) {
  std::vector<Family> chosen;
  for (int i = 0; i <= static_cast<int>(Family::counts); ++i) {
    const auto family = static_cast<Family>(i);
    if (names.empty() || std::ranges::find(names, name(family)) != names.end()) chosen.push_back(family);
  }
  return chosen;
}

RoughStream rough_stream(const RoughOptions& o) {
  std::vector<double> x = draw_rows(o);
  RoughStream stream;
  stream.at = o.at();
  stream.faulty.assign(x.size(), false);
  stream.gain.assign(x.size(), 1.0);
  apply(o, deviation_of(x, o.learn), x, stream);
  stream.data.names = {"value"};
  stream.data.targets = 1;
  stream.data.grid.step = 86400 / kDayRows;
  Series& series = stream.data.series.emplace_back();
  series.channels = 1;
  for (std::size_t r = 0; r < x.size(); ++r) series.ticks.push_back(r);
  series.values = std::move(x);
  return stream;
}

}  // namespace elastane::series
