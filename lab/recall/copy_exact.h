// Copying without training: what a state of fixed size can do, and what a look-up of n-grams can (arXiv 2402.01032).
#pragma once

#include <cstdint>

namespace elastane::recall {

// A register that holds the last `slots` symbols, and guesses those before: the share of strings that it gets wrong,
// counted and in closed form. A state of D^slots values gets at least this share wrong (theorem 2.7).
double shift_register_error(int symbols, int slots, int length, int strings, std::uint64_t seed);
double shift_register_bound(int symbols, int slots, int length);
// The share of strings that a state of so many bytes can copy at most, whatever the model is (the same theorem).
double copy_bound(int symbols, std::int64_t state_bytes, int length);

// It copies the symbol behind the last place at which the n symbols before stood. Wrong strings, strings in which some n-gram
// is repeated, and the bound L²D⁻ⁿ on both (theorem 2.3).
struct NgramErrors {
  double error, repeated, bound;
};
NgramErrors ngram_copy_error(int symbols, int n, int length, int strings, std::uint64_t seed);

}  // namespace elastane::recall
