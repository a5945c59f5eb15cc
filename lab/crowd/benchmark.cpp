#include "lab/crowd/benchmark.h"

#include <algorithm>

namespace elastane::crowd {
namespace {

double mean_of_successes(const Results& results, double Outcome::*what) {
  double sum = 0, count = 0;
  for (const Outcome& outcome : results.outcomes) {
    if (outcome.ending != Ending::reached) continue;
    sum += outcome.*what, count += 1;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

double Results::share(Ending ending) const {
  return static_cast<double>(std::ranges::count(outcomes, ending, &Outcome::ending)) /
         static_cast<double>(outcomes.size());
}
double Results::mean_time() const { return mean_of_successes(*this, &Outcome::time); }
double Results::mean_nearest() const { return mean_of_successes(*this, &Outcome::nearest); }

Outcome play(const Episode& episode, Agent& agent, benchmark::Latency& latency) {
  Environment environment(episode);
  agent.begin();
  while (!environment.over()) {
    const double begun = benchmark::processor_micros();
    const Vec2 velocity = agent.act(environment.observe());
    latency.add(benchmark::processor_micros() - begun);
    environment.step(velocity);
  }
  return {environment.ending(), environment.time(), environment.nearest()};
}

Results play_all(const std::vector<Episode>& episodes, Agent& agent, const std::function<void(std::size_t)>& progress) {
  Results results;
  for (const Episode& episode : episodes) {
    results.outcomes.push_back(play(episode, agent, results.latency));
    progress(results.outcomes.size());
  }
  return results;
}

Comparison compare(const Results& first, const Results& second) {
  Comparison comparison;
  std::vector<benchmark::Term> a, b, seconds, time, other_time;
  for (std::size_t i = 0; i < first.outcomes.size(); ++i) {
    const Outcome &one = first.outcomes[i], &other = second.outcomes[i];
    const bool reached = one.ending == Ending::reached, other_reached = other.ending == Ending::reached;
    const int world = static_cast<int>(i);
    a.push_back({.world = world, .top = reached ? 1.0 : 0.0});
    b.push_back({.world = world, .top = other_reached ? 1.0 : 0.0});
    comparison.only_first += reached && !other_reached ? 1 : 0;
    comparison.only_second += other_reached && !reached ? 1 : 0;
    if (!reached || !other_reached) continue;
    seconds.push_back({.world = world, .top = one.time - other.time});
    time.push_back({.world = world, .top = one.time});
    other_time.push_back({.world = world, .top = other.time});
  }
  comparison.p = benchmark::compare(a, b).p;
  comparison.seconds = benchmark::estimate(seconds);
  if (!time.empty()) comparison.seconds_p = benchmark::compare(time, other_time).p;
  return comparison;
}

}  // namespace elastane::crowd
