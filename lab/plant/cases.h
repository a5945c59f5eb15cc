// The changed plants of the tables: simulated with sensor noise, or as published.
#pragma once

#include <cstdint>

#include "lab/plant/circuit.h"
#include "lab/plant/protocol.h"
#include "lab/plant/published_runs.h"
#include "lab/plant/reactor.h"

namespace elastane::plant {

inline constexpr double kSensorNoise = 0.02;  // of simulated runs to adapt on

Case circuit_case(const circuit::Parts& parts, std::uint64_t seed);
Case reactor_case(const reactor::Chemistry& chemistry, std::uint64_t seed);
Case published_circuit(const PublishedRuns& published);
Case published_reactor(const PublishedRuns& published, bool as_in_training);

// any plant of the range, by seed
circuit::Parts drawn_parts(int seed);
reactor::Chemistry drawn_chemistry(int seed);

// three phases with equal inputs: nominal, changed, nominal
Record returning_circuit(const circuit::Parts& changed, std::uint64_t seed, int phase);
Record returning_reactor(const reactor::Chemistry& changed, std::uint64_t seed, int phase);

}  // namespace elastane::plant
