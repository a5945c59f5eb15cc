// Recall of pairs whose keys are given: how many a memory holds, values that change, needles among a million steps.
//
// Keys are unit vectors of a common and an own part, so that two of them have the same expected cosine. Values are vectors
// of ±1 out of a book of 256; a memory recalls a value if no other of the book is nearer.
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/base/random.h"
#include "lab/recall/memory_rule.h"

namespace elastane::recall {

inline constexpr int kBook = 256, kValueSize = 32;

// the values, and keys of one size
class PairSource {
 public:
  PairSource(int keys, double cosine, std::uint64_t seed);

  std::vector<float> key();
  int value() { return random_.below(kBook); }
  std::span<const float> vector(int value) const { return {book_.data() + value * kValueSize, kValueSize}; }
  std::vector<float> noisy(int value, double noise);
  bool recalls(MemoryRule& memory, std::span<const float> key, int value) const;
  Random& random() { return random_; }

 private:
  int keys_;
  double cosine_;
  Random random_;
  std::vector<float> book_, shared_;
};

struct Recalled {
  double accuracy = 0, changed = 0;  // changed: of keys that got a second value
  double write_share = 0;
};

// n pairs, each shown once
Recalled hold_pairs(MemoryRule& memory, int keys, double cosine, int n, std::uint64_t seed);
// n pairs, then half of them with another value; the newest is asked for
Recalled rebind_pairs(MemoryRule& memory, int keys, double cosine, int n, std::uint64_t seed);

// keys that recur with the frequencies of Zipf's law, noisy values that are drawn again from time to time. Each key is
// asked for before it is shown; the first time after a change, which cannot be known, does not count.
struct RecurringOptions {
  int keys = 64;  // channels
  double cosine = 0.36;
  int pairs = 32, steps = 5000;
  double noise = 0.3, redraw = 0.01;
};
Recalled follow_pairs(MemoryRule& memory, const RecurringOptions& options, std::uint64_t seed);

// Needles are shown twice, one after the other and then again, with junk between; then a stream of other recurring keys
// and junk, which is new in every step. Asked for after 10², 10³, … steps.
struct NeedleOptions {
  int keys = 64;
  int needles = 24, others = 16;
  std::int64_t steps = 1'000'000;
  double noise = 0.3, redraw = 1e-3, junk = 0;
};
struct NeedlePoint {
  std::int64_t steps;
  double accuracy, write_share;
};
std::vector<NeedlePoint> find_needles(MemoryRule& memory, const NeedleOptions& options, std::uint64_t seed);

}  // namespace elastane::recall
