// Who is heard: the frozen twin of a stream, or the stream that adapts. Decide, then look (docs/science.md §3.4).
//
//   spoken    1 if odds > 0 and the adapted stream is not in debt, else 0          switched
//             1/(1 + e^−odds), and 0 in debt                                       mixture
//   odds  ←   φ(odds + η·clamp((frozen − adapted)/2s − h, ±cap))                   evidence; φ forgets (fixed share)
//   debt  ←   debt + spoken·(adapted − frozen), then
//             max(0, debt − ε·frozen) if it is above 0                             in debt from B·s on, until ½B·s
//             max(−10R·s, debt·(1 − 1/τ)) if it is below                           earned, fading
//
// s is the level of the loss at rest. Whatever the losses are, what is spoken loses since the start at most (1 + ε) times
// what the frozen twin loses, plus B·s and the excess of one step; over any stretch of time at most what was earned just
// before it more, which is at most 10R·s. What was earned, up to R·s, also makes φ forget less of the odds in favour of the
// adapted stream: a changed world has quiet hours too.
#pragma once

#include <cstddef>

#include "elastane/core/allocation/budget.h"
#include "elastane/core/base/result.h"

namespace elastane {

Status validate(const LossGuardOptions& options);

// what lasts from step to step: all doubles, in the stream's state
struct GuardMemory {
  double odds = 0;      // log-odds of the adapted stream
  double debt = 0;      // by how much it was worse where it spoke, less what it is allowed; below 0: it has earned
  double in_debt = 0;   // 1: until the debt is half paid, the frozen twin is heard
  double level = 0;     // s; 0: not known yet
  double frozen = 0;    // sums over the losses of this block
  double adapted = 0;   //
  double count = 0;     // of them
  double blocks = 0;    // that are complete
  double spoken = 0;    // the weight of the adapted stream in this step's output
  double open = 0;      // 1: this step was not judged yet
  double switches = 0;  // how often the speaker changed
  double locked = 0;    // how often the adapted stream fell into debt
};
inline constexpr std::size_t kGuardDoubles = sizeof(GuardMemory) / sizeof(double);

class Guard {
 public:
  explicit Guard(const LossGuardOptions& options);

  void reset(GuardMemory& memory) const;
  // before a step is spoken: who does?
  void decide(GuardMemory& memory) const;
  // the losses of both predictions are known; once per step
  GuardReport judge(double frozen, double adapted, GuardMemory& memory) const;
  // what decide led to, and why
  GuardReport report(const GuardMemory& memory) const;

  const LossGuardOptions& options() const { return options_; }
  double floor() const { return floor_; }  // of the odds
  // h in this step: a stream that has only begun to learn is trusted less
  double handicap(const GuardMemory& memory) const;

 private:
  void follow_level(double frozen, double adapted, GuardMemory& memory) const;
  void account(double frozen, double adapted, GuardMemory& memory) const;
  double forgotten(double odds, double earned) const;

  LossGuardOptions options_;
  double floor_;
};

}  // namespace elastane
