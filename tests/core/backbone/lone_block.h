// A model that is one block and nothing else: what goes in is the block's input, what comes out its read-out. With the
// laws that every kind of block obeys, and a few loops for naive recurrences.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "elastane/core/network/network.h"
#include "elastane/core/stream/fleet.h"
#include "tests/core/models.h"

namespace elastane {

using Values = std::vector<double>;

class LoneBlock {
 public:
  static constexpr int kWidth = 6;

  explicit LoneBlock(BlockKind kind, std::uint64_t seed = 3, bool learned_start = false) {
    config_ = {.inputs = kWidth, .outputs = kWidth, .width = kWidth, .learned_start = learned_start};
    config_.norm = Norm::none;
    config_.blocks = {{.kind = std::move(kind), .norm = Norm::none, .residual = false}};
    tensors_ = tensors_of(config_, seed);
    for (Tensor& tensor : tensors_) {
      if (tensor.name.starts_with("encoder.") || tensor.name.starts_with("head.")) make_identity(tensor);
    }
  }

  Model model() const { return Model::create(config_, tensors_, {.isa = test_isa()}).value(); }

  // one of the block's own tensors
  Values operator()(const std::string& name) const {
    for (const Tensor& tensor : tensors_) {
      if (tensor.name.ends_with("." + name)) return {tensor.values.begin(), tensor.values.end()};
    }
    ADD_FAILURE() << "no tensor " << name;
    return {};
  }

  // input of step t, and the block's answer to the first `steps` of them
  static std::vector<float> input(int t) {
    std::vector<float> x(kWidth);
    for (int i = 0; i < kWidth; ++i) x[static_cast<std::size_t>(i)] = static_cast<float>(std::sin(0.7 * t + 1.3 * i));
    return x;
  }
  std::vector<Values> answers(int steps, float dt = 1) const {
    Stream stream(model());
    std::vector<Values> all;
    for (int t = 0; t < steps; ++t) {
      stream.advance(input(t), dt);
      all.emplace_back(stream.output().begin(), stream.output().end());
    }
    return all;
  }

 private:
  static void make_identity(Tensor& tensor) {
    const bool matrix = tensor.shape.size() == 2;
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      tensor.values[i] = matrix && i % (kWidth + 1) == 0 ? 1.0F : 0.0F;
    }
  }

  ModelConfig config_;
  std::vector<Tensor> tensors_;
};

// Wx + b for W [rows][x], of the rows from `first` on; b may be empty
inline Values affine(const Values& w, const Values& b, const Values& x, std::size_t rows, std::size_t first = 0) {
  Values y(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    y[r] = b.empty() ? 0 : b[first + r];
    for (std::size_t c = 0; c < x.size(); ++c) y[r] += w[(first + r) * x.size() + c] * x[c];
  }
  return y;
}
inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
inline double silu(double x) { return x * sigmoid(x); }
inline double softplus(double x) { return std::log1p(std::exp(x)); }

// what the block answers equals what `step` makes of the same inputs, to single precision
template <class Step>
void expect_recurrence(const LoneBlock& block, int steps, Step step) {
  const std::vector<Values> found = block.answers(steps);
  for (int t = 0; t < steps; ++t) {
    const std::vector<float> x = LoneBlock::input(t);
    const Values expected = step(Values(x.begin(), x.end()), t);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(found[static_cast<std::size_t>(t)][i], expected[i], 2e-5 * (1 + std::fabs(expected[i])))
          << "step " << t << ", channel " << i;
    }
  }
}

// a chunk equals its steps, reset is a new stream, going back equals not having gone, and the cost is as declared
inline void expect_block_laws(const BlockKind& kind) {
  constexpr int kSteps = 23;
  const Model model = LoneBlock(kind, 5, true).model();
  Stream steps(model, {.history = 8}), chunk(model);
  std::vector<float> x;
  std::int64_t macs = 0;
  for (int t = 0; t < kSteps; ++t) {
    const std::vector<float> row = LoneBlock::input(t);
    x.insert(x.end(), row.begin(), row.end());
    const AdvanceReport report = steps.advance(row);
    macs += report.macs;
    EXPECT_EQ(report.macs, model.macs());
    EXPECT_EQ(report.macs, report.blocks[0].macs + model.network().dense_macs);
  }
  EXPECT_EQ(chunk.advance_chunk(x).macs, macs);
  EXPECT_TRUE(same_bits(chunk.output(), steps.output()));
  EXPECT_TRUE(same_state(chunk, steps));

  ASSERT_TRUE(steps.rewind(8));
  for (int t = kSteps - 8; t < kSteps; ++t) steps.advance(LoneBlock::input(t));
  EXPECT_TRUE(same_state(chunk, steps));

  steps.reset();
  EXPECT_TRUE(same_state(steps, Stream(model)));

  Fleet fleet(model, 3);
  for (int t = 0; t < kSteps; ++t) {
    std::vector<float> rows = LoneBlock::input(t + 100);
    for (const int start : {0, 200}) {
      const std::vector<float> row = LoneBlock::input(t + start);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    fleet.advance(rows);
  }
  EXPECT_TRUE(same_bits(fleet.output(1), chunk.output()));
}

}  // namespace elastane
