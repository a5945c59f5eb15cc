// Tests of elastane/core/stream/corrected_fleet.cpp: corrected together, a stream is what it would be alone.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "elastane/core/stream/fleet.h"
#include "tests/core/models.h"

namespace elastane {
namespace {

// two threads, pieces in an order of their own
class TwoThreads final : public Runner {
 public:
  void run(int items, const WorkItem& item) override {
    std::atomic<int> next = 0;
    const auto work = [&](int worker) {
      for (int i = next++; i < items; i = next++) item(items - 1 - i, worker);
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    ran += items;
  }
  int ran = 0;
};

StreamOptions options_of(bool guarded, int history) {
  StreamOptions options;
  options.history = history;
  options.corrector = CorrectorOptions{};
  options.corrector->gate = {.kind = Gate::always, .depth = 2};
  if (guarded) options.guard.kind = GuardKind::switched;
  return options;
}

struct FleetCase {
  int streams;
  bool guarded;
  int history;
  bool threads;
};
class CorrectedFleetOf : public testing::TestWithParam<FleetCase> {};

TEST_P(CorrectedFleetOf, EqualsSingleStreamsBitForBit) {
  const auto [streams, guarded, history, threads] = GetParam();
  const Model model = model_of(hybrid_config());
  const StreamOptions options = options_of(guarded, history);
  CorrectedFleet fleet(model, streams, options, 2);
  std::vector<Stream> singles(static_cast<std::size_t>(streams), Stream(model, options));
  TwoThreads two;
  Runner* runner = threads ? &two : nullptr;
  const auto inputs = static_cast<std::size_t>(model.inputs()), outputs = static_cast<std::size_t>(model.outputs());
  int accepted = 0;
  for (int t = 0; t < 12; ++t) {
    std::vector<float> x, labels, dt;
    std::vector<std::uint8_t> present;
    for (int i = 0; i < streams; ++i) {
      const auto row = Input{model.inputs(), static_cast<std::uint64_t>(i)}(t + i);
      x.insert(x.end(), row.begin(), row.end());
      for (std::size_t c = 0; c < inputs; ++c) present.push_back((t + i + static_cast<int>(c)) % 5 == 0 ? 0 : 1);
      dt.push_back(i % 3 == 0 ? 1.0F : 0.5F);
      for (std::size_t j = 0; j < outputs; ++j) {
        labels.push_back((t + i) % 7 == 0 ? NAN : std::sin(0.3F * static_cast<float>(t + i) + static_cast<float>(j)));
      }
    }
    std::vector<StepReport> reports(static_cast<std::size_t>(streams));
    const AdvanceReport all = fleet.advance(x, present, dt, runner);
    fleet.observe(labels, Budget::macs(1e9), reports, runner);
    AdvanceReport expected;
    for (std::size_t i = 0; i < singles.size(); ++i) {
      const AdvanceReport one = singles[i].advance(std::span(x).subspan(i * inputs, inputs),
                                                   std::span(present).subspan(i * inputs, inputs), dt[i]);
      expected.missing += one.missing;
      expected.macs += one.macs;
      const StepReport corrected =
          singles[i].observe(std::span(labels).subspan(i * outputs, outputs), Budget::macs(1e9));
      const Stream& together = fleet.stream(static_cast<int>(i));
      ASSERT_TRUE(same_bits(together.output(), singles[i].output())) << t << ", stream " << i;
      ASSERT_TRUE(std::ranges::equal(together.state(), singles[i].state())) << t << ", stream " << i;
      ASSERT_EQ(reports[i].accepted, corrected.accepted);
      accepted += corrected.accepted;
    }
    EXPECT_EQ(all.missing, expected.missing);
    EXPECT_EQ(all.macs, expected.macs);
  }
  EXPECT_GT(accepted, 0);
  EXPECT_EQ(two.ran > 0, threads);
}
INSTANTIATE_TEST_SUITE_P(All, CorrectedFleetOf,
                         testing::Values(FleetCase{1, false, 0, false}, FleetCase{19, false, 0, false},
                                         FleetCase{19, false, 3, true}, FleetCase{17, true, 0, true}));

TEST(CorrectedFleet, StepsAsItAdvancesAndObserves) {
  const Model model = model_of(hybrid_config());
  CorrectedFleet apart(model, 11, options_of(false, 0)), at_once = apart;
  const std::vector<float> labels(static_cast<std::size_t>(11 * model.outputs()), 0.7F);
  for (int t = 0; t < 5; ++t) {
    const std::vector<float> x(static_cast<std::size_t>(11 * model.inputs()), 0.1F * static_cast<float>(t));
    std::vector<StepReport> reports(11);
    EXPECT_EQ(apart.advance(x).macs, at_once.step(x, labels, {}, reports).macs);
    apart.observe(labels);
    for (int i = 0; i < 11; ++i) {
      EXPECT_TRUE(std::ranges::equal(apart.stream(i).state(), at_once.stream(i).state()));
      EXPECT_GT(reports[static_cast<std::size_t>(i)].depth, 0);
    }
  }
}

TEST(CorrectedFleet, IsRefusedWithoutACorrectorOrStreamsOrWorkers) {
  const Model model = model_of(hybrid_config());
  const auto why = [&](int streams, const StreamOptions& options, int workers) {
    const auto fleet = CorrectedFleet::create(model, streams, options, workers);
    return fleet ? std::string() : fleet.error();
  };
  const StreamOptions corrected = options_of(false, 0);
  EXPECT_EQ(why(3, corrected, 1), "");
  EXPECT_NE(why(3, {}, 1).find("corrector: expected options of one"), std::string::npos);
  EXPECT_NE(why(0, corrected, 1).find("streams: expected 1 to"), std::string::npos);
  EXPECT_NE(why(3, corrected, -1).find("workers: expected 1 to"), std::string::npos);
  StreamOptions wrong = corrected;
  wrong.corrector->metric.rank = -3;
  EXPECT_NE(why(3, wrong, 1), "");
}

TEST(CorrectedFleet, CopiedGoesItsOwnWay) {
  const Model model = model_of(hybrid_config());
  CorrectedFleet fleet(model, 3, options_of(false, 0));
  const std::vector<float> x(static_cast<std::size_t>(3 * model.inputs()), 0.5F);
  fleet.advance(x);
  CorrectedFleet fork = fleet;
  fork.advance(x);
  EXPECT_EQ(fleet.stream(2).position(), 1U);
  EXPECT_EQ(fork.stream(2).position(), 2U);
  EXPECT_EQ(fork.size(), 3);
}

}  // namespace
}  // namespace elastane
