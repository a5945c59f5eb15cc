#include "lab/recall/episode.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "elastane/core/base/random.h"

namespace elastane::recall {
namespace {

constexpr double kFollows = 0.8;     // share of steps at which the chain takes the usual successor
constexpr double kPointShare = 0.3;  // share of steps with a point
constexpr double kMargin = 0.2;      // of a cell: asked points keep this distance from its edges

// the first `count` of a random order of 0 … n − 1
std::vector<int> drawn(int n, int count, Random& random) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  for (int i = 0; i < count; ++i) std::swap(all[i], all[i + random.below(n - i)]);
  all.resize(static_cast<std::size_t>(count));
  return all;
}

void draw_values(Episode& e, Random& random) {
  for (int t = 0; t < e.length(); ++t) {
    const bool follows = t >= 2 && random.uniform() < kFollows;
    e.steps[t].value = follows ? successor(e.steps[t - 2].value, e.steps[t - 1].value) : random.below(kValues);
  }
}

int marker_step(const EpisodeOptions& o, int window, Random& random) {
  const int last_block = o.length - o.layout.block;
  switch (o.position) {
    case Position::front: return 0;
    case Position::middle: return o.layout.sink + random.below(window - o.layout.sink);
    case Position::end: return last_block - 1 - random.below(4);
  }
  return 0;
}

// keys bound to values between sink and window; the marker's step stays free
std::vector<int> draw_records(Episode& e, const EpisodeOptions& o, int window, int marker, Random& random) {
  const std::vector<int> keys = drawn(kKeys, o.records, random);
  std::vector<int> places = drawn(window - o.layout.sink, kRecords + 1, random);
  std::erase(places, marker - o.layout.sink);
  for (int i = 0; i < o.records; ++i) e.steps[o.layout.sink + places[i]].key = keys[i];
  e.steps[o.layout.sink + places[random.below(o.records)]].needle = true;
  return keys;
}

double edge_distance(double y) {
  const double cell = (y + kHeight) / (2 * kHeight) * kValues, inside = cell - std::floor(cell);
  return std::min(inside, 1 - inside);
}

void draw_points(Episode& e, int marker, Random& random) {
  e.slope = random.uniform(-kSlope, kSlope), e.level = random.uniform(-kLevel, kLevel);
  for (int t = 0; t < e.first_query(); ++t) {
    if (t == marker || random.uniform() >= kPointShare) continue;
    Step& step = e.steps[t];
    step.point = true, step.x = random.uniform(-1, 1);
    step.y = std::clamp(e.slope * step.x + e.level + kPointNoise * random.normal(), -kHeight, kHeight);
  }
}

void draw_queries(Episode& e, const std::vector<int>& keys, Random& random) {
  for (int t = e.first_query(); t < e.length(); ++t) {
    Step& step = e.steps[t];
    step.query = step.point = true;
    step.key = keys[random.below(static_cast<int>(keys.size()))];
    // a flat line near an edge may have no better point: the last draw stays
    for (int tries = 0; tries < 32; ++tries) {
      step.x = random.uniform(-1, 1);
      if (edge_distance(e.slope * step.x + e.level) >= kMargin) break;
    }
  }
}

int recalled(const Episode& e, int t) {
  for (int s = 0; s < e.first_query(); ++s) {
    if (e.steps[s].key == e.steps[t].key) return e.steps[s].value;
  }
  return -1;
}

int needle_value(const Episode& e) {
  const auto found = std::ranges::find_if(e.steps, [](const Step& s) { return s.needle; });
  return found == e.steps.end() ? -1 : found->value;
}

int majority(const Episode& e, int t) {
  int upper = 0;
  for (int s = t - kMajorityWindow + 1; s <= t; ++s) upper += e.steps[s].value >= kValues / 2 ? 1 : 0;
  return 2 * upper > kMajorityWindow ? 1 : 0;
}

int answer(const Episode& e, int t) {
  const Step& step = e.steps[t];
  switch (e.task) {
    case Task::recall: return recalled(e, t);
    case Task::needle: return needle_value(e);
    case Task::copy: return e.steps[t - kCopyLag].value;
    case Task::majority: return majority(e, t);
    case Task::markov: return successor(e.steps[t - 1].value, step.value);
    case Task::regression: return cell_of(e.slope * step.x + e.level);
  }
  return -1;
}

}  // namespace

int window_begin(int length, const Layout& layout) { return length - layout.local; }

int shortest(const Layout& layout) { return layout.sink + layout.block + layout.local; }

int successor(int before_last, int last) {
  // a cyclic square with its rows, columns and symbols in another order
  constexpr std::array<int, kValues> kRow = {3, 6, 0, 5, 2, 7, 1, 4}, kColumn = {5, 0, 7, 2, 6, 1, 4, 3},
                                     kSymbol = {2, 7, 4, 0, 6, 3, 5, 1};
  return kSymbol[(kRow[before_last] + kColumn[last]) % kValues];
}

int cell_of(double y) {
  return std::clamp(static_cast<int>(std::floor((y + kHeight) / (2 * kHeight) * kValues)), 0, kValues - 1);
}

Episode draw_episode(std::uint64_t seed, const EpisodeOptions& options) {
  const Layout& layout = options.layout;
  if (layout.block < kQueries + 4 || options.length % layout.block != 0 || options.length < shortest(layout)) {
    throw std::invalid_argument("[recall] length: expected a multiple of the block (" + std::to_string(layout.block) +
                                ", at least " + std::to_string(kQueries + 4) + ") of at least " +
                                std::to_string(shortest(layout)) + ", found " + std::to_string(options.length));
  }
  if (options.records < 1 || options.records > kRecords) {
    throw std::invalid_argument("[recall] records: expected 1 to " + std::to_string(kRecords) + ", found " +
                                std::to_string(options.records));
  }
  Random random(seed);
  Episode e{.task = options.task, .position = options.position, .steps = {}};
  e.steps.resize(static_cast<std::size_t>(options.length));
  const int window = window_begin(options.length, layout), marker = marker_step(options, window, random);
  draw_values(e, random);
  const std::vector<int> keys = draw_records(e, options, window, marker, random);
  draw_points(e, marker, random);
  draw_queries(e, keys, random);
  e.steps[marker].marker = static_cast<int>(options.task);
  for (int t = e.first_query(); t < e.length(); ++t) e.steps[t].label = label_at(e, t);
  const bool local = e.task == Task::copy || e.task == Task::majority || e.task == Task::markov;
  for (int t = std::max(marker, kMajorityWindow); options.practice && local && t < e.first_query(); ++t) {
    e.steps[t].label = answer(e, t);
  }
  return e;
}

int label_at(const Episode& e, int t) { return e.steps[t].query ? answer(e, t) : -1; }

}  // namespace elastane::recall
