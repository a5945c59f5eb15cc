#include "lab/peptide/lesson.h"

#include <algorithm>
#include <cmath>

#include "lab/peptide/observation.h"

namespace elastane::peptide {
namespace {

// which contact is asked for: another one some steps after it is met, or when it takes too long
class Wishes {
 public:
  Wishes(const Energy& energy, Random& random) : energy_(&energy), random_(&random), patience_(1 + random.below(8)) {}

  const Contact& contact() const { return contact_; }

  void judge(const Conformation& there) {
    const bool met = contact_.is_asked() && energy_->contact_distance(there, contact_) <= kContact &&
                     energy_->clashes(there) == 0 && energy_->disallowed(there) == 0;
    held_ = met ? held_ + 1 : 0;
    if (--patience_ > 0 && held_ < stay_) return;
    contact_ = random_contact(energy_->chain().residues(), *random_);
    held_ = 0, stay_ = kHold + random_->below(8), patience_ = kWindow;
  }

 private:
  const Energy* energy_;
  Random* random_;
  Contact contact_;
  int held_ = 0, stay_ = kHold, patience_;
};

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
  const Energy energy{Chain(random_sequence(random))};
  const Chain& chain = energy.chain();
  const auto n = static_cast<std::size_t>(chain.torsions());
  Torsions torsions = random_start(energy, random);
  Guide guide(energy, options.expert);
  Wishes wishes(energy, random);
  if (driver) driver->begin(energy);

  Lesson lesson{.steps = options.steps, .x = {}, .target = {}};
  lesson.x.resize(static_cast<std::size_t>(lesson.steps) * kInputs);
  lesson.target.assign(static_cast<std::size_t>(lesson.steps) * kOutputs, NAN);
  EnergyPoint seen;
  Conformation after;
  std::array<float, kMostTorsions> pushed = {};
  std::array<float, kOutputs> driven = {};
  int pushing = 0;
  for (int step = 0; step < lesson.steps; ++step) {
    const Contact contact = wishes.contact();
    Torsions observed = torsions;
    for (std::size_t t = 0; t < n; ++t) observed[t] += kNoise * random.normal();
    const std::span x(lesson.x.data() + static_cast<std::size_t>(step) * kInputs, kInputs);
    const std::span target(lesson.target.data() + static_cast<std::size_t>(step) * kOutputs, kOutputs);
    observe(energy, observed, contact, seen, x);

    const bool stale = driver != nullptr && step % options.plan_every == 0;
    if (guide.needs_plan(contact) || stale) guide.plan(torsions, contact, random);
    std::array<float, kMostTorsions> y = guide.next(torsions);
    std::copy_n(y.begin(), n, target.begin());
    chain.place(moved(torsions, y, chain.torsions(), MoveOptions{}.limit), after);
    coarse_map(chain, after, target.subspan(kMostTorsions));

    bool lost = false;  // a push is over
    if (driver) {
      driver->drive(x, observed, contact, driven);
      if (random.uniform() < options.policy_share) std::copy_n(driven.begin(), y.size(), y.begin());
    } else if (pushing > 0 || random.uniform() < options.push) {
      if (pushing == 0) {
        pushing = 2 + random.below(4);
        for (float& push : pushed) push = static_cast<float>(0.6 * random.normal());
      }
      y = pushed;
      --pushing;
      lost = pushing == 0;
    }
    torsions = moved(torsions, y, chain.torsions(), MoveOptions{}.limit);
    if (lost) guide.plan(torsions, contact, random);
    chain.place(torsions, after);
    wishes.judge(after);
  }
  return lesson;
}

}  // namespace elastane::peptide
