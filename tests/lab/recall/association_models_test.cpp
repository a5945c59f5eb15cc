// lab/recall/association_models.cpp: every model can be built, and starts from weights that recall something.
#include "lab/recall/association_models.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "elastane/core/stream/stream.h"

namespace elastane::recall {
namespace {

double accuracy(const std::string& name, const AssociationOptions& task, int sequences) {
  const ModelConfig config = association_config(name, task, 128).value();
  const Model model = Model::create(config, association_start(config, task, 3)).value();
  int asked = 0, hits = 0;
  for (int i = 0; i < sequences; ++i) {
    Stream stream(model);
    for (const AssociationStep& step : draw_associations(task, static_cast<std::uint64_t>(i))) {
      std::vector<float> x(static_cast<std::size_t>(config.inputs));
      for (const int one : {step.symbol, step.second}) {
        if (one >= 0) x[static_cast<std::size_t>(one)] = 1;
      }
      stream.advance(x);
      if (step.target < 0) continue;
      ++asked;
      hits += std::ranges::max_element(stream.output()) - stream.output().begin() == step.target ? 1 : 0;
    }
  }
  return static_cast<double>(hits) / asked;
}

TEST(AssociationModels, AllCanBeBuilt) {
  for (const std::string& name : association_models()) {
    const auto config = association_config(name, {.length = 32, .pairs = 8}, 64);
    ASSERT_TRUE(config) << name;
    EXPECT_TRUE(Model::create(*config, association_start(*config, {}, 1))) << name;
  }
  EXPECT_FALSE(association_config("nothing", {}, 64));
}

TEST(AssociationModels, RecallBeforeTheyAreTrained) {
  const AssociationOptions mqar{.length = 64, .pairs = 8, .vocabulary = 64};
  // one in 64 by chance
  EXPECT_GT(accuracy("ssm_delta32", mqar, 4), 0.06);
  EXPECT_GT(accuracy("ssm_attention", mqar, 2), 0.2);
  EXPECT_GT(accuracy("mamba_x2", mqar, 4), 0.06);
}

}  // namespace
}  // namespace elastane::recall
