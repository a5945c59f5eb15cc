// lab/plant/adaptation.cpp: shipped models know their plants, and adapt to changed ones.
#include "lab/plant/adaptation.h"

#include <gtest/gtest.h>

#include <string>

#include "lab/plant/circuit.h"
#include "lab/plant/reactor.h"
#include "lab/plant/settings.h"
#include "tests/paths.h"

namespace elastane::plant {
namespace {

Model shipped(const std::string& name) {
  return Model::load(std::string(ELASTANE_MODELS) + "/" + name + ".safetensors").value();
}

// R² of a free run from the beginning
double score(Stream& stream, const Record& record, int output) {
  stream.restart();
  return r_squared(record, free_run(stream, record), output);
}

TEST(Adaptation, OfACircuitFindsItsParts) {
  const Model model = shipped("circuit");
  const circuit::Options nominal{.steps = 2000},
      changed{.steps = 2000, .changes = {{0, {.resistance = 10, .inductance = 60e-6, .capacitance = 550e-9}}}};
  const Record before = circuit::simulate(1, nominal), after = circuit::simulate(2, changed),
               eval = circuit::simulate(3, changed);
  Stream stream(model, adaptation(model, before.driven(), settings().circuit));
  EXPECT_GT(score(stream, before, 0), 0.99);
  const double frozen = score(stream, eval, 0);
  stream.restart();
  follow(stream, after);
  EXPECT_LT(frozen, 0.7);
  EXPECT_GT(score(stream, eval, 0), 0.99);
  EXPECT_GT(score(stream, eval, 1), 0.95);  // which is not measured
}

TEST(Adaptation, OfAReactorFindsItsChemistry) {
  const Model model = shipped("reactor");
  const reactor::Options nominal{}, changed{.steps = 3000, .changes = {{0, reactor::kPublishedChange}}};
  const Record before = reactor::simulate(1, nominal), after = reactor::simulate(2, changed),
               eval = reactor::simulate(3, changed);
  Stream stream(model, adaptation(model, before.driven(), settings().reactor));
  for (int i = 0; i < 2; ++i) EXPECT_GT(score(stream, before, i), 0.98);
  const double frozen = score(stream, eval, 1);
  stream.restart();
  follow(stream, after);
  EXPECT_LT(frozen, 0.5);
  for (int i = 0; i < 2; ++i) EXPECT_GT(score(stream, eval, i), 0.95);
}

TEST(Adaptation, LeavesTheInputsThatDriveAlone) {
  const Model model = shipped("circuit");
  const Record record = circuit::simulate(1, {.steps = 500, .changes = {{0, {.resistance = 6}}}});
  Stream stream(model, adaptation(model, record.driven(), settings().circuit));
  follow(stream, record);
  EXPECT_NEAR(stream.persistent()[0], 0, 1e-4);
  EXPECT_GT(stream.persistent()[1], 0.1);
}

TEST(RSquared, IsOneForTheTruthAndNoneForItsMean) {
  const Record record{.inputs = 1, .outputs = 1, .measured = 1, .u = {0, 0, 0, 0}, .y = {1, 2, 3, 4}};
  EXPECT_EQ(r_squared(record, record.y, 0), 1);
  EXPECT_EQ(r_squared(record, std::vector<float>(4, 2.5F), 0), 0);
  EXPECT_EQ(mean_squared_error(record, std::vector<float>{2, 4}, 0, 1), 0.5);
}

}  // namespace
}  // namespace elastane::plant
