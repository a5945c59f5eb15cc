// Tests of elastane/core/network/prefill.h, .cpp and _setup.cpp, and of Stream::prefill: a prompt layer by layer.
#include "elastane/core/network/prefill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "tests/core/elastic.h"

namespace elastane {
namespace {

// a prompt in any pieces equals its steps: outputs, state and cost
void expect_as_steps(const ModelConfig& config, int rows, int capacity, int pieces = 1) {
  const Model model = model_of(config);
  Stream steps(model), prompt(model, {.prefill_rows = capacity});
  const std::vector<float> x = rows_of(0, rows, config.inputs);
  std::vector<float> expected(static_cast<std::size_t>(rows * config.outputs)), found(expected);
  const std::int64_t macs = steps.advance_chunk(x, expected).macs;
  std::int64_t taken = 0;
  const auto at = [&](int row, int width) { return static_cast<std::size_t>(row * width); };
  for (int i = 0; i < pieces; ++i) {
    const int first = rows * i / pieces, last = rows * (i + 1) / pieces;
    taken += prompt
                 .prefill(std::span(x).subspan(at(first, config.inputs), at(last - first, config.inputs)),
                          std::span(found).subspan(at(first, config.outputs), at(last - first, config.outputs)))
                 .macs;
  }
  EXPECT_TRUE(same_bits(found, expected)) << rows << " rows, " << capacity << " at once";
  EXPECT_TRUE(same_state(prompt, steps));
  EXPECT_TRUE(same_bits(prompt.output(), steps.output()));
  EXPECT_EQ(taken, macs);
}

TEST(Prefill, EqualsStepsWithTheSameModesBitForBit) {  // E4
  for (const std::vector<HeadMode>& modes : std::vector<std::vector<HeadMode>>{{}, {kStream, kFull, kStream}}) {
    for (const int rows : {1, 5, 16, 17, 100, 333}) {
      for (const int capacity : {1, 20, 64, 512}) expect_as_steps(elastic_config(modes), rows, capacity);
    }
    expect_as_steps(elastic_config(modes), 200, 128, 7);
  }
}

TEST(Prefill, EqualsStepsForEveryKindOfBlock) {
  expect_as_steps(hybrid_config(), 150, 100);
  for (const BlockKind& kind : all_kinds()) expect_as_steps(one_block(kind), 70, 40);
  for (const BlockKind& kind : memory_kinds()) expect_as_steps(one_block(kind), 70, 40);
}

TEST(Prefill, WithoutRoomIsAChunk) { expect_as_steps(elastic_config(), 100, 0); }

TEST(Prefill, HeadsThatChooseReadEverythingInShortPromptsOrAtAThresholdOfOne) {  // E8
  const Model model = model_of(elastic_config({kBlocks, kBlocks, kFull}, 512));
  const std::vector<float> x = rows_of(0, 300);
  Stream full(model_of(elastic_config({}, 512)), {.prefill_rows = 512});
  full.prefill(x);
  for (const PrefillOptions& options : {PrefillOptions{}, PrefillOptions{.threshold = 1.0, .least_rows = 1}}) {
    Stream chosen(model, {.prefill_rows = 512});
    chosen.prefill(x, {}, options);
    EXPECT_TRUE(same_bits(chosen.output(), full.output()));
  }
}

TEST(Prefill, ReportsTheDensityOfWhatWasChosenAndTheShareThatWasLeftOut) {
  const Model model = model_of(elastic_config({kBlocks, kBlocks, kBlocks}, 512));
  const std::vector<float> x = rows_of(0, 500);
  std::int64_t before = 0;
  for (const double threshold : {0.2, 0.6, 0.95, 1.0}) {
    Stream stream(model, {.prefill_rows = 512});
    const BlockReport report = stream.prefill(x, {}, {.threshold = threshold, .least_rows = 1}).blocks[0];
    EXPECT_LE(report.blocks_read, report.blocks_seen);
    EXPECT_LE(static_cast<double>(report.left_out), 1e6 * (1 - threshold) + 1);
    EXPECT_GE(report.blocks_read, before) << "more with a higher threshold";
    before = report.blocks_read;
    EXPECT_TRUE(threshold > 0.9 || report.blocks_read < report.blocks_seen);
  }
}

// items in any order, on two threads
class Shuffled final : public Runner {
 public:
  void run(int items, const WorkItem& item) override {
    std::vector<int> order(static_cast<std::size_t>(items));
    for (int i = 0; i < items; ++i) order[static_cast<std::size_t>(i)] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    std::atomic<int> next = 0;
    const auto work = [&](int worker) {
      for (int i = next++; i < items; i = next++) item(order[static_cast<std::size_t>(i)], worker);
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    ran += items;
  }
  int ran = 0;
};

TEST(Prefill, DoesNotDependOnThreadsOrTheOrderOfItems) {  // E5
  const Model model = model_of(elastic_config({kStream, kFull, kBlocks}, 512));
  const std::vector<float> x = rows_of(0, 400);
  Stream one(model, {.prefill_rows = 256}), two(model, {.prefill_rows = 256, .prefill_workers = 2});
  Shuffled runner;
  const std::int64_t macs = one.prefill(x, {}, {.least_rows = 1}).macs;
  EXPECT_EQ(two.prefill(x, {}, {.least_rows = 1, .runner = &runner}).macs, macs);
  EXPECT_TRUE(same_state(one, two));
  EXPECT_TRUE(same_bits(one.output(), two.output()));
  EXPECT_GT(runner.ran, 0);
}

TEST(Prefill, ARouterDecidesForTheWholePromptAndTheResultEqualsThoseModes) {  // the paper's form
  const Model model = model_of(elastic_config({}, 256));
  const std::vector<float> x = rows_of(0, 200);
  bool streams = false, mixed = false;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    Stream routed(model, {.router = random_router(model, seed), .prefill_rows = 256});
    std::vector<float> found(400), expected(400);
    routed.prefill(x, found);
    ModelConfig config = elastic_config({}, 256);
    for (const int block : {0, 2}) {
      auto& modes = std::get<AttentionConfig>(config.blocks[static_cast<std::size_t>(block)].kind).modes;
      for (int head = 0; head < 3; ++head) modes.push_back(routed.head_mode(block, head));
      streams |= std::ranges::count(modes, kStream) > 0;
      mixed |= std::ranges::count(modes, kStream) == 1 || std::ranges::count(modes, kStream) == 2;
    }
    Stream fixed(model_of(config));
    fixed.advance_chunk(x, expected);
    EXPECT_TRUE(same_bits(found, expected)) << seed;
  }
  EXPECT_TRUE(streams && mixed);
}

TEST(Prefill, ForgetsTheHistory) {
  Stream stream(model_of(elastic_config()), {.history = 4, .prefill_rows = 64});
  for (int t = 0; t < 4; ++t) stream.advance(Input{3}(t));
  stream.prefill(rows_of(4, 30));
  EXPECT_EQ(stream.rewindable(), 0);
  EXPECT_EQ(stream.position(), 34u);
}

}  // namespace
}  // namespace elastane
