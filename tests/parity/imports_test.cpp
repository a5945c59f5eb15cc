// Parity of elastane/io/import_file.cpp with PyTorch: models that make_imports.py saved, imported and streamed for 200 steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "elastane/core/stream/stream.h"
#include "elastane/io/file.h"
#include "elastane/io/import.h"
#include "elastane/io/safetensors.h"
#include "tests/isa.h"
#include "tests/paths.h"

namespace elastane {
namespace {

const std::filesystem::path kImports = std::filesystem::path(ELASTANE_GOLDENS) / ".." / "imports";

class Imports : public testing::TestWithParam<std::string> {};

TEST_P(Imports, StreamingEqualsPyTorch) {
  const std::filesystem::path path = kImports / GetParam();
  // what the tensors of the Transformer do not say
  const ImportOptions options = GetParam() == "llama.safetensors" ? ImportOptions{.heads = 4} : ImportOptions{};
  const auto import = import_file(path, options);
  ASSERT_TRUE(import) << import.error();
  EXPECT_TRUE(import->unplaced.empty());
  const Model model = Model::create(import->config, import->tensors, {.isa = test_isa()}, path.string()).value();

  const auto file = FileContent::open(std::filesystem::path(path).replace_extension(".run.safetensors")).value();
  std::vector<float> x, y;
  for (const StoredTensor& stored : parse_safetensors(file.bytes(), path).value().tensors) {
    (stored.name == "x" ? x : y) = to_tensor(stored, path).value().values;
  }
  const auto inputs = static_cast<std::size_t>(model.inputs()), outputs = static_cast<std::size_t>(model.outputs());
  ASSERT_EQ(x.size(), 200 * inputs);
  ASSERT_EQ(y.size(), 200 * outputs);
  Stream stream(model);
  double worst = 0;
  for (std::size_t t = 0; t < 200; ++t) {
    stream.advance(std::span(x).subspan(t * inputs, inputs));
    for (std::size_t i = 0; i < outputs; ++i) {
      const double expected = y[t * outputs + i];
      const double error = std::fabs(static_cast<double>(stream.output()[i]) - expected);
      worst = std::max(worst, error / std::fmax(1, std::fabs(expected)));
    }
  }
  RecordProperty("deviation", std::to_string(worst));
  const std::string isa(name(model.isa()));
  std::printf("%s: largest error %.1e of 200 steps, %s\n", GetParam().c_str(), worst, isa.c_str());
  EXPECT_LE(worst, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Parity, Imports,
                         testing::Values("gru.safetensors", "lstm.safetensors", "gru_layers.onnx", "lstm_layer.onnx",
                                         "mamba.safetensors", "s4d.safetensors", "llama.safetensors"),
                         [](const auto& test) { return test.param.substr(0, test.param.find('.')); });

}  // namespace
}  // namespace elastane
