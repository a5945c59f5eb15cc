// Tests of bindings/c/fleets.cpp: the same numbers as the library's, bit for bit.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "bindings/c/handles.h"
#include "tests/paths.h"

namespace elastane {
namespace {

TEST(CFleet, StepsAndMovesStreamsAsTheLibraryDoes) {
  elastane_model* model = nullptr;
  elastane_fleet* fleet = nullptr;
  const std::string path = std::string(ELASTANE_MODELS) + "/lorenz.safetensors";
  ASSERT_EQ(elastane_model_load(path.c_str(), &model), ELASTANE_OK) << elastane_last_error();
  EXPECT_EQ(elastane_fleet_create(model, -1, &fleet), ELASTANE_BAD_OPTIONS);
  EXPECT_NE(std::string(elastane_last_error()).find("found -1"), std::string::npos);
  ASSERT_EQ(elastane_fleet_create(model, 5, &fleet), ELASTANE_OK);
  Fleet twin(Model::load(path).value(), 5);
  std::vector<float> x(15);
  for (int t = 0; t < 30; ++t) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = 0.01F * static_cast<float>((t * 7 + static_cast<int>(i) * 3) % 100);
    ASSERT_EQ(elastane_fleet_advance(fleet, x.data(), x.size(), nullptr, nullptr, nullptr), ELASTANE_OK);
    twin.advance(x);
    std::size_t n = 0;
    const float* y = elastane_fleet_outputs(fleet, &n);
    ASSERT_EQ(n, twin.outputs().size());
    ASSERT_EQ(std::memcmp(y, twin.outputs().data(), n * sizeof(float)), 0) << t;
  }
  EXPECT_EQ(elastane_fleet_advance(fleet, x.data(), 14, nullptr, nullptr, nullptr), ELASTANE_BAD_ARGUMENT);
  EXPECT_EQ(elastane_fleet_output(fleet, 5, nullptr), nullptr);

  // a stream of the fleet moves to a stream of its own
  std::size_t needed = 0;
  elastane_fleet_snapshot(fleet, 2, nullptr, 0, &needed);
  std::vector<std::byte> bytes(needed);
  ASSERT_EQ(elastane_fleet_snapshot(fleet, 2, bytes.data(), needed, nullptr), ELASTANE_OK);
  elastane_stream* stream = nullptr;
  ASSERT_EQ(elastane_stream_create(model, nullptr, &stream), ELASTANE_OK);
  ASSERT_EQ(elastane_stream_restore(stream, bytes.data(), needed), ELASTANE_OK) << elastane_last_error();
  EXPECT_EQ(elastane_stream_position(stream), 30U);
  EXPECT_EQ(std::memcmp(elastane_stream_output(stream, nullptr), elastane_fleet_output(fleet, 2, nullptr), 12), 0);
  elastane_stream_free(stream);
  elastane_fleet_free(fleet);
  elastane_model_free(model);
}

}  // namespace
}  // namespace elastane
