// One run of a plant, the data of an episode: inputs and outputs in a model's units.
#pragma once

#include <limits>
#include <span>
#include <vector>

namespace elastane::plant {

struct Record {
  int inputs = 0;    // of the plant
  int outputs = 0;   // that a model predicts
  int measured = 0;  // the first of these, which a sensor measures
  std::vector<float> u, y;
  std::vector<float> start = {};  // outputs just before the first step, an input of that step; empty: at rest

  int steps() const { return static_cast<int>(y.size()) / outputs; }
  std::span<const float> input(int t) const { return row(u, inputs, t); }
  std::span<const float> output(int t) const { return row(y, outputs, t); }

  // A model's input: the plant's inputs; its start, in the first step, else zeros; and its parameters as far as they are
  // known
  int driven() const { return inputs + static_cast<int>(start.size()); }
  void input_into(int t, std::span<const double> parameters, std::span<float> x) const {
    for (int i = 0; i < inputs; ++i) x[i] = input(t)[i];
    for (std::size_t i = 0; i < start.size(); ++i) x[inputs + i] = t == 0 ? start[i] : 0.0F;
    for (std::size_t i = 0; i < parameters.size(); ++i) x[driven() + i] = static_cast<float>(parameters[i]);
  }
  // the measurements; NaN where there is no sensor
  void label_into(int t, std::span<float> label) const {
    for (int i = 0; i < outputs; ++i) label[i] = i < measured ? output(t)[i] : std::numeric_limits<float>::quiet_NaN();
  }

 private:
  static std::span<const float> row(const std::vector<float>& values, int n, int t) {
    return std::span(values).subspan(static_cast<std::size_t>(t) * n, static_cast<std::size_t>(n));
  }
};

}  // namespace elastane::plant
