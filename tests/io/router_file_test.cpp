// Tests elastane/io/router_file.cpp: a router is read back to the last bit; what is damaged or no router is refused.
#include "elastane/io/router_file.h"

#include <gtest/gtest.h>

#include "elastane/io/safetensors.h"
#include "tests/core/elastic.h"
#include "tests/io/folder.h"

namespace elastane {
namespace {

RouterWeights some_router() {
  RouterWeights router = random_router(model_of(elastic_config()), 5);
  router.layers.push_back({});  // a block that keeps its modes
  return router;
}

TEST(RouterFile, HoldsEveryBit) {
  const RouterWeights router = some_router();
  const Folder folder;
  ASSERT_TRUE(save_router(folder / "router", router, {{"command", "a test"}}));
  EXPECT_TRUE(load_router(folder / "router").value() == router);
  EXPECT_TRUE(is_router(format_router(router).value()));
}

TEST(RouterFile, RefusesEveryTruncation) {
  const std::vector<std::byte> bytes = format_router(some_router()).value();
  for (std::size_t n = 0; n < bytes.size(); n += 1 + n / 50) {
    EXPECT_FALSE(parse_router(std::span(bytes).first(n), "router")) << n;
  }
}

TEST(RouterFile, RefusesWhatDoesNotFitAndSaysWhy) {
  const std::vector<std::byte> bytes = format_router(some_router()).value();
  const Safetensors file = parse_safetensors(bytes, "router").value();
  const auto reason = [&](const std::string& meaning, const std::string& without = "") {
    std::vector<StoredTensor> tensors;
    for (const StoredTensor& t : file.tensors) {
      if (t.name != without) tensors.push_back(t);
    }
    const auto made = format_safetensors({{"elastane_router", meaning}}, tensors).value();
    const auto router = parse_router(made, "router");
    return router ? std::string() : router.error();
  };
  const std::string good = file.metadata.at("elastane_router");
  EXPECT_EQ(reason(good), "");
  EXPECT_EQ(reason(good, "1.route.score.bias"), "[router] router: expected a tensor 1.route.score.bias, found none");
  EXPECT_EQ(reason(R"({"format":2})"), "[router] router: format: expected 1, found 2");
  EXPECT_NE(reason(R"({"format":1,"model":"xyz","layers":[1]})").find("sixteen hexadecimal digits"), std::string::npos);
  EXPECT_NE(reason(R"({"format":1,"model":"0123456789abcdef","layers":[]})").find("layers: expected 1 to 1024"),
            std::string::npos);
  EXPECT_NE(reason(R"({"format":1,"model":"0123456789abcdef","layers":[1]})").find("expected 12 tensors, found 24"),
            std::string::npos);
  const auto gate = parse_router(format_safetensors({{"elastane", "{}"}}, std::vector<StoredTensor>{}).value(), "m");
  EXPECT_EQ(gate.error(), "[router] m: expected a router of attention heads, found a network");
}

}  // namespace
}  // namespace elastane
