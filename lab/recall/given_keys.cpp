#include "lab/recall/given_keys.h"

#include <algorithm>
#include <cmath>

namespace elastane::recall {
namespace {

struct Pair {
  std::vector<float> key;
  int value = 0;
  bool is_known = false;  // shown since its last change
};

std::vector<Pair> draw_pairs(PairSource& source, int n) {
  std::vector<Pair> pairs(as_size(n));
  for (Pair& pair : pairs) pair = {source.key(), source.value(), false};
  return pairs;
}

double recalled_share(const PairSource& source, MemoryRule& memory, std::span<const Pair> pairs) {
  int hits = 0;
  for (const Pair& pair : pairs) hits += source.recalls(memory, pair.key, pair.value) ? 1 : 0;
  return static_cast<double>(hits) / static_cast<double>(pairs.size());
}

// an index below n, 1/(1 + index) as likely as 0
class Zipf {
 public:
  explicit Zipf(int n) {
    for (int i = 0; i < n; ++i) sums_.push_back((sums_.empty() ? 0.0 : sums_.back()) + 1.0 / (1 + i));
  }
  std::size_t operator()(Random& random) const {
    const double at = random.uniform() * sums_.back();
    return static_cast<std::size_t>(std::ranges::upper_bound(sums_, at) - sums_.begin());
  }

 private:
  std::vector<double> sums_;
};

}  // namespace

PairSource::PairSource(int keys, double cosine, std::uint64_t seed)
    : keys_(keys), cosine_(cosine), random_(seed), book_(as_size(kBook * kValueSize)) {
  for (float& v : book_) v = static_cast<float>(random_.sign());
  cosine_ = 0;
  shared_ = key();
  cosine_ = cosine;
}

std::vector<float> PairSource::key() {
  std::vector<float> own(as_size(keys_));
  double squares = 0;
  for (float& x : own) {
    x = static_cast<float>(random_.normal());
    squares += static_cast<double>(x) * x;
  }
  double length = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double common = cosine_ > 0 ? std::sqrt(cosine_) * shared_[i] : 0.0;
    own[i] = static_cast<float>(common + std::sqrt((1 - cosine_) / squares) * own[i]);
    length += static_cast<double>(own[i]) * own[i];
  }
  for (float& x : own) x = static_cast<float>(x / std::sqrt(length));
  return own;
}

std::vector<float> PairSource::noisy(int value, double noise) {
  std::vector<float> v(vector(value).begin(), vector(value).end());
  for (float& x : v) x += static_cast<float>(noise * random_.normal());
  return v;
}

// all values have one length, so the nearest one has the largest product
bool PairSource::recalls(MemoryRule& memory, std::span<const float> key, int value) const {
  float found[kValueSize];
  memory.recall(key, found);
  const auto product = [&](int index) {
    float sum = 0;
    for (int i = 0; i < kValueSize; ++i) sum += found[i] * vector(index)[as_size(i)];
    return sum;
  };
  const float own = product(value);
  for (int other = 0; other < kBook; ++other) {
    if (other != value && product(other) >= own) return false;
  }
  return true;
}

Recalled hold_pairs(MemoryRule& memory, int keys, double cosine, int n, std::uint64_t seed) {
  PairSource source(keys, cosine, seed);
  const std::vector<Pair> pairs = draw_pairs(source, n);
  for (const Pair& pair : pairs) memory.write(pair.key, source.vector(pair.value));
  return {.accuracy = recalled_share(source, memory, pairs), .write_share = 1};
}

Recalled rebind_pairs(MemoryRule& memory, int keys, double cosine, int n, std::uint64_t seed) {
  PairSource source(keys, cosine, seed);
  std::vector<Pair> pairs = draw_pairs(source, n);
  for (const Pair& pair : pairs) memory.write(pair.key, source.vector(pair.value));
  const std::span<Pair> changed = std::span(pairs).first(pairs.size() / 2),
                        kept = std::span(pairs).subspan(pairs.size() / 2);
  for (Pair& pair : changed) {
    pair.value = (pair.value + 1 + source.random().below(kBook - 1)) % kBook;
    memory.write(pair.key, source.vector(pair.value));
  }
  return {.accuracy = recalled_share(source, memory, kept),
          .changed = recalled_share(source, memory, changed),
          .write_share = 1};
}

Recalled follow_pairs(MemoryRule& memory, const RecurringOptions& o, std::uint64_t seed) {
  PairSource source(o.keys, o.cosine, seed);
  std::vector<Pair> pairs = draw_pairs(source, o.pairs);
  const Zipf zipf(o.pairs);
  int asked = 0, hits = 0, writes = 0;
  for (int t = 0; t < o.steps; ++t) {
    if (source.random().uniform() < o.redraw) {
      Pair& changed = pairs[as_size(source.random().below(o.pairs))];
      changed = {changed.key, source.value(), false};
    }
    Pair& pair = pairs[zipf(source.random())];
    if (pair.is_known) {
      ++asked;
      hits += source.recalls(memory, pair.key, pair.value) ? 1 : 0;
    }
    pair.is_known = true;
    writes += memory.write(pair.key, source.noisy(pair.value, o.noise)) ? 1 : 0;
  }
  return {.accuracy = static_cast<double>(hits) / asked, .write_share = static_cast<double>(writes) / o.steps};
}

std::vector<NeedlePoint> find_needles(MemoryRule& memory, const NeedleOptions& o, std::uint64_t seed) {
  PairSource source(o.keys, 0, seed);
  const std::vector<Pair> needles = draw_pairs(source, o.needles);
  std::vector<Pair> others = draw_pairs(source, o.others);
  const auto is_junk = [&] { return source.random().uniform() < o.junk; };
  const auto show_junk = [&] { return memory.write(source.key(), source.noisy(source.value(), o.noise)); };
  for (int round = 0; round < 2; ++round) {
    for (const Pair& needle : needles) {
      while (is_junk()) show_junk();
      memory.write(needle.key, source.noisy(needle.value, o.noise));
    }
  }
  std::vector<NeedlePoint> points;
  std::int64_t writes = 0, next = 100;
  for (std::int64_t t = 1; t <= o.steps; ++t) {
    if (is_junk()) {
      writes += show_junk() ? 1 : 0;
    } else {
      Pair& pair = others[as_size(source.random().below(o.others))];
      if (source.random().uniform() < o.redraw) pair.value = source.value();
      writes += memory.write(pair.key, source.noisy(pair.value, o.noise)) ? 1 : 0;
    }
    if (t != next && t != o.steps) continue;
    points.push_back(
        {t, recalled_share(source, memory, needles), static_cast<double>(writes) / static_cast<double>(t)});
    next *= 10;
  }
  return points;
}

}  // namespace elastane::recall
