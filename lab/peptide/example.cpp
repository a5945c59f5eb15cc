#include "lab/peptide/example.h"

#include <algorithm>
#include <cmath>

#include "lab/peptide/observation.h"

namespace elastane::peptide {
namespace {

// Which contact is requested: a new one some steps after the last one was met, or when it takes too long.
class ContactSchedule {
 public:
  ContactSchedule(const Energy& energy, Random& random)
      : energy_(&energy), random_(&random), patience_(1 + random.below(8)) {}

  const Contact& contact() const { return contact_; }

  void advance(const Conformation& there) {
    const bool met = contact_.is_requested() && energy_->contact_distance(there, contact_) <= kContact &&
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

// The expert's plan as a path of torsions, which the chain may have left.
class ExpertPath {
 public:
  ExpertPath(const Energy& energy, const ExpertOptions& options) : energy_(&energy), expert_(energy, options) {}

  bool needs_plan(const Contact& contact) const { return !(contact == contact_) || at_ >= path_.size(); }

  void plan(const Torsions& from, const Contact& contact, Random& random) {
    const Plan plan = expert_.plan(from, contact, contact.is_requested() ? kWindow : 4, random);
    path_.clear();
    Torsions there = from;
    for (const auto& y : plan.moves) {
      for (std::size_t t = 0; t < there.size(); ++t) there[t] += kStepLimit * y[t];
      path_.push_back(there);
    }
    contact_ = contact;
    at_ = 0;
  }

  // y towards the next point of the path
  std::array<float, kMaxTorsions> next(const Torsions& from) {
    std::array<float, kMaxTorsions> y = {};
    const Torsions& to = path_[at_++];
    for (std::size_t t = 0; t < static_cast<std::size_t>(energy_->chain().torsions()); ++t) {
      y[t] = static_cast<float>(std::clamp(wrapped(to[t] - from[t]) / kStepLimit, -1.0, 1.0));
    }
    return y;
  }

 private:
  static constexpr double kStepLimit = MoveOptions{}.limit;

  const Energy* energy_;
  Expert expert_;
  std::vector<Torsions> path_;
  std::size_t at_ = 0;
  Contact contact_;
};

// Random moves of a few steps that take the chain off the expert's plan.
class Pushes {
 public:
  // replaces y while a push lasts; returns true at its last step
  bool apply(double probability, Random& random, std::array<float, kMaxTorsions>& y) {
    if (left_ == 0 && !(random.uniform() < probability)) return false;
    if (left_ == 0) {
      left_ = 2 + random.below(4);
      for (float& push : push_) push = static_cast<float>(0.6 * random.normal());
    }
    y = push_;
    return --left_ == 0;
  }

 private:
  std::array<float, kMaxTorsions> push_ = {};
  int left_ = 0;
};

// One chain while its example is made.
class ExampleRun {
 public:
  ExampleRun(std::uint64_t seed, int number, Agent* trainee, const ExampleOptions& options)
      : random_(seed * 1'000'003 + 29, static_cast<std::uint64_t>(number) << 32U),
        energy_{Chain(random_sequence(random_))},
        trainee_(trainee),
        options_(options),
        torsions_(random_start(energy_, random_)),
        path_(energy_, options.expert),
        schedule_(energy_, random_) {
    if (trainee) trainee->begin(energy_);
  }

  void step(int step, std::span<float> x, std::span<float> target) {
    const Contact contact = schedule_.contact();
    Torsions observed = torsions_;
    for (int t = 0; t < chain().torsions(); ++t) observed[static_cast<std::size_t>(t)] += kNoise * random_.normal();
    observe(energy_, observed, contact, point_, x);
    const bool stale = trainee_ != nullptr && step % options_.plan_every == 0;
    if (path_.needs_plan(contact) || stale) path_.plan(torsions_, contact, random_);
    std::array<float, kMaxTorsions> y = path_.next(torsions_);
    write_target(y, target);
    bool lost = false;  // a push has ended
    if (trainee_) {
      trainee_->act(x, observed, contact, output_);
      if (random_.uniform() < options_.policy_share) std::copy_n(output_.begin(), y.size(), y.begin());
    } else {
      lost = pushes_.apply(options_.push, random_, y);
    }
    torsions_ = moved(torsions_, y, chain().torsions(), MoveOptions{}.limit);
    if (lost) path_.plan(torsions_, contact, random_);
    chain().place(torsions_, after_);
    schedule_.advance(after_);
  }

 private:
  const Chain& chain() const { return energy_.chain(); }

  void write_target(const std::array<float, kMaxTorsions>& y, std::span<float> target) {
    std::copy_n(y.begin(), chain().torsions(), target.begin());
    chain().place(moved(torsions_, y, chain().torsions(), MoveOptions{}.limit), after_);
    coarse_map(chain(), after_, target.subspan(kMaxTorsions));
  }

  Random random_;
  Energy energy_;
  Agent* trainee_;
  const ExampleOptions& options_;
  Torsions torsions_;
  ExpertPath path_;
  ContactSchedule schedule_;
  Pushes pushes_;
  EnergyPoint point_;
  Conformation after_;
  std::array<float, kOutputs> output_ = {};
};

}  // namespace

Example make_example(std::uint64_t seed, int number, Agent* trainee, const ExampleOptions& options) {
  ExampleRun run(seed, number, trainee, options);
  Example example{.steps = options.steps, .x = {}, .target = {}};
  example.x.resize(static_cast<std::size_t>(example.steps) * kInputs);
  example.target.assign(static_cast<std::size_t>(example.steps) * kOutputs, NAN);
  for (int step = 0; step < example.steps; ++step) {
    const auto at = static_cast<std::size_t>(step);
    run.step(step, std::span(example.x).subspan(at * kInputs, kInputs),
             std::span(example.target).subspan(at * kOutputs, kOutputs));
  }
  return example;
}

}  // namespace elastane::peptide
