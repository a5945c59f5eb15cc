#include "elastane/worlds/peptide/lesson.h"

#include <algorithm>
#include <cmath>

#include "elastane/worlds/peptide/observation.h"

namespace elastane::peptide {
namespace {

Episode random_episode(Random& random) {
  Episode episode;
  episode.sequence = random_sequence(random);
  const Energy energy{Chain(episode.sequence)};
  episode.start = random_start(energy, random);
  episode.first = random_contact(energy.chain().residues(), random);
  episode.second = random_contact(energy.chain().residues(), random);
  episode.appears = 4;
  episode.noise = random.bits();
  return episode;
}

// the expert's way, as a path of torsions that one may have left
class Guide {
 public:
  Guide(const Energy& energy, const ExpertOptions& options) : energy_(&energy), expert_(energy, options) {}

  bool needs_plan(const Contact& contact) const { return !(contact == contact_) || at_ >= path_.size(); }

  void plan(const Torsions& from, const Contact& contact, Random& random) {
    const Way way = expert_.plan(from, contact, contact.is_asked() ? kWindow : 4, random);
    path_.clear();
    Torsions there = from;
    for (const auto& y : way.moves) {
      for (std::size_t t = 0; t < there.size(); ++t) there[t] += kLimit * y[t];
      path_.push_back(there);
    }
    contact_ = contact;
    at_ = 0;
  }

  // y towards the next point of the way
  std::array<float, kMostTorsions> next(const Torsions& from) {
    std::array<float, kMostTorsions> y = {};
    const Torsions& to = path_[at_++];
    for (std::size_t t = 0; t < static_cast<std::size_t>(energy_->chain().torsions()); ++t) {
      y[t] = static_cast<float>(std::clamp(wrapped(to[t] - from[t]) / kLimit, -1.0, 1.0));
    }
    return y;
  }

 private:
  static constexpr double kLimit = MoveOptions{}.limit;

  const Energy* energy_;
  Expert expert_;
  std::vector<Torsions> path_;
  std::size_t at_ = 0;
  Contact contact_;
};

}  // namespace

Lesson teach(std::uint64_t seed, int number, Driver* driver, const LessonOptions& options) {
  Random random(seed * 1'000'003 + 29, static_cast<std::uint64_t>(number) << 32U);
  const Episode episode = random_episode(random);
  const Energy energy{Chain(episode.sequence)};
  const Chain& chain = energy.chain();
  Trial trial(episode, energy);
  Guide guide(energy, options.expert);
  if (driver) driver->begin(energy);

  Lesson lesson{.steps = episode.ends()};
  lesson.x.resize(static_cast<std::size_t>(lesson.steps) * kInputs);
  lesson.target.assign(static_cast<std::size_t>(lesson.steps) * kOutputs, NAN);
  Conformation seen, after;
  std::array<float, kMostTorsions> pushed = {};
  std::array<float, kOutputs> driven = {};
  int pushing = 0;
  for (int step = 0; step < lesson.steps; ++step) {
    const Contact contact = trial.contact();
    const Torsions observed = trial.observed();
    chain.place(observed, seen);
    const std::span x(lesson.x.data() + static_cast<std::size_t>(step) * kInputs, kInputs);
    const std::span target(lesson.target.data() + static_cast<std::size_t>(step) * kOutputs, kOutputs);
    observe(chain, seen, contact, x);

    const bool stale = driver != nullptr && step % options.plan_every == 0;
    if (guide.needs_plan(contact) || stale) guide.plan(trial.torsions(), contact, random);
    const auto y = guide.next(trial.torsions());
    std::copy_n(y.begin(), chain.torsions(), target.begin());
    Torsions next = trial.torsions();
    for (std::size_t t = 0; t < next.size(); ++t) next[t] += MoveOptions{}.limit * y[t];
    chain.place(next, after);
    coarse_map(chain, after, target.subspan(kMostTorsions));

    if (driver) driver->drive(x, observed, contact, driven);
    if (driver && random.uniform() < options.policy_share) {
      trial.move(driven);
    } else if (!driver && (pushing > 0 || random.uniform() < options.push)) {
      if (pushing == 0) {
        pushing = 2 + random.below(4);
        for (float& push : pushed) push = static_cast<float>(random.normal() * 0.6);
      }
      trial.move(pushed);
      if (--pushing == 0) guide.plan(trial.torsions(), contact, random);
    } else {
      trial.move(y);
    }
  }
  return lesson;
}

}  // namespace elastane::peptide
