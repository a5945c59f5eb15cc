// Parity of elastane/core/stream/stream.cpp with PyTorch: every golden of make_goldens.py, streamed, chunked and in fleets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "elastane/core/network/step.h"
#include "elastane/core/stream/fleet.h"
#include "elastane/core/stream/stream.h"
#include "elastane/io/file.h"
#include "elastane/io/model_file.h"
#include "elastane/io/safetensors.h"
#include "tests/isa.h"
#include "tests/paths.h"

namespace elastane {
namespace {

constexpr double kTolerance = 1e-5;  // of the largest output

const std::filesystem::path kFolder = ELASTANE_GOLDENS;

struct Golden {
  ModelFile file;
  std::vector<float> x, y, dt;
  std::vector<std::uint8_t> present;
  int steps, inputs, outputs;

  Sample sample(int t) const {
    Sample s{std::span(x).subspan(static_cast<std::size_t>(t) * inputs, inputs), {}, 1.0F};
    if (!present.empty()) s.present = std::span(present).subspan(static_cast<std::size_t>(t) * inputs, inputs);
    if (!dt.empty()) s.dt = dt[t];
    return s;
  }
};

Golden load_golden(const std::string& name) {
  const auto run = FileContent::open(kFolder / (name + ".run.safetensors")).value();
  Golden g{.file = read_model(kFolder / (name + ".safetensors")).value()};
  for (const StoredTensor& stored : parse_safetensors(run.bytes(), name).value().tensors) {
    if (stored.name == "present") {
      g.present.resize(stored.data.size());
      std::memcpy(g.present.data(), stored.data.data(), stored.data.size());
      continue;
    }
    std::vector<float> values = to_tensor(stored, name).value().values;
    if (stored.name == "x")
      g.x = std::move(values);
    else if (stored.name == "y")
      g.y = std::move(values);
    else if (stored.name == "dt")
      g.dt = std::move(values);
  }
  g.inputs = g.file.config.inputs;
  g.outputs = g.file.config.outputs;
  g.steps = static_cast<int>(g.x.size()) / g.inputs;
  return g;
}

// largest deviation over largest value, a channel at a time
double deviation(std::span<const float> found, std::span<const float> expected, int channels) {
  double worst = 0;
  for (int c = 0; c < channels; ++c) {
    double largest = 0, difference = 0;
    for (std::size_t i = c; i < expected.size(); i += channels) {
      if (!std::isfinite(found[i])) return HUGE_VAL;
      largest = std::max(largest, std::fabs(static_cast<double>(expected[i])));
      difference = std::max(difference, std::fabs(static_cast<double>(found[i]) - expected[i]));
    }
    worst = std::max(worst, difference / largest);
  }
  return worst;
}

std::vector<float> stream_all(const Golden& g, Stream& stream) {
  std::vector<float> y;
  for (int t = 0; t < g.steps; ++t) {
    const Sample s = g.sample(t);
    stream.advance(s.x, s.present, s.dt);
    y.insert(y.end(), stream.output().begin(), stream.output().end());
  }
  return y;
}

class Goldens : public testing::TestWithParam<std::string> {
 protected:
  const Golden golden = load_golden(GetParam());
  const Model model = Model::create(golden.file.config, golden.file.tensors, {.isa = test_isa()}).value();
};

TEST_P(Goldens, StreamingEqualsPyTorch) {
  Stream stream(model);
  const double worst = deviation(stream_all(golden, stream), golden.y, golden.outputs);
  RecordProperty("deviation", std::to_string(worst));
  EXPECT_LE(worst, kTolerance) << name(model.isa());
}

TEST_P(Goldens, ChunksOfAnySizeEqualSteps) {
  if (!golden.dt.empty() || !golden.present.empty()) GTEST_SKIP() << "chunks have no mask and no dt";
  Stream stream(model);
  const std::vector<float> expected = stream_all(golden, stream);
  for (const int chunk : {1, 2, 3, 7, 16, 17, 64, 1000, golden.steps}) {
    Stream chunked(model);
    std::vector<float> y(golden.y.size());
    for (int t = 0; t < golden.steps; t += chunk) {
      const auto rows = static_cast<std::size_t>(std::min(chunk, golden.steps - t));
      chunked.advance_chunk(
          std::span(golden.x).subspan(static_cast<std::size_t>(t) * golden.inputs, rows * golden.inputs),
          std::span(y).subspan(static_cast<std::size_t>(t) * golden.outputs, rows * golden.outputs));
    }
    EXPECT_EQ(std::memcmp(y.data(), expected.data(), sizeof(float) * y.size()), 0) << "chunks of " << chunk;
    EXPECT_EQ(std::memcmp(chunked.state().data(), stream.state().data(), stream.state().size()), 0);
    EXPECT_EQ(std::memcmp(chunked.output().data(), stream.output().data(), stream.output().size_bytes()), 0);
  }
}

TEST_P(Goldens, FleetEqualsSingleStreamsBitForBit) {
  // stream i of the fleet starts i rows into the sequence, so all differ
  constexpr int kStreams = 37, kSteps = 48;
  Fleet fleet(model, kStreams);
  std::vector<Stream> singles(kStreams, Stream(model));
  for (int step = 0; step < kSteps; ++step) {
    std::vector<float> x, dt;
    std::vector<std::uint8_t> present;
    for (int i = 0; i < kStreams; ++i) {
      const Sample s = golden.sample((step + i) % golden.steps);
      x.insert(x.end(), s.x.begin(), s.x.end());
      present.insert(present.end(), s.present.begin(), s.present.end());
      dt.push_back(s.dt);
      if (step == 20 && i % 5 == 0) {
        fleet.reset(i);
        singles[i].reset();
      }
      singles[i].advance(s.x, s.present, s.dt);
    }
    fleet.advance(x, present, dt);
    for (int i = 0; i < kStreams; ++i) {
      ASSERT_EQ(std::memcmp(fleet.output(i).data(), singles[i].output().data(), fleet.output(i).size_bytes()), 0)
          << "stream " << i << ", step " << step;
    }
  }
}

std::vector<std::string> all_goldens() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename();
    constexpr std::string_view ending = ".run.safetensors";
    if (name.ends_with(ending)) names.push_back(name.substr(0, name.size() - ending.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Parity, Goldens, testing::ValuesIn(all_goldens()),
                         [](const auto& test) { return test.param; });

TEST(GoldenFolder, HasACaseForEveryBlock) { EXPECT_GE(all_goldens().size(), 29U); }

}  // namespace
}  // namespace elastane
