#include "lab/plant/adaptation.h"

#include <cmath>

namespace elastane::plant {
namespace {

constexpr double kPinned = 1e-12;  // variance of a coordinate that stays fixed

template <class Correct>
std::vector<float> run(Stream& stream, const Record& record, int first, int last, Correct correct) {
  const std::vector<double> nominal(static_cast<std::size_t>(stream.model().inputs() - record.driven()));
  std::vector<float> x(static_cast<std::size_t>(stream.model().inputs())), predicted;
  for (int t = first; t < last; ++t) {
    record.input_into(t, nominal, x);
    stream.advance(x);
    predicted.insert(predicted.end(), stream.output().begin(), stream.output().end());
    correct(t);
  }
  return predicted;
}

}  // namespace

StreamOptions adaptation(const Model& model, int driven, const AdaptationOptions& options) {
  StreamOptions stream;
  stream.noise = {static_cast<float>(options.noise)};
  stream.corrector = CorrectorOptions{};
  // steps after a change are large; the prior already limits them
  stream.corrector->trust.radius = 10;
  stream.corrector->trust.largest = 1e3;
  PersistentOptions& persistent = stream.latent.persistent;
  persistent.coordinates.input_bias = true;
  persistent.coordinates.output_gain = options.sensor_spread > 0;
  persistent.latent_variance = options.latent_spread * options.latent_spread;
  persistent.alarm = options.alarm;
  const auto add = [&](int count, double variance, double noise) {
    persistent.variances.insert(persistent.variances.end(), static_cast<std::size_t>(count), variance);
    persistent.noises.insert(persistent.noises.end(), static_cast<std::size_t>(count), noise);
  };
  const double drift = options.drift * options.drift;
  if (options.sensor_spread > 0) add(model.outputs(), options.sensor_spread * options.sensor_spread, drift);
  add(driven, kPinned, 0);
  add(model.inputs() - driven, options.spread * options.spread, drift);
  return stream;
}

std::vector<float> follow(Stream& stream, const Record& record, int first, int last) {
  std::vector<float> label(static_cast<std::size_t>(record.outputs));
  return run(stream, record, first, last, [&](int t) {
    record.label_into(t, label);
    stream.observe(label);
  });
}

std::vector<float> free_run(Stream& stream, const Record& record, int first, int last) {
  return run(stream, record, first, last, [](int) {});
}

double mean_squared_error(const Record& record, std::span<const float> predicted, int output, int first) {
  double sum = 0;
  const auto m = static_cast<std::size_t>(record.outputs);
  const std::size_t count = predicted.size() / m;
  for (std::size_t t = 0; t < count; ++t) {
    sum += std::pow(record.output(first + static_cast<int>(t))[output] - predicted[t * m + output], 2);
  }
  return sum / static_cast<double>(count);
}

double r_squared(const Record& record, std::span<const float> predicted, int output, int first) {
  const int count = static_cast<int>(predicted.size()) / record.outputs;
  double mean = 0, variance = 0;
  for (int t = first; t < first + count; ++t) mean += record.output(t)[output] / count;
  for (int t = first; t < first + count; ++t) variance += std::pow(record.output(t)[output] - mean, 2) / count;
  return 1 - mean_squared_error(record, predicted, output, first) / variance;
}

}  // namespace elastane::plant
