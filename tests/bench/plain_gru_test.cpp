// Tests of bench/plain_gru.h: the rival of small models computes the same as an imported model.
#include "bench/plain_gru.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/stream/stream.h"
#include "elastane/io/import.h"
#include "elastane/io/safetensors.h"

namespace elastane::bench {
namespace {

TEST(PlainGru, ComputesWhatTheImportedModelDoes) {
  for (const SmallGru& size : kSmallGrus) {
    const auto tensors = weights_of(size, 3);
    const Import import = import_model(format_safetensors({}, tensors, {}).value(), "a GRU").value();
    ASSERT_TRUE(import.unplaced.empty());
    const Model model = Model::create(import.config, import.tensors).value();
    ASSERT_EQ(model.outputs(), size.outputs());
    Stream stream(model);
    const auto plain = plain_gru(size, tensors);
    std::vector<float> x(static_cast<std::size_t>(size.inputs)), y(static_cast<std::size_t>(size.outputs()));
    for (int t = 0; t < 50; ++t) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(t) + static_cast<float>(i));
      stream.advance(x);
      plain->advance(x, y);
      for (std::size_t j = 0; j < y.size(); ++j) ASSERT_NEAR(stream.output()[j], y[j], 1e-5) << t;
    }
  }
}

}  // namespace
}  // namespace elastane::bench
