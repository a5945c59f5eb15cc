#include "lab/plant/cases.h"

namespace elastane::plant {
namespace {

std::vector<float> three_times(const std::vector<float>& once) {
  std::vector<float> all;
  for (int i = 0; i < 3; ++i) all.insert(all.end(), once.begin(), once.end());
  return all;
}

Random random_of(int seed) { return Random(static_cast<std::uint64_t>(seed), 1ULL << 45U); }

}  // namespace

Case circuit_case(const circuit::Parts& parts, std::uint64_t seed) {
  const circuit::Options options{.steps = 5000, .changes = {{0, parts}}, .bandwidth = 100e3};
  return {{with_noise(circuit::simulate(2 * seed, options), kSensorNoise, seed)},
          {circuit::simulate(2 * seed + 1, options)}};
}

Case reactor_case(const reactor::Chemistry& chemistry, std::uint64_t seed) {
  const reactor::Options options{.steps = 1024, .changes = {{0, chemistry}}};
  Case runs;
  for (std::uint64_t i = 0; i < 15; ++i) {
    runs.transfer.push_back(with_noise(reactor::simulate(1000 * seed + i, options), kSensorNoise, 1000 * seed + i));
    runs.eval.push_back(reactor::simulate(1000 * seed + 500 + i, options));
  }
  return runs;
}

Case published_circuit(const PublishedRuns& published) {
  return {published.circuit("transfer").value(), published.circuit("eval").value()};
}

Case published_reactor(const PublishedRuns& published, bool as_in_training) {
  return {published.reactor("transfer", as_in_training).value(), published.reactor("eval", as_in_training).value()};
}

circuit::Parts drawn_parts(int seed) {
  Random random = random_of(seed);
  return circuit::random_parts(random);
}

reactor::Chemistry drawn_chemistry(int seed) {
  Random random = random_of(seed);
  return reactor::random_chemistry(random);
}

Record returning_circuit(const circuit::Parts& changed, std::uint64_t seed, int phase) {
  const circuit::Change changes[] = {{phase, changed}, {2 * phase, {}}};
  return circuit::respond(three_times(circuit::source(7000 + seed, {.steps = phase})), changes);
}

Record returning_reactor(const reactor::Chemistry& changed, std::uint64_t seed, int phase) {
  const reactor::Change changes[] = {{phase, changed}, {2 * phase, {}}};
  return reactor::respond(three_times(reactor::drives(7000 + seed, {.steps = phase})), {.a = 0.5, .r = 0.3}, changes);
}

}  // namespace elastane::plant
