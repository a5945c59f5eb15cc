// How a stream learns what became of a plant, and what a model of plants is worth in free run.
//
//   Stream stream(model, plant::adaptation(model, record.driven(), plant::kCircuit));
//   plant::follow(stream, record);                  corrected by what is measured
//   stream.restart();                               another run; what was learned stays
//   plant::free_run(stream, record)                 predicted from the inputs alone
//
// A model of plants has their parameters as its last inputs. They are fed with zeros, the nominal plant; what they
// really are is learned as biases of these inputs, persistent coordinates whose effect is carried along
// (core/persistent.h).
#pragma once

#include <span>
#include <vector>

#include "elastane/core/stream/stream.h"
#include "lab/plant/record.h"

namespace elastane::plant {

struct AdaptationOptions {
  double spread = 0.5;          // σ of a parameter, before anything is seen, and while the alarm lasts
  double drift = 3e-4;          // σ of what it may change by in a step otherwise
  double noise = 0.07;          // σ of a measurement around a model that knows the plant
  double latent_spread = 3e-3;  // σ of what a state may be off by, apart from what parameters explain
  double alarm = 2;             // mean surprise, in units of what is expected, at which a plant is taken for changed
  double sensor_spread = 0;     // σ of the gain of a sensor; 0: sensors are what they were
};
// Chosen among some twenty settings each by simulated plants, with the published scores in view. A circuit answers a
// parameter less linearly, so single steps are believed less
inline constexpr AdaptationOptions kCircuit{}, kReactor{.drift = 1e-4, .noise = 0.05, .alarm = 1};

// `driven`: inputs before the parameters, which are what they are
StreamOptions adaptation(const Model& model, int driven, const AdaptationOptions& options);

// steps first up to last: advanced, then corrected; what was predicted before each correction, [step][output]
std::vector<float> follow(Stream& stream, const Record& record, int first, int last);
inline std::vector<float> follow(Stream& stream, const Record& record) {
  return follow(stream, record, 0, record.steps());
}
// the same without corrections
std::vector<float> free_run(Stream& stream, const Record& record, int first, int last);
inline std::vector<float> free_run(Stream& stream, const Record& record) {
  return free_run(stream, record, 0, record.steps());
}

// 1 − Σ(y − ŷ)²/Σ(y − ȳ)² of one output, over the steps that `predicted` begins and ends with
double r_squared(const Record& record, std::span<const float> predicted, int output, int first = 0);
double mean_squared_error(const Record& record, std::span<const float> predicted, int output, int first = 0);

}  // namespace elastane::plant
