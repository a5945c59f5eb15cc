// Tests elastane/core/network/step.cpp: what is missing or not finite never enters the state, whatever the block.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "elastane/core/base/random.h"
#include "elastane/core/network/network.h"
#include "elastane/core/stream/fleet.h"
#include "elastane/core/stream/stream.h"
#include "tests/isa.h"
#include "tests/realtime/small_models.h"

namespace elastane {
namespace {

constexpr int kSteps = 2000;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kSilence = 10'000;  // sanitizers look at the code, not at where it ends
#else
constexpr int kSilence = 300'000;  // long enough for the slowest mode to fade below 1e-38
#endif
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

// the first three are missing by their value alone; those beyond kStateLimit too; the rest counts
const std::array kBad = {kNan,  kInfinity, -kInfinity, 1e38F,   FLT_MAX, -FLT_MAX,     1.1e18F,
                         1e18F, -1e18F,    1e-40F,     -1e-40F, FLT_MIN, FLT_TRUE_MIN, 0.0F};
const std::array kBadTimes = {0.0F, 0.3F, 7.5F, 1e-30F, 1e18F, -1.0F, kNan, kInfinity, FLT_MAX};

template <class T>
bool all_finite(std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + i, sizeof(T));
    if (!std::isfinite(value)) return false;
  }
  return true;
}

// the name of the first part of the state that holds something not finite, or nothing
std::string not_finite(std::span<const std::byte> state, const StateLayout& layout) {
  const auto part = [&](std::size_t from, std::size_t to) { return state.subspan(from, to - from); };
  StateHeader header;
  std::memcpy(&header, state.data(), sizeof(header));
  if (!std::isfinite(header.time)) return "time";
  if (!all_finite<double>(part(layout.statistics, layout.last))) return "statistics";
  if (!all_finite<float>(part(layout.last, layout.dense))) return "last";
  if (!all_finite<float>(part(layout.dense, layout.ring))) return "dense";
  if (!all_finite<float>(part(layout.ring, layout.slow))) return "ring";
  if (!all_finite<float>(part(layout.slow, layout.size))) return "slow";
  return {};
}
std::string not_finite(const Stream& stream) { return not_finite(stream.state(), stream.model().network().layout); }

bool finite_output(const Stream& stream) { return all_finite<float>(std::as_bytes(stream.output())); }

bool same(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}
bool same(const Stream& a, const Stream& b) {
  return same(a.state(), b.state()) && same(std::as_bytes(a.output()), std::as_bytes(b.output()));
}

// one observation, with good and bad values mixed; now and then all channels are bad at once
struct Observation {
  std::array<float, 2> x{};
  std::array<std::uint8_t, 2> present{};
  float dt = 1.0F;

  explicit Observation(Random& random) {
    const bool all_bad = random.below(5) == 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool bad = all_bad || random.below(3) == 0;
      x[i] = bad ? kBad[random.below(kBad.size())] : static_cast<float>(random.normal());
      present[i] = random.below(4) == 0 ? 0 : 1;
    }
    if (random.below(3) == 0) dt = kBadTimes[random.below(kBadTimes.size())];
  }
};

std::array<float, 2> clean(Random& random) {
  return {static_cast<float>(random.normal()), static_cast<float>(random.normal())};
}

class EveryBlock : public testing::TestWithParam<SmallModel> {
 protected:
  ModelConfig config = GetParam().config;
  Model model = create(config, 1);
  Random random = Random(2);

  static Model create(const ModelConfig& config, double factor) {
    std::vector<Tensor> tensors = random_tensors(config, 1);
    for (Tensor& tensor : tensors) {
      for (float& value : tensor.values) value = static_cast<float>(value * factor);
    }
    return Model::create(config, tensors, {.isa = test_isa()}).value();
  }

  void stream_bad_data(Stream& stream) {
    for (int step = 0; step < kSteps; ++step) {
      const Observation o(random);
      stream.advance(o.x, o.present, o.dt);
      ASSERT_EQ(not_finite(stream), "") << "step " << step;
    }
  }

  void expect_recovery(Stream& stream) {
    for (int step = 0; step < kSteps; ++step) {
      stream.advance(clean(random));
      ASSERT_EQ(not_finite(stream), "") << "step " << step;
      ASSERT_TRUE(finite_output(stream)) << "step " << step;
    }
  }
};

TEST_P(EveryBlock, KeepsAFiniteStateOnAnyInputAndRecovers) {
  Stream stream(model);
  stream_bad_data(stream);
  expect_recovery(stream);
}

// without norms, large inputs reach the blocks as they are
TEST_P(EveryBlock, KeepsAFiniteStateWithoutNormsAndRecovers) {
  config.norm = Norm::none;
  for (BlockConfig& block : config.blocks) block.norm = Norm::none;
  config.normaliser = {};
  model = create(config, 1);
  Stream stream(model);
  stream_bad_data(stream);
  expect_recovery(stream);
}

TEST_P(EveryBlock, KeepsAFiniteStateWhenWeightsOverflow) {
  for (const BlockConfig& block : config.blocks) {
    if (std::holds_alternative<RecursionConfig>(block.kind)) {
      GTEST_SKIP() << "weights of a recursion that is not a contraction are refused";
    }
  }
  for (const double factor : {1e5, 1e10, 1e20, -1e20, 1e30}) {
    SCOPED_TRACE(factor);
    model = create(config, factor);
    Stream stream(model);
    stream_bad_data(stream);
  }
}

TEST_P(EveryBlock, FadesToZeroAndNotToDenormalsInSilence) {
  std::vector<Tensor> tensors = random_tensors(config, 1);
  for (Tensor& tensor : tensors) {
    const bool rate = tensor.name.ends_with("dt_proj.bias") || tensor.name.ends_with("delta.bias");
    if (tensor.name.ends_with("bias") && !rate) {
      std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
    }
  }
  Stream stream(Model::create(config, tensors, {.isa = test_isa()}).value());
  for (int step = 0; step < 100; ++step) stream.advance(clean(random));
  for (int step = 0; step < kSilence; ++step) stream.advance(std::array{0.0F, 0.0F});
  const StateLayout& layout = stream.model().network().layout;
  for (std::size_t at = layout.dense; at < layout.size; at += sizeof(float)) {
    float value;
    std::memcpy(&value, stream.state().data() + at, sizeof(float));
    ASSERT_TRUE(value == 0.0F || std::fabs(value) >= FLT_MIN) << "byte " << at << ": " << value;
  }
}

TEST_P(EveryBlock, ForgetsAfterALongPause) {
  // two streams with different pasts, the same pause, the same input: what is left of the past is gone
  const std::string& name = GetParam().name;
  if (name != "s4d_zoh" && name != "mamba" && name != "selective") {
    GTEST_SKIP() << "other blocks forget by what they learned, not by time alone";
  }
  if (name == "mamba") config.blocks.front().kind = MambaConfig{.conv = 1};  // taps count steps, not time
  model = create(config, 1);
  for (const float pause : {1e5F, 1e6F, 1e9F, 1e18F}) {
    Stream one(model), other(model);
    for (int step = 0; step < 50; ++step) {
      one.advance(clean(random));
      other.advance(clean(random));
    }
    const auto x = clean(random);
    one.advance(x, pause);
    other.advance(x, pause);
    for (std::size_t i = 0; i < one.output().size(); ++i) {
      EXPECT_NEAR(one.output()[i], other.output()[i], 1e-5 * std::fabs(one.output()[i]) + 1e-6) << "pause " << pause;
    }
  }
}

TEST_P(EveryBlock, TakesNotANumberAsMaskedBitForBit) {
  for (const Missing missing : {Missing::hold, Missing::zero}) {
    config.missing = missing;
    model = create(config, 1);
    Stream marked(model), masked(model);
    for (int step = 0; step < kSteps; ++step) {
      std::array<float, 2> x = clean(random), with_gaps = x;
      std::array<std::uint8_t, 2> present = {1, 1};
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (random.below(3) != 0) continue;
        with_gaps[i] = std::array{kNan, kInfinity, -kInfinity, 1e38F, -FLT_MAX}[random.below(5)];
        present[i] = 0;
      }
      const AdvanceReport report = marked.advance(with_gaps);
      masked.advance(x, present);
      ASSERT_EQ(report.missing, 2 - present[0] - present[1]);
      ASSERT_EQ(report.not_finite, report.missing);
      ASSERT_TRUE(same(marked, masked)) << "step " << step;
    }
  }
}

TEST_P(EveryBlock, TakesAShortRowAsMaskedBitForBit) {
  Stream cut(model), masked(model);
  for (int step = 0; step < 100; ++step) {
    const std::array<float, 2> x = clean(random);
    const std::array<std::uint8_t, 2> present = {1, 0};
    cut.advance(std::span(x).first(1));
    masked.advance(x, present);
    ASSERT_TRUE(same(cut, masked)) << "step " << step;
  }
}

TEST_P(EveryBlock, SeesBadInputAlikeInStepsChunksAndFleets) {
  std::vector<float> rows, y;
  for (int step = 0; step < 100; ++step) {
    const Observation o(random);
    rows.insert(rows.end(), o.x.begin(), o.x.end());
  }
  Stream stream(model), chunked(model);
  Fleet fleet(model, 2);
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    const std::array pair = {rows[i], rows[i + 1], rows[i], rows[i + 1]};
    stream.advance(std::span(pair).first(2));
    fleet.advance(pair);
    y.insert(y.end(), stream.output().begin(), stream.output().end());
    ASSERT_TRUE(same(std::as_bytes(fleet.output(1)), std::as_bytes(stream.output()))) << "row " << i / 2;
  }
  std::vector<float> chunk_y(y.size());
  chunked.advance_chunk(rows, chunk_y);
  EXPECT_TRUE(same(std::as_bytes(std::span(chunk_y)), std::as_bytes(std::span(y))));
  EXPECT_TRUE(same(chunked.state(), stream.state()));
}

// and one whose rows end in padding, which must stay out of everything
std::vector<SmallModel> models() {
  std::vector<SmallModel> models = small_models();
  models.insert(models.begin(), one_block("elastic_attention", {.kind = elastic_attention()}));
  for (const auto& [name, memory] : memories()) models.insert(models.begin(), one_block(name, {.kind = memory}));
  models.push_back(models.back());
  models.back().name = "hybrid_width_12";
  models.back().config.width = 12;
  return models;
}

INSTANTIATE_TEST_SUITE_P(Finite, EveryBlock, testing::ValuesIn(models()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace elastane
