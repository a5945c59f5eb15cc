#include "lab/recall/associations.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "elastane/core/base/random.h"
#include "elastane/core/base/view.h"

namespace elastane::recall {
namespace {

std::vector<int> shuffled(Random& random, int n) {
  std::vector<int> order(as_size(n));
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(order[as_size(i)], order[as_size(random.below(i + 1))]);
  return order;
}

// `count` of n places, each 1/(1 + place) as likely as the first, none twice
std::vector<int> power_law_places(Random& random, int count, int n) {
  std::vector<std::pair<double, int>> draws;  // the smallest of exponential times with these rates
  for (int place = 0; place < n; ++place) {
    draws.emplace_back(-std::log(1 - random.uniform()) * (1 + place), place);
  }
  std::ranges::sort(draws);
  std::vector<int> places;
  for (int i = 0; i < count; ++i) places.push_back(draws[as_size(i)].second);
  return places;
}

AssociationSequence draw_mqar(const AssociationOptions& o, Random& random) {
  const int half = o.vocabulary / 2;
  const std::vector<int> keys = shuffled(random, half);
  AssociationSequence steps(as_size(o.length));
  for (AssociationStep& step : steps) step.symbol = half + random.below(half);
  for (int i = 0; i < o.pairs; ++i) steps[as_size(2 * i)].symbol = keys[as_size(i)];
  const std::vector<int> places = power_law_places(random, o.pairs, (o.length - 2 * o.pairs) / 2);
  for (int i = 0; i < o.pairs; ++i) {
    AssociationStep& query = steps[as_size(2 * (o.pairs + places[as_size(i)]))];
    query.symbol = keys[as_size(i)];
    query.target = steps[as_size(2 * i + 1)].symbol;
  }
  return steps;
}

// keys are the first inputs, values come behind them; the query's own input is the last
AssociationSequence draw_rebind(const AssociationOptions& o, Random& random) {
  AssociationSequence steps;
  std::vector<int> value(as_size(o.pairs));
  const auto bind = [&](int key) {
    value[as_size(key)] = random.below(o.vocabulary);
    steps.push_back({.symbol = key, .second = o.pairs + value[as_size(key)]});
  };
  for (const int key : shuffled(random, o.pairs)) bind(key);
  const std::vector<int> order = shuffled(random, o.pairs);
  for (int i = 0; i < o.pairs / 2; ++i) bind(order[as_size(i)]);
  for (const int key : shuffled(random, o.pairs)) {
    const bool changed = std::find(order.begin(), order.begin() + o.pairs / 2, key) != order.begin() + o.pairs / 2;
    steps.push_back({key, o.pairs + o.vocabulary, value[as_size(key)], changed});
  }
  return steps;
}

AssociationSequence draw_copy(const AssociationOptions& o, Random& random) {
  AssociationSequence steps(as_size(2 * o.length + 1));
  for (int t = 0; t <= o.length; ++t) steps[as_size(t)].symbol = t == 0 ? kLetters : random.below(kLetters);
  // after the last letter the bar, and then the letters again
  for (int t = 0; t < o.length; ++t) {
    steps[as_size(o.length + 1 + t)] = {.symbol = steps[as_size(t)].symbol, .target = steps[as_size(t + 1)].symbol};
  }
  return steps;
}

}  // namespace

int input_size(const AssociationOptions& o) {
  if (o.task == AssociationTask::copy) return kLetters + 1;
  return o.task == AssociationTask::mqar ? o.vocabulary : o.pairs + o.vocabulary + 1;
}
int output_size(const AssociationOptions& o) { return o.task == AssociationTask::copy ? kLetters : o.vocabulary; }

AssociationSequence draw_associations(const AssociationOptions& options, std::uint64_t seed) {
  Random random(seed);
  if (options.task == AssociationTask::mqar) return draw_mqar(options, random);
  return options.task == AssociationTask::rebind ? draw_rebind(options, random) : draw_copy(options, random);
}

}  // namespace elastane::recall
