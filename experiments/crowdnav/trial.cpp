#include "experiments/crowdnav/trial.h"

#include <time.h>

#include <algorithm>

namespace elastane::crowd {
namespace {

double mean_of_successes(const Trial& trial, double Played::*what) {
  double sum = 0, count = 0;
  for (const Played& played : trial.cases) {
    if (played.end != End::reached) continue;
    sum += played.*what, count += 1;
  }
  return count > 0 ? sum / count : 0;
}

// µs of this thread's own processor time: what else the machine does is no part of it
double processor_micros() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double Trial::share(End end) const {
  return static_cast<double>(std::ranges::count(cases, end, &Played::end)) / static_cast<double>(cases.size());
}
double Trial::mean_time() const { return mean_of_successes(*this, &Played::time); }
double Trial::mean_nearest() const { return mean_of_successes(*this, &Played::nearest); }

Trial play(const std::vector<Scene>& scenes, Agent& agent, const std::function<void(std::size_t)>& progress) {
  Trial trial;
  for (const Scene& scene : scenes) {
    Crossing crossing(scene);
    agent.reset();
    while (!crossing.ended()) {
      const double begun = processor_micros();
      const Vec2 velocity = agent.act(crossing.view());
      trial.latency.add(processor_micros() - begun);
      crossing.step(velocity);
    }
    trial.cases.push_back({crossing.end(), crossing.time(), crossing.nearest()});
    progress(trial.cases.size());
  }
  return trial;
}

Duel compare(const Trial& first, const Trial& second) {
  Duel duel;
  std::vector<benchmark::Term> a, b, seconds;
  for (std::size_t i = 0; i < first.cases.size(); ++i) {
    const bool one = first.cases[i].end == End::reached, other = second.cases[i].end == End::reached;
    const int world = static_cast<int>(i);
    a.push_back({.world = world, .top = one ? 1.0 : 0.0}), b.push_back({.world = world, .top = other ? 1.0 : 0.0});
    duel.only_first += one && !other ? 1 : 0, duel.only_second += other && !one ? 1 : 0;
    if (one && other) seconds.push_back({.world = world, .top = first.cases[i].time - second.cases[i].time});
  }
  duel.p = benchmark::compare(a, b).p;
  duel.seconds = benchmark::estimate(seconds);
  return duel;
}

}  // namespace elastane::crowd
