// How a stream adapts to a changed plant, and the score of a model in free run.
//
//   Stream stream(model, plant::adaptation(model, record.driven(), plant::settings().circuit));
//   plant::follow(stream, record);                  corrected by the measurements
//   stream.restart();                               another run; what was learned stays
//   plant::free_run(stream, record)                 predicted from the inputs only
//
// A model of plants has the plant's parameters as its last inputs. They are set to zero, the nominal plant; their true
// values are learned as biases of these inputs, which are persistent coordinates.
#pragma once

#include <span>
#include <vector>

#include "elastane/core/stream/stream.h"
#include "lab/plant/record.h"

namespace elastane::plant {

struct AdaptationOptions {
  double spread = 0.5;          // σ of a parameter at the start, and while the alarm lasts
  double drift = 3e-4;          // σ of its change per step otherwise
  double noise = 0.07;          // σ of a measurement around a model with the right parameters
  double latent_spread = 3e-3;  // σ of the state's error that the parameters do not explain
  double alarm = 2;             // mean squared innovation over its expectation at which the plant counts as changed
  double sensor_spread = 0;     // σ of the gain of a sensor; 0: sensors do not change
};

// Micro-steps of a stream that is to be cheap at rest. The price is in nats: a higher one corrects large errors only, and
// coordinates that learn from these alone are worse at rest and after a change (experiments/guard).
inline constexpr int kDepth = 3;
inline GateOptions gate(double price = 1e-3) { return {.kind = Gate::gain, .depth = kDepth, .price = price}; }

// `driven`: the number of inputs before the parameters; these are known
StreamOptions adaptation(const Model& model, int driven, const AdaptationOptions& options);

// steps first to last − 1: advance, then correct. Returns the predictions before each correction, [step][output]
std::vector<float> follow(Stream& stream, const Record& record, int first, int last);
inline std::vector<float> follow(Stream& stream, const Record& record) {
  return follow(stream, record, 0, record.steps());
}
// the same without corrections
std::vector<float> free_run(Stream& stream, const Record& record, int first, int last);
inline std::vector<float> free_run(Stream& stream, const Record& record) {
  return free_run(stream, record, 0, record.steps());
}

// 1 − Σ(y − ŷ)²/Σ(y − ȳ)² of one output, over the steps of `predicted`, which begins at step `first`
double r_squared(const Record& record, std::span<const float> predicted, int output, int first = 0);
double mean_squared_error(const Record& record, std::span<const float> predicted, int output, int first = 0);

}  // namespace elastane::plant
