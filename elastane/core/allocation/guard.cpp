// Real-time code only.
// What may allocate is in guard_setup.cpp.
#include "elastane/core/allocation/guard.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace elastane {
namespace {

constexpr double kBlock = 64;      // labels whose mean is one measurement of the level
constexpr double kFewest = 16;     // labels before anything can be said about it
constexpr double kPace = 1.1;      // by which the level may rise or fall from block to block
constexpr double kYoung = 4;       // by how much larger the handicap is in the first block; it falls like 1/blocks
constexpr double kMemory = 300;    // τ: steps in which two thirds of what was earned are forgotten
constexpr double kEarned = 10;     // of R that is kept to pay for bad steps: transients are steps, not hours
constexpr double kLargest = 1e30;  // of a loss; more counts as this

double bounded(double loss) { return loss >= 0 && loss <= kLargest ? loss : kLargest; }  // also NaN

}  // namespace

void Guard::reset(GuardMemory& memory) const {
  memory = {};
  memory.odds = -floor_;
}

double Guard::handicap(const GuardMemory& memory) const {
  return options_.handicap * (1 + kYoung / (1 + memory.blocks));
}

// φ: half the share α of the frozen twin's weight goes to the adapted stream, and as much of its weight to the twin; less,
// the more it has earned of R
double Guard::forgotten(double odds, double earned) const {
  const double to_adapted = options_.share / 2, to_frozen = to_adapted * std::exp(-options_.patience * earned);
  const double adapted = 1 / (1 + std::exp(-odds)), frozen = 1 / (1 + std::exp(odds));
  return std::log((to_adapted * frozen + (1 - to_frozen) * adapted) /
                  ((1 - to_adapted) * frozen + to_frozen * adapted));
}

void Guard::decide(GuardMemory& memory) const {
  const bool may = memory.level > 0 && memory.in_debt == 0;
  const double weight = options_.kind == GuardKind::mixture ? 1 / (1 + std::exp(-memory.odds))
                        : memory.odds > 0                   ? 1.0
                                                            : 0.0;
  const double spoken = may ? weight : 0.0;
  if ((spoken > 0.5) != (memory.spoken > 0.5)) memory.switches += 1;
  memory.spoken = spoken;
  memory.open = 1;
}

// The level follows the mean loss of the better of the two over a block, slowly: a change raises the frozen twin's loss
// at once and the adapted stream's for a while.
void Guard::follow_level(double frozen, double adapted, GuardMemory& memory) const {
  memory.frozen += frozen;
  memory.adapted += adapted;
  memory.count += 1;
  const double mean = std::fmax(std::fmin(memory.frozen, memory.adapted) / memory.count, 1 / kLargest);
  const bool first = memory.blocks == 0;
  if (first && memory.count >= kFewest) memory.level = mean;
  if (memory.count < kBlock) return;
  memory.level = first ? mean : std::clamp(mean, memory.level / kPace, memory.level * kPace);
  memory.blocks = std::fmin(memory.blocks + 1, 1e15);
  memory.frozen = memory.adapted = memory.count = 0;
}

// debt by what was spoken; the allowance pays debts, but earns nothing
void Guard::account(double frozen, double adapted, GuardMemory& memory) const {
  const double owed = memory.debt + memory.spoken * (adapted - frozen);
  memory.debt = owed > 0 ? std::clamp(owed - options_.allowance * frozen, 0.0, kLargest)
                         : std::fmax(owed * (1 - 1 / kMemory), -kEarned * options_.earnings * memory.level);
}

GuardReport Guard::judge(double frozen, double adapted, GuardMemory& memory) const {
  if (memory.open == 0) return report(memory);
  memory.open = 0;
  frozen = bounded(frozen);
  adapted = bounded(adapted);
  GuardReport made = report(memory);
  made.frozen_loss = frozen;
  made.adapted_loss = adapted;

  account(frozen, adapted, memory);
  const double handicap = this->handicap(memory);
  follow_level(frozen, adapted, memory);
  if (!(memory.level > 0)) return made;
  const double credit = options_.credit * memory.level, most = options_.earnings * memory.level;
  const bool in_debt = memory.debt >= (memory.in_debt != 0 ? credit / 2 : credit);
  if (in_debt && memory.in_debt == 0) memory.locked += 1;
  memory.in_debt = in_debt ? 1 : 0;
  // evidence by what was not spoken as well
  const double evidence = std::clamp((frozen - adapted) / (2 * memory.level) - handicap, -options_.cap, options_.cap);
  const double earned = memory.debt < 0 && most > 0 ? std::fmin(-memory.debt / most, 1.0) : 0.0;
  memory.odds = forgotten(memory.odds + options_.rate * evidence, earned);
  made.debt = credit > 0 ? std::fmax(memory.debt, 0.0) / credit : 1.0;
  return made;
}

GuardReport Guard::report(const GuardMemory& memory) const {
  GuardReport made;
  made.weight = memory.spoken;
  made.speaker = memory.spoken >= 1 ? Speaker::adapted : memory.spoken <= 0 ? Speaker::frozen : Speaker::both;
  made.reason = memory.level <= 0     ? SpeakerReason::start
                : memory.in_debt != 0 ? SpeakerReason::debt
                                      : SpeakerReason::evidence;
  return made;
}

std::string_view name(GuardKind kind) {
  constexpr std::string_view kNames[] = {"automatic", "off", "switch", "mixture"};
  static_assert(std::size(kNames) == kGuardKinds);
  return kNames[static_cast<int>(kind)];
}

std::string_view name(Speaker speaker) {
  constexpr std::string_view kNames[] = {"unguarded", "frozen", "adapted", "both"};
  static_assert(std::size(kNames) == kSpeakers);
  return kNames[static_cast<int>(speaker)];
}

std::string_view name(SpeakerReason reason) {
  constexpr std::string_view kNames[] = {"none", "start", "evidence", "debt"};
  static_assert(std::size(kNames) == kSpeakerReasons);
  return kNames[static_cast<int>(reason)];
}

}  // namespace elastane
