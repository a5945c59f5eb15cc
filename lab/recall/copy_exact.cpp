#include "lab/recall/copy_exact.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "elastane/core/base/random.h"

namespace elastane::recall {
namespace {

std::vector<int> draw_string(Random& random, int symbols, int length) {
  std::vector<int> string(static_cast<std::size_t>(length));
  for (int& symbol : string) symbol = random.below(symbols);
  return string;
}

// the copy that follows from the first n symbols alone
bool copies(const std::vector<int>& string, int n, bool& repeated) {
  const auto size = static_cast<std::size_t>(n);
  std::map<std::vector<int>, int> behind;  // what stands behind an n-gram, the last time
  repeated = false;
  for (std::size_t t = size; t < string.size(); ++t) {
    const std::vector<int> gram(string.begin() + static_cast<std::ptrdiff_t>(t - size),
                                string.begin() + static_cast<std::ptrdiff_t>(t));
    repeated |= behind.contains(gram);
    behind[gram] = string[t];
  }
  std::vector<int> copy(string.begin(), string.begin() + std::min<std::ptrdiff_t>(n, std::ssize(string)));
  while (copy.size() < string.size()) {
    const auto found = behind.find({copy.end() - n, copy.end()});
    copy.push_back(found == behind.end() ? 0 : found->second);
  }
  return copy == string;
}

}  // namespace

double shift_register_error(int symbols, int slots, int length, int strings, std::uint64_t seed) {
  Random random(seed);
  int wrong = 0;
  for (int i = 0; i < strings; ++i) {
    const std::vector<int> string = draw_string(random, symbols, length);
    bool right = true;
    for (int t = 0; t < length - slots; ++t) right &= random.below(symbols) == string[static_cast<std::size_t>(t)];
    wrong += right ? 0 : 1;
  }
  return static_cast<double>(wrong) / strings;
}

double copy_bound(int symbols, std::int64_t state_bytes, int length) {
  const double spare = 8.0 * static_cast<double>(state_bytes) - length * std::log2(symbols);  // bits
  return std::exp2(std::fmin(0, spare));                                                      // |S|/D^L
}

double shift_register_bound(int symbols, int slots, int length) {
  return 1 - std::pow(static_cast<double>(symbols), -std::max(0, length - slots));
}

NgramErrors ngram_copy_error(int symbols, int n, int length, int strings, std::uint64_t seed) {
  Random random(seed);
  int wrong = 0, repeats = 0;
  for (int i = 0; i < strings; ++i) {
    bool repeated = false;
    wrong += copies(draw_string(random, symbols, length), n, repeated) ? 0 : 1;
    repeats += repeated ? 1 : 0;
  }
  const double bound = std::fmin(1, static_cast<double>(length) * length * std::pow(symbols, -n));
  return {static_cast<double>(wrong) / strings, static_cast<double>(repeats) / strings, bound};
}

}  // namespace elastane::recall
