// Weights as PyTorch saves them, what the originals compute with them, and models imported from them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/math/reference.h"
#include "elastane/io/import.h"
#include "elastane/io/model_file.h"
#include "elastane/io/safetensors.h"
#include "tests/io/folder.h"

namespace elastane {

using Vector = std::vector<double>;

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

class Weights {
 public:
  explicit Weights(std::uint64_t seed = 1) : random_(seed) {}

  void add(const std::string& name, const Shape& shape, double scale = 0.4) {
    Tensor tensor{.name = name, .shape = shape, .values = {}};
    tensor.values.resize(static_cast<std::size_t>(element_count(shape)));
    for (float& value : tensor.values) value = static_cast<float>(scale * random_.normal());
    tensors[name] = tensor;
  }
  std::vector<std::byte> bytes(const std::set<std::string>& halved = {}) const {
    std::vector<Tensor> list;
    for (const auto& [name, tensor] : tensors) list.push_back(tensor);
    return format_safetensors({{"format", "pt"}}, list, halved).value();
  }
  const std::vector<float>& operator[](const std::string& name) const { return tensors.at(name).values; }

  // y = Wx + b; a bias that is not there is zero
  Vector linear(const std::string& weight, const std::string& bias, const Vector& x) const {
    const std::vector<float>& w = (*this)[weight];
    Vector y(w.size() / x.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] = tensors.contains(bias) ? (*this)[bias][i] : 0.0;
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += static_cast<double>(w[i * x.size() + j]) * x[j];
    }
    return y;
  }

  std::map<std::string, Tensor> tensors;

 private:
  Random random_;
};

inline Vector rms_norm(const Vector& x, const std::vector<float>& w) {
  double squares = 0;
  for (const double v : x) squares += v * v;
  Vector y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = w[i] * x[i] / std::sqrt(squares / static_cast<double>(x.size()) + 1e-5);
  return y;
}

struct GateTwin {
  const Weights& weights;
  std::string prefix, layer;
  std::size_t hidden;
  bool lstm;
  Vector h = Vector(hidden), c = Vector(hidden);

  Vector step(const Vector& x) {
    const auto name = [&](const char* what) { return prefix + what + layer; };
    const Vector gi = weights.linear(name("weight_ih"), name("bias_ih"), x);
    const Vector gh = weights.linear(name("weight_hh"), name("bias_hh"), h);
    for (std::size_t i = 0; i < hidden; ++i) {
      const auto gate = [&](std::size_t g) { return gi[g * hidden + i] + gh[g * hidden + i]; };
      if (lstm) {
        c[i] = reference::sigmoid(gate(1)) * c[i] + reference::sigmoid(gate(0)) * std::tanh(gate(2));
        h[i] = reference::sigmoid(gate(3)) * std::tanh(c[i]);
      } else {
        const double z = reference::sigmoid(gate(1));
        const double n = std::tanh(gi[2 * hidden + i] + reference::sigmoid(gate(0)) * gh[2 * hidden + i]);
        h[i] = (1 - z) * n + z * h[i];
      }
    }
    return h;
  }
};

// --- imported, saved, loaded, streamed

inline Import imported(const Weights& weights, const ImportOptions& options = {}) {
  const auto import = import_model(weights.bytes(), "w.safetensors", options);
  EXPECT_TRUE(import) << import.error();
  return import.value();
}

inline std::string refusal(const Weights& weights, const ImportOptions& options = {}) {
  const auto import = import_model(weights.bytes(), "w.safetensors", options);
  return import ? "" : import.error();
}

// the model that a file of the import holds against a twin, for some steps
template <class Twin, class Sample>
void expect_equal(const Import& import, Twin&& twin, Sample&& sample, double tolerance = 1e-5) {
  EXPECT_TRUE(import.unplaced.empty()) << import.unplaced[0].name;
  const Folder folder;
  save_model(folder / "m", import.config, import.tensors).value();
  const Model model = Model::load(folder / "m").value();
  Stream stream(model);
  Random random(5);
  for (int t = 0; t < 40; ++t) {
    const Vector x = sample(random, t);
    stream.advance(std::vector<float>(x.begin(), x.end()));
    const Vector y = twin(x);
    ASSERT_EQ(stream.output().size(), y.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      ASSERT_NEAR(stream.output()[i], y[i], tolerance * std::fmax(1, std::fabs(y[i]))) << t << ", " << i;
    }
  }
}

inline auto normals(std::size_t count) {
  return [count](Random& random, int) {
    Vector x(count);
    for (double& value : x) value = static_cast<float>(random.normal());
    return x;
  };
}

}  // namespace elastane
