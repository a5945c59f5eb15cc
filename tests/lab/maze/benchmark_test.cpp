// lab/maze/benchmark.h, minds.h and recording.h: everybody on the same mazes, judged alike.
#include "lab/maze/benchmark.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "lab/maze/lattice.h"
#include "lab/maze/recording.h"
#include "tests/paths.h"

namespace elastane::maze {
namespace {

const Walkers& walkers() {
  static const Walkers loaded = load_walkers(ELASTANE_MODELS).value();
  return loaded;
}

int place_of(const MazeBenchmark& benchmark, const std::string& name) {
  const auto agents = benchmark.agents();
  return static_cast<int>(std::ranges::find(agents, name, &benchmark::AgentCard::name) - agents.begin());
}

TEST(MazeBenchmark, PlaysTheSameEpisodeAlikeWhateverWasPlayedBefore) {
  const MazeBenchmark benchmark(walkers(), lattice_course(15));
  for (int place = 0; place < static_cast<int>(benchmark.agents().size()); ++place) {
    benchmark::Latency latency;
    const auto one = benchmark.player(place), other = benchmark.player(place);
    one->play(3, 0, latency);
    EXPECT_EQ(one->play(3, 1, latency), other->play(3, 1, latency))
        << benchmark.agents()[static_cast<unsigned>(place)].name;
  }
}

TEST(MazeBenchmark, CountsEveryStepOnceByPlaceByLossAndByDepth) {
  const MazeBenchmark benchmark(walkers(), lattice_course(15));
  benchmark::Latency latency;
  const benchmark::Outcome o = benchmark.player(place_of(benchmark, "esm"))->play(1, 2, latency);
  ASSERT_EQ(o.tallies.size(), benchmark.tallied().size());
  benchmark::Tally sum;
  for (const benchmark::Tally& tally : o.tallies) sum.steps += tally.steps, sum.micro_steps += tally.micro_steps;
  EXPECT_EQ(sum.steps, 3 * o.steps);
  EXPECT_EQ(sum.micro_steps, 3 * o.corrections);
}

TEST(MazeBenchmark, NeverCostsMoreThanItsBoundAndReachesIt) {
  MapAgent agent({15, 15, Moves::four}, walkers().minds.at("uniform_4"));
  std::int64_t most = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Task drawn = draw_lattice({}, seed);
    Walk walk(drawn);
    agent.begin(drawn);
    bool first = true;  // it pays for the plan
    while (!walk.over()) {
      walk.move(agent.act(walk.look()));
      if (!first) most = std::max(most, agent.report().total_macs());
      first = false;
    }
  }
  EXPECT_EQ(most, agent.most_macs());
}

TEST(MazeBenchmark, IsMostlyLeftAloneInCorridorsAndNotAtClosedDoors) {
  const MazeBenchmark benchmark(walkers(), lattice_course(15));
  const auto player = benchmark.player(place_of(benchmark, "esm"));
  benchmark::Latency latency;
  std::array<benchmark::Tally, kPlaces> all = {};
  for (int episode = 0; episode < 200; ++episode) {
    const benchmark::Outcome o = player->play(9, episode, latency);
    for (std::size_t p = 0; p < kPlaces; ++p) {
      all[p].steps += o.tallies[p].steps;
      all[p].micro_steps += o.tallies[p].micro_steps;
    }
  }
  const auto mean = [&](Place place) {
    const benchmark::Tally& tally = all[static_cast<std::size_t>(place)];
    return static_cast<double>(tally.micro_steps) / tally.steps;
  };
  EXPECT_GT(mean(Place::closed_door), 4 * mean(Place::corridor));
  EXPECT_GT(mean(Place::dead_end), 4 * mean(Place::corridor));
  EXPECT_GT(mean(Place::junction), mean(Place::corridor));
}

TEST(MazeRecording, IsWholeAndTheSameAgain) {
  const MazeBenchmark benchmark(walkers(), lattice_course(15));
  const auto one = record(benchmark, {.agents = {"k0", "esm", "replanner"}}).value();
  EXPECT_TRUE(one.validate()) << one.validate().error();
  EXPECT_EQ(one.json(), record(benchmark, {.agents = {"k0", "esm", "replanner"}}).value().json());
  const auto wrong = record(benchmark, {.agents = {"nobody"}});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().find("[agents] nobody: expected some of replanner, esm"), std::string::npos);
}

TEST(Minds, AreReadAsTheyWereWritten) {
  const Minds& minds = walkers().minds;
  const auto bytes = format_minds(minds).value();
  const Minds again = parse_minds(bytes, "memory").value();
  for (const std::string name : kMindNames) {
    EXPECT_EQ(again.at(name).head.weight, minds.at(name).head.weight);
    EXPECT_EQ(again.at(name).learned.network.score_weight, minds.at(name).learned.network.score_weight);
    EXPECT_EQ(again.at(name).gate.histogram, minds.at(name).gate.histogram);
  }
}

TEST(Minds, WithPricesAreReadAsTheyWereWrittenAndPlayInTheGrid) {
  const Mind& esm = walkers().minds.at("esm");
  const std::vector<PricedMind> priced = {{0.02, 1, esm}, {0.02, 2, esm}, {0.5, 1, esm}};
  const auto again = parse_priced_minds(format_priced_minds(priced).value(), "memory").value();
  ASSERT_EQ(again.size(), 3u);
  EXPECT_EQ(again[2].price, 0.5);
  EXPECT_EQ(again[1].seed, 2);
  EXPECT_EQ(again[0].mind.learned.network.score_weight, esm.learned.network.score_weight);
  const MazeBenchmark benchmark({.minds = walkers().minds, .priced = again}, lattice_course(15));
  ASSERT_EQ(benchmark.grid().size(), 3u);
  EXPECT_EQ(benchmark.grid()[1].name, "esm, price 0.02, seed 2");
  EXPECT_EQ(benchmark.grid()[1].settings, benchmark.grid()[0].settings);
  benchmark::Latency latency;
  const auto agents = static_cast<int>(benchmark.agents().size());
  EXPECT_EQ(benchmark.player(agents + 2)->play(1, 4, latency),
            benchmark.player(place_of(benchmark, "esm"))->play(1, 4, latency));
  EXPECT_FALSE(parse_priced_minds(format_minds(walkers().minds).value(), "memory"));
  EXPECT_FALSE(parse_minds(format_priced_minds(priced).value(), "memory"));
}

TEST(Minds, SayWhatIsWrongWithAFile) {
  const auto other = load_minds(std::string(ELASTANE_MODELS) + "/lorenz.safetensors");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().find("expected minds of the maze"), std::string::npos);
  Minds minds = walkers().minds;
  minds.at("k0").head.bias.pop_back();
  const auto torn = parse_minds(format_minds(minds).value(), "memory");
  ASSERT_FALSE(torn);
  EXPECT_NE(torn.error().find("k0.head"), std::string::npos);
}

}  // namespace
}  // namespace elastane::maze
