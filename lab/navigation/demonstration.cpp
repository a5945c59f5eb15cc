#include "lab/navigation/demonstration.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "elastane/core/base/random.h"
#include "elastane/core/stream/stream.h"
#include "lab/navigation/encoding.h"
#include "lab/navigation/expert.h"

namespace elastane::navigation {
namespace {

constexpr int kPush = 8;  // steps of a push, at most
constexpr float kMissingInput = std::numeric_limits<float>::quiet_NaN();

class Driver {
 public:
  Driver(const RoutedSite& site, const DemonstrationOptions& options, Random& random)
      : site_(site), stray_(options.stray), random_(random) {
    if (options.driver != nullptr && random.uniform() >= options.expert_share) stream_.emplace(*options.driver);
  }

  Vec2 command(const Environment& environment, std::span<const float> x) {
    if (stream_) stream_->advance(x);
    if (pushed_ == 0 && random_.uniform() < stray_ / kPush * 2) {
      pushed_ = 1 + random_.below(kPush);
      const double turn = random_.uniform(0, 2 * std::numbers::pi);
      push_ = Vec2{std::cos(turn), std::sin(turn)} * (kSpeed * random_.uniform(0.5, 1));
    }
    if (pushed_ > 0) {
      --pushed_;
      return push_;
    }
    if (stream_) return first_command(stream_->output());
    return expert_command(site_.site, site_.route, environment.position(), environment.disturbance());
  }

 private:
  const RoutedSite& site_;
  double stray_;
  Random& random_;
  std::optional<Stream> stream_;
  int pushed_ = 0;
  Vec2 push_;
};

Episode episode_of(const RoutedSite& site, const DemonstrationOptions& options, std::uint64_t seed, Random& random) {
  const bool windy = random.uniform() < options.windy, blind = random.uniform() < options.blind;
  Episode episode = draw_episode(site, {.mode = windy ? Mode::drifting : Mode::still}, seed);
  episode.limit = options.steps;
  if (windy) episode.disturbed_at = random.below(options.steps / 2);
  if (blind) {
    episode.blind_for = 4 + random.below(13);
    episode.blind_every = episode.blind_for + 6 + random.below(20);
  }
  return episode;
}

// the expert's path from here; unknown once the robot is home
void add_path_target(const RoutedSite& site, const Environment& environment, std::vector<float>& target) {
  std::array<Vec2, kWaypoints> path;
  expert_path(site.site, site.route, environment.position(), environment.disturbance(), kStride, path);
  const bool home = environment.arrived();
  for (const Vec2 p : path) {
    target.push_back(home ? kMissingInput : static_cast<float>(p.x / kPathUnit));
    target.push_back(home ? kMissingInput : static_cast<float>(p.y / kPathUnit));
  }
}

}  // namespace

Demonstration demonstrate(const RoutedSite& site, const DemonstrationOptions& options, std::uint64_t seed) {
  Random random(seed, 1ULL << 50U);
  Environment environment(site.site, episode_of(site, options, seed, random));
  Driver driver(site, options, random);
  Demonstration shown;
  std::array<float, kInputs> x = {};
  Vec2 command;
  for (int t = 0; t < options.steps; ++t) {
    const Observation observation = environment.observe();
    encode(environment.disturbance(), x);
    encode(observation, std::span(x).subspan(kDisturbance));
    shown.x.insert(shown.x.end(), x.begin(), x.end());
    // this observation is the target of the step before
    if (t > 0) encode_next(observation, command, std::span(shown.target).last(kObserved));
    add_path_target(site, environment, shown.target);
    shown.target.insert(shown.target.end(), kObserved, kMissingInput);
    command = limited(driver.command(environment, x), kSpeed);
    environment.step(command);
  }
  return shown;
}

}  // namespace elastane::navigation
