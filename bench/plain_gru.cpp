#include "bench/plain_gru.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "elastane/core/base/random.h"

// the same function for several machines; the best one is chosen when the program starts
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define ELASTANE_FOR_EACH_MACHINE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define ELASTANE_WITHIN __attribute__((always_inline)) inline
#else
#define ELASTANE_FOR_EACH_MACHINE
#define ELASTANE_WITHIN inline
#endif

namespace elastane::bench {
namespace {

std::span<const float> values_of(std::span<const Tensor> tensors, std::string_view name) {
  for (const Tensor& tensor : tensors) {
    if (tensor.name == name) return tensor.values;
  }
  throw std::runtime_error("[bench] no tensor " + std::string(name));
}

template <int kInputs, int kHidden>
struct Cell {
  static constexpr int kGates = 3 * kHidden;
  alignas(64) float w_ih[kInputs][kGates], w_hh[kHidden][kGates], b_ih[kGates], b_hh[kGates], h[kHidden], out[kHidden];
  float out_bias = 0;

  explicit Cell(std::span<const Tensor> tensors, bool readout) : h{}, out{} {
    const auto turn = [](std::span<const float> rows, int cols, float* to) {
      for (int r = 0; r < kGates; ++r) {
        for (int c = 0; c < cols; ++c) to[c * kGates + r] = rows[static_cast<std::size_t>(r * cols + c)];
      }
    };
    turn(values_of(tensors, "rnn.weight_ih_l0"), kInputs, w_ih[0]);
    turn(values_of(tensors, "rnn.weight_hh_l0"), kHidden, w_hh[0]);
    std::ranges::copy(values_of(tensors, "rnn.bias_ih_l0"), b_ih);
    std::ranges::copy(values_of(tensors, "rnn.bias_hh_l0"), b_hh);
    if (!readout) return;
    std::ranges::copy(values_of(tensors, "head.weight"), out);
    out_bias = values_of(tensors, "head.bias")[0];
  }

  ELASTANE_WITHIN void step(const float* x) {
    float gi[kGates], gh[kGates];
    for (int r = 0; r < kGates; ++r) gi[r] = b_ih[r];
    for (int r = 0; r < kGates; ++r) gh[r] = b_hh[r];
    for (int c = 0; c < kInputs; ++c) {
      for (int r = 0; r < kGates; ++r) gi[r] += w_ih[c][r] * x[c];
    }
    for (int c = 0; c < kHidden; ++c) {
      for (int r = 0; r < kGates; ++r) gh[r] += w_hh[c][r] * h[c];
    }
    for (int i = 0; i < kHidden; ++i) {
      const float reset = 1 / (1 + std::exp(-gi[i] - gh[i]));
      const float keep = 1 / (1 + std::exp(-gi[kHidden + i] - gh[kHidden + i]));
      const float next = std::tanh(gi[2 * kHidden + i] + reset * gh[2 * kHidden + i]);
      h[i] = next + keep * (h[i] - next);
    }
  }
  ELASTANE_WITHIN void run(std::span<const float> x, std::span<float> y) {
    for (std::size_t t = 0; t + kInputs <= x.size(); t += kInputs) {
      step(x.data() + t);
      float sum = out_bias;
      for (int i = 0; i < kHidden; ++i) sum += out[i] * h[i];
      y[0] = sum;
    }
    if (y.size() > 1) std::copy_n(h, kHidden, y.begin());
  }
};

ELASTANE_FOR_EACH_MACHINE void run(Cell<1, 16>& c, std::span<const float> x, std::span<float> y) { c.run(x, y); }
ELASTANE_FOR_EACH_MACHINE void run(Cell<1, 32>& c, std::span<const float> x, std::span<float> y) { c.run(x, y); }
ELASTANE_FOR_EACH_MACHINE void run(Cell<1, 64>& c, std::span<const float> x, std::span<float> y) { c.run(x, y); }
ELASTANE_FOR_EACH_MACHINE void run(Cell<64, 64>& c, std::span<const float> x, std::span<float> y) { c.run(x, y); }

template <int kInputs, int kHidden>
class Plain : public PlainGru {
 public:
  Plain(std::span<const Tensor> tensors, bool readout) : cell_(tensors, readout) {}
  void advance(std::span<const float> x, std::span<float> y) override { run(cell_, x, y); }

 private:
  Cell<kInputs, kHidden> cell_;
};

}  // namespace

std::vector<Tensor> weights_of(const SmallGru& size, std::uint64_t seed) {
  Random random(seed);
  const double bound = 1 / std::sqrt(static_cast<double>(size.hidden));
  std::vector<Tensor> tensors;
  const auto add = [&](const char* name, Shape shape) {
    Tensor& tensor = tensors.emplace_back(Tensor{.name = name, .shape = shape, .values = {}});
    tensor.values.resize(static_cast<std::size_t>(element_count(shape)));
    for (float& value : tensor.values) value = static_cast<float>(random.uniform(-bound, bound));
  };
  add("rnn.weight_ih_l0", {3 * size.hidden, size.inputs});
  add("rnn.weight_hh_l0", {3 * size.hidden, size.hidden});
  add("rnn.bias_ih_l0", {3 * size.hidden});
  add("rnn.bias_hh_l0", {3 * size.hidden});
  if (size.readout) {
    add("head.weight", {1, size.hidden});
    add("head.bias", {1});
  }
  return tensors;
}

std::unique_ptr<PlainGru> plain_gru(const SmallGru& size, std::span<const Tensor> tensors) {
  switch (size.hidden + size.inputs) {
    case 17: return std::make_unique<Plain<1, 16>>(tensors, size.readout);
    case 33: return std::make_unique<Plain<1, 32>>(tensors, size.readout);
    case 65: return std::make_unique<Plain<1, 64>>(tensors, size.readout);
    case 128: return std::make_unique<Plain<64, 64>>(tensors, size.readout);
    default: throw std::runtime_error("[bench] no plain GRU of this size");
  }
}

}  // namespace elastane::bench
