// How much may be spent: work, in microseconds of a wall clock or in counted multiply-adds, which replay bit for bit; and
// loss, by which a stream that adapts may be worse than its frozen twin.
//
// A micro-step of a correction starts only if its predicted cost fits into what is left, so the result is always that of
// some number of whole micro-steps.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace elastane {

struct Budget {
  enum class Clock : std::uint8_t { none, wall, counted };

  Clock clock = Clock::none;
  double limit = std::numeric_limits<double>::infinity();

  // µs beyond it
  double overrun(double elapsed) const {
    return clock == Clock::wall ? std::fmax(0.0, elapsed - std::fmax(0.0, limit)) : 0.0;
  }

  static Budget none() { return {}; }
  static Budget micros(double limit) { return {Clock::wall, limit}; }
  static Budget macs(double limit) { return {Clock::counted, limit}; }
};

// Who is heard: the frozen twin of a stream, or the stream that adapts (guard.h, docs/science.md §3.4).
enum class GuardKind : std::uint8_t {
  automatic,  // switched where adaptation lasts: with persistent coordinates; off otherwise
  off,        // the adapted stream always is heard, and there is no twin
  switched,   // one of the two
  mixture,    // the mean of both, by weight
};
inline constexpr int kGuardKinds = 4;
std::string_view name(GuardKind kind);

// Losses are in units of their level at rest, which the guard follows.
struct LossGuardOptions {
  GuardKind kind = GuardKind::automatic;
  double allowance = 0.02;  // ε: the share of the frozen twin's loss by which adaptation may be worse for ever
  double credit = 100;      // B: by how much more it may be worse at once
  double earnings = 200;    // R: of what it earned by being better, up to 10R pay for bad steps, and R makes it trusted
  double handicap = 0.15;   // h: by how much the adapted stream must be better, since only observed channels are judged
  double rate = 1;          // η: of the evidence
  double cap = 8;           // the most evidence of one step
  double share = 1e-3;      // α: of the weight that returns to both in every step, so that old evidence is forgotten
  double patience = 8;      // P: the share that leaves the adapted stream is smaller by e^−P once it has earned R
};

// What the guard did in a step, and why.
enum class Speaker : std::uint8_t { unguarded, frozen, adapted, both };
enum class SpeakerReason : std::uint8_t {
  none,      // there is no guard
  start,     // nothing was judged yet
  evidence,  // it was better so far
  debt,      // the adapted stream has used up its credit
};
inline constexpr int kSpeakers = 4, kSpeakerReasons = 4;
std::string_view name(Speaker speaker);
std::string_view name(SpeakerReason reason);

struct GuardReport {
  Speaker speaker = Speaker::unguarded;
  SpeakerReason reason = SpeakerReason::none;
  double weight = 1;                         // of the adapted stream in the output
  double frozen_loss = 0, adapted_loss = 0;  // of both predictions, before the correction
  double debt = 0;                           // in units of the credit, after
};

// How long a piece of work is expected to take: the time that one in a hundred exceeds, followed as the work is
// repeated. One interruption by the machine moves it by no more than a twentieth.
struct TimeEstimate {
  double micros = 0;
  int seen = 0;

  void observe(double took) {
    constexpr double kUp = 0.05, kDown = 5e-4;
    const double early = 1.0 / (seen + 2);  // the first times, with cold caches, count little
    if (seen == 0) {
      micros = took;
    } else if (took > micros) {
      micros += kUp * (took < 2 * micros ? took - micros : micros);
    } else {
      micros -= (early > kDown ? early : kDown) * (micros - took < 0.1 * micros ? 0.1 * micros : micros - took);
    }
    seen += seen < 1 << 20 ? 1 : 0;
  }
  // It kept work from starting. It comes down, so that the work is tried again: soon, if little was measured so far
  void refuse() { micros *= 1 - (seen < 1000 ? 0.1 / (seen + 1) : 1e-4); }
};

}  // namespace elastane
