#include "lab/navigation/policy_agents.h"

#include <algorithm>
#include <array>

#include "elastane/core/math/kernels.h"

namespace elastane::navigation {
namespace {

constexpr std::uint64_t kSchoolSite = 424242;  // of no benchmark

StreamOptions corrected(const CorrectorOptions& corrector, double fade) {
  StreamOptions options;
  options.corrector = corrector;
  options.latent.judged = kWay;
  options.latent.fade = fade;
  return options;
}

// a way as a latent of its own: the output is the latent, and it stands still
class WayLatent final : public LatentModel {
 public:
  int latents() const override { return kWay; }
  int outputs() const override { return kWay; }
  LatentCost cost() const override { return {}; }
  void linearise(std::span<const double> z, std::span<double> y) override {
    std::ranges::copy(z, point_.begin());
    std::ranges::copy(z, y.begin());
  }
  void output(std::span<const double> z, std::span<double> y) override { std::ranges::copy(z, y.begin()); }
  void jvp(ConstDoubleRows q, DoubleRows jq) override { copy(q, jq); }
  void vjp(ConstDoubleRows w, DoubleRows jtw) override { copy(w, jtw); }
  void second(std::span<const double>, std::span<double> d2) override { std::ranges::fill(d2, 0.0); }
  void roll_point(DoubleRows y) override { repeat(point_, y); }
  void roll_tangent(std::span<const double> v, DoubleRows dy) override { repeat(v, dy); }
  void roll(std::span<const double> z, DoubleRows y) override { repeat(z, y); }

 private:
  static void copy(ConstDoubleRows from, DoubleRows to) {
    for (int i = 0; i < from.count; ++i) std::copy_n(from[i], kWay, to[i]);
  }
  static void repeat(std::span<const double> from, DoubleRows to) {
    for (int i = 0; i < to.count; ++i) std::ranges::copy(from, to[i]);
  }

  std::array<double, kWay> point_ = {};
};

}  // namespace

FrozenAgent::FrozenAgent(const Model& policy, const StreamOptions& options) : stream_(policy, options) {}

void FrozenAgent::begin() {
  stream_.reset();
  view_ = {};
}

void FrozenAgent::propose(const Sight& sight) {
  speak(sight, std::span(x_).subspan(kAir));
  advance_macs_ = stream_.advance(x_).macs;
  view_.see(sight);
}

Point FrozenAgent::act(const Sight& sight) {
  propose(sight);
  show(stream_.output());
  report_ = {};
  report_.macs[static_cast<int>(Stage::advance)] = advance_macs_;
  return first_command(stream_.output());
}

LatentAgent::LatentAgent(const Model& policy, const CorrectorOptions& corrector, const WayTastes& tastes, double fade)
    : FrozenAgent(policy, corrected(corrector, fade)), objective_(tastes) {}

Point LatentAgent::act(const Sight& sight) {
  propose(sight);
  objective_.look(view_, sight.goal, stream_.output());
  // what was seen some time ago has been said already, and a latent remembers
  report_ = view_.fresh() ? stream_.correct(objective_) : StepReport{};
  report_.macs[static_cast<int>(Stage::advance)] = advance_macs_;
  show(stream_.output());
  return first_command(stream_.output());
}

StaticAgent::StaticAgent(const Model& policy, const CorrectorOptions& corrector, const WayTastes& tastes, double fade)
    : LatentAgent(policy, corrector, tastes, fade) {
  const Site site = random_site(kSchoolSite);
  const Route route(site);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Drive drive(site, draw_scenario(site, route, {.mode = Mode::dragged}, seed));
    begin();
    while (!drive.over()) drive.move(act(drive.look()));
  }
  schooled_ = stream_;
}

void StaticAgent::begin() {
  if (schooled_) stream_ = *schooled_;
  stream_.restart();  // the corrector's memory stays
  view_ = {};
}

WayCorrector::WayCorrector(const CorrectorOptions& options)
    : corrector_(options, kWay, kWay, **kernels(Isa::automatic)),
      memory_(corrector_.memory_doubles()),
      way_(kWay),
      output_(kWay) {
  reset();
}

void WayCorrector::reset() { corrector_.reset(memory_.data()); }

StepReport WayCorrector::correct(const WayObjective& objective, std::span<const float> proposed) {
  std::copy_n(proposed.begin(), kWay, way_.begin());
  WayLatent latent;
  return corrector_.correct(latent, objective, {}, way_, output_, memory_.data());
}

WayAgent::WayAgent(const Model& policy, const CorrectorOptions& corrector, const WayTastes& tastes)
    : FrozenAgent(policy), objective_(tastes), corrector_(corrector) {}

void WayAgent::begin() {
  FrozenAgent::begin();
  corrector_.reset();
}

Point WayAgent::act(const Sight& sight) {
  propose(sight);
  objective_.look(view_, sight.goal, stream_.output());
  report_ = corrector_.correct(objective_, stream_.output());
  report_.macs[static_cast<int>(Stage::advance)] = advance_macs_;
  show(corrector_.way());
  return first_command(corrector_.way());
}

BothAgent::BothAgent(const Model& policy, const CorrectorOptions& latent, double fade, const CorrectorOptions& way,
                     const WayTastes& tastes)
    : LatentAgent(policy, latent, tastes, fade), corrector_(way) {}

void BothAgent::begin() {
  LatentAgent::begin();
  corrector_.reset();
}

// the report is the latent's, with the other's compute
Point BothAgent::act(const Sight& sight) {
  LatentAgent::act(sight);
  objective_.look(view_, sight.goal, stream_.output());
  const StepReport after = corrector_.correct(objective_, stream_.output());
  for (int stage = 0; stage < kStages; ++stage) report_.macs[stage] += after.macs[stage];
  if (!view_.fresh()) report_.loss_before = after.loss_before;  // the latent was left alone
  report_.loss_after = after.loss_after;
  show(corrector_.way());
  return first_command(corrector_.way());
}

Point FilteredAgent::act(const Sight& sight) {
  Point command = FrozenAgent::act(sight);
  // twice: in a corner the second surface is met by the turned command
  for (int i = 0; i < 2; ++i) {
    const Room room = view_.room(command);
    const Room here = view_.room({});
    const double allowed = -options_.pace * (here.distance - kBody - options_.margin);
    const double approach = dot(command, room.away);
    if (room.distance < kBody + options_.margin + kSpeed && approach < allowed) {
      command += room.away * (allowed - approach);
    }
  }
  return at_most(command, kSpeed);
}

}  // namespace elastane::navigation
