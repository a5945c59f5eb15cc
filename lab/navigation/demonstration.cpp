#include "lab/navigation/demonstration.h"

#include <array>
#include <limits>
#include <numbers>
#include <optional>

#include "elastane/core/base/random.h"
#include "elastane/core/stream/stream.h"
#include "lab/navigation/expert.h"
#include "lab/navigation/language.h"

namespace elastane::navigation {
namespace {

constexpr int kPush = 8;  // steps for which a robot is pushed about, at most

class Driver {
 public:
  Driver(const Place& place, const DemonstrationOptions& options, Random& random)
      : place_(place), stray_(options.stray), random_(random) {
    if (options.driver != nullptr && random.uniform() >= options.expert_share) stream_.emplace(*options.driver);
  }

  Point command(const Drive& drive, std::span<const float> x) {
    if (stream_) stream_->advance(x);
    if (pushed_ == 0 && random_.uniform() < stray_ / kPush * 2) {
      pushed_ = 1 + random_.below(kPush);
      const double turn = random_.uniform(0, 2 * std::numbers::pi);
      push_ = Point{std::cos(turn), std::sin(turn)} * (kSpeed * random_.uniform(0.5, 1));
    }
    if (pushed_ > 0) {
      --pushed_;
      return push_;
    }
    if (stream_) return first_command(stream_->output());
    return expert_command(place_.site, place_.route, drive.position(), drive.air());
  }

 private:
  const Place& place_;
  double stray_;
  Random& random_;
  std::optional<Stream> stream_;
  int pushed_ = 0;
  Point push_;
};

}  // namespace

std::vector<Place> random_places(std::uint64_t seed, int count) {
  std::vector<Place> places;
  for (int i = 0; i < count; ++i) places.emplace_back(random_site(seed * 1000 + static_cast<std::uint64_t>(i)));
  return places;
}

Demonstration demonstrate(const Place& place, const DemonstrationOptions& options, std::uint64_t seed) {
  Random random(seed, 1ULL << 50U);
  const bool windy = random.uniform() < options.windy, blind = random.uniform() < options.blind;
  Scenario scenario = draw_scenario(place.site, place.route, {.mode = windy ? Mode::drifting : Mode::still}, seed);
  scenario.limit = options.steps;
  if (windy) scenario.air_at = random.below(options.steps / 2);
  if (blind) {
    scenario.blind_for = 4 + random.below(13);
    scenario.blind_every = scenario.blind_for + 6 + random.below(20);
  }
  Drive drive(place.site, scenario);
  Driver driver(place, options, random);
  Demonstration shown;
  std::array<float, kInputs> x = {};
  std::array<Point, kStops> way;
  Point command;
  constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
  for (int t = 0; t < options.steps; ++t) {
    const Sight sight = drive.look();
    speak(drive.air(), x);
    speak(sight, std::span(x).subspan(kAir));
    shown.x.insert(shown.x.end(), x.begin(), x.end());
    // what it should have said a step ago
    if (t > 0) speak_next(sight, command, std::span(shown.target).last(kSight));
    const bool home = drive.arrived();
    expert_way(place.site, place.route, drive.position(), drive.air(), kStride, way);
    for (const Point p : way) {
      shown.target.push_back(home ? unknown : static_cast<float>(p.x / kWayUnit));
      shown.target.push_back(home ? unknown : static_cast<float>(p.y / kWayUnit));
    }
    shown.target.insert(shown.target.end(), kSight, unknown);
    command = at_most(driver.command(drive, x), kSpeed);
    drive.move(command);
  }
  return shown;
}

}  // namespace elastane::navigation
