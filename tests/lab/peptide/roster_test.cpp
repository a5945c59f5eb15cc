// lab/peptide/equivariant_network.h, lesson.h, observation.h, planned_driver.h, stream_driver.h, play.h
#include "lab/peptide/roster.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/peptide/benchmark.h"
#include "lab/peptide/example.h"
#include "lab/peptide/observation.h"
#include "lab/peptide/run_episode.h"
#include "lab/peptide/stream_agent.h"
#include "tests/lab/peptide/conformations.h"

namespace elastane::peptide {
namespace {

std::vector<Tensor> random_weights() {
  std::vector<Tensor> tensors;
  std::uint64_t place = 0;
  for (const TensorSpec& spec : equivariant_specs()) {
    std::size_t count = 1;
    for (const auto side : spec.shape) count *= static_cast<std::size_t>(side);
    Random random(3, ++place << 32U);
    Tensor tensor{spec.name, spec.shape, {}};
    for (std::size_t i = 0; i < count; ++i) tensor.values.push_back(spec.initialise(random, i));
    tensors.push_back(tensor);
  }
  return tensors;
}

Model small_model() {
  ModelConfig config{.inputs = kInputs, .outputs = kOutputs, .width = 16};
  config.blocks = {BlockConfig{.kind = SelectiveConfig{}}};
  config.head = {.hidden = {16}, .activation = Activation::silu};
  return Model::create(config, random_tensors(config, 5)).value();
}

Residues some_residues() {
  const Energy energy{chain_of("ACDPGHIKLM")};
  Random random(1);
  std::array<float, kInputs> x;
  EnergyPoint point;
  observe(energy, random_start(energy, random), {1, 8}, point, x);
  return residues_of(x);
}

// about an axis that is none of the coordinates'
Vec3 turned(Vec3 r) {
  const Vec3 axis = unit({1, 2, -0.5});
  const double c = std::cos(1.1), s = std::sin(1.1);
  return c * r + s * cross(axis, r) + ((1 - c) * dot(axis, r)) * axis;
}

TEST(Equivariant, MovesStayTheSameWhenTheChainIsTurnedAndShifted) {
  const EquivariantNetwork network = EquivariantNetwork::create(random_weights(), "a test").value();
  const Residues here = some_residues();
  Residues there = here;
  for (std::size_t i = 0; i < static_cast<std::size_t>(here.count); ++i) {
    there.position[i] = turned(here.position[i]) + Vec3{3, -7, 11};
    for (Vec3& v : there.vectors[i]) v = turned(v);
  }
  std::array<float, kMaxTorsions> y, z;
  network.run(here, y);
  network.run(there, z);
  for (std::size_t t = 0; t < y.size(); ++t) EXPECT_NEAR(y[t], z[t], 1e-4F) << t;
  EXPECT_NE(y[3], 0.0F);
  EXPECT_EQ(y[18], 0.0F) << "a torsion that this chain has not";
}

TEST(Equivariant, MovesChangeWhenTheChainIsMirrored) {
  const EquivariantNetwork network = EquivariantNetwork::create(random_weights(), "a test").value();
  const Residues here = some_residues();
  Residues mirrored = here;
  for (std::size_t i = 0; i < static_cast<std::size_t>(here.count); ++i) {
    mirrored.position[i].z *= -1;
    for (Vec3& v : mirrored.vectors[i]) v.z *= -1;
  }
  std::array<float, kMaxTorsions> y, z;
  network.run(here, y);
  network.run(mirrored, z);
  EXPECT_NE(y, z);
}

TEST(Equivariant, AMissingTensorIsNamed) {
  std::vector<Tensor> tensors = random_weights();
  tensors.erase(tensors.begin());
  const auto result = EquivariantNetwork::create(tensors, "a test");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().find("embed"), std::string::npos) << result.error();
}

TEST(Lesson, EqualNumbersGiveEqualLessons) {
  const Example a = make_example(1, 2, nullptr), b = make_example(1, 2, nullptr);
  EXPECT_EQ(a.x, b.x);
  for (std::size_t i = 0; i < a.target.size(); ++i) {
    if (!std::isfinite(a.target[i])) {
      EXPECT_FALSE(std::isfinite(b.target[i]));
      continue;
    }
    EXPECT_EQ(a.target[i], b.target[i]);
    EXPECT_LE(std::fabs(a.target[i]), i % kOutputs < kMaxTorsions ? 1.0F : 5.0F);
  }
  for (const float x : a.x) EXPECT_TRUE(std::isfinite(x));
}

TEST(Agent, PlansNeverRaiseWhatTheyAreJudgedBy) {
  const Energy energy{chain_of("ACDPGHIKLMVY")};
  Random random(4);
  const Torsions torsions = random_start(energy, random);
  const Contact contact{2, 9};
  MoveObjective move(energy);
  move.set_start(torsions, contact);
  std::array<float, kInputs> x;
  EnergyPoint point;
  observe(energy, torsions, contact, point, x);
  std::array<float, kOutputs> y = {};
  PlanAgent plan(nullptr, {.iterations = 4, .damping = 3});
  plan.begin(energy);
  plan.act(x, torsions, contact, y);
  const std::vector<double> moved(y.begin(), y.end()), still(y.size());
  EXPECT_LT(move.value(moved), move.value(still));
  EXPECT_GT(plan.report().accepted, 0);
}

TEST(Agent, AnEpisodeIsRepeatedExactly) {
  const Model model = small_model();
  const DrawnEpisode drawn = draw_episode(11, 3);
  StreamOptions options;
  options.corrector = CorrectorOptions{};
  const auto way = [&](Agent& driver) {
    std::vector<double> distances;
    const benchmark::Outcome outcome = run_episode(drawn, &driver, [&](const Step& s) { distances.push_back(s.distance); });
    distances.push_back(outcome.regret);
    distances.push_back(outcome.macs);
    return distances;
  };
  StreamAgent stream(model, options);
  const auto first = way(stream);
  EXPECT_EQ(first, way(stream)) << "begin forgets the episode before";
  HorizonAgent horizon(std::make_unique<StreamAgent>(model, StreamOptions{}), {});
  StreamAgent other(model, options);
  EXPECT_EQ(first, way(other));
  EXPECT_EQ(way(horizon), way(horizon));
}

TEST(Agent, TheOracleHasNoRegret) {
  const DrawnEpisode drawn = draw_episode(12, 1);
  const benchmark::Outcome outcome = run_episode(drawn, nullptr);
  EXPECT_TRUE(outcome.success);
  EXPECT_EQ(outcome.regret, 0.0);
}

TEST(Agents, NamesDifferAndAMissingFolderIsSaid) {
  const std::vector<RosterEntry> all = roster();
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(all[a].name, all[b].name);
    EXPECT_FALSE(settings_of(all[a]).empty());
  }
  EXPECT_FALSE(load_networks("no/such/folder"));
}

TEST(Agents, TheShippedNetworksPlayAndArePlayedBackTheSame) {
  const auto made = make_benchmark(ELASTANE_MODELS);
  ASSERT_TRUE(made) << made.error();
  const benchmark::Benchmark& benchmark = **made;
  EXPECT_EQ(benchmark.agents().size(), roster().size());
  for (int agent = 0; agent < static_cast<int>(benchmark.agents().size()); ++agent) {
    benchmark::Latency latency;
    const auto player = benchmark.player(agent);
    player->play(21, 3, latency);  // what it was in before must not show
    const benchmark::Outcome once = player->play(21, 4, latency);
    const benchmark::Outcome again = benchmark.player(agent)->play(21, 4, latency);
    EXPECT_EQ(once.steps, again.steps) << benchmark.agents()[static_cast<std::size_t>(agent)].name;
    EXPECT_EQ(once.regret, again.regret);
    EXPECT_LE(once.steps, benchmark.limit());
    EXPECT_GT(latency.total(), 0U);
  }
}

TEST(Agents, TheBudgetGridFollowsTheAgents) {
  const auto made = make_benchmark(ELASTANE_MODELS);
  ASSERT_TRUE(made) << made.error();
  const benchmark::Benchmark& benchmark = **made;
  EXPECT_EQ(benchmark.grid().size(), 27U);
  benchmark::Latency latency;
  const int last = static_cast<int>(benchmark.agents().size() + benchmark.grid().size()) - 1;
  EXPECT_LE(benchmark.player(last)->play(21, 4, latency).steps, benchmark.limit());
}

}  // namespace
}  // namespace elastane::peptide
