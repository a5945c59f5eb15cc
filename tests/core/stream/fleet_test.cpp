// Tests of elastane/core/stream/fleet.cpp: a stream does not notice the company it is in.
#include "elastane/core/stream/fleet.h"

#include <gtest/gtest.h>

#include "elastane/core/stream/stream.h"
#include "tests/core/models.h"

namespace elastane {
namespace {

std::vector<std::byte> snapshot_of(const Fleet& fleet, int stream) {
  std::vector<std::byte> bytes(fleet.snapshot_bytes());
  fleet.snapshot(stream, bytes).value();
  return bytes;
}

// row t of stream i; every stream has inputs, gaps and times of its own
struct Rows3 {
  explicit Rows3(int streams, int t) {
    for (int i = 0; i < streams; ++i) {
      const auto row = Input{3, static_cast<std::uint64_t>(i)}(t + i);
      x.insert(x.end(), row.begin(), row.end());
      for (int c = 0; c < 3; ++c) present.push_back((t + i + c) % 5 == 0 ? 0 : 1);
      dt.push_back(i % 3 == 0 ? 1.0F : 0.25F * static_cast<float>(1 + (t + i) % 9));
    }
  }
  std::span<const float> row(int i) const { return std::span(x).subspan(static_cast<std::size_t>(i) * 3, 3); }
  std::span<const std::uint8_t> mask(int i) const {
    return std::span(present).subspan(static_cast<std::size_t>(i) * 3, 3);
  }

  std::vector<float> x, dt;
  std::vector<std::uint8_t> present;
};

class FleetOf : public testing::TestWithParam<int> {
 protected:
  const int streams = GetParam();
  const Model model = model_of(hybrid_config());
};

INSTANTIATE_TEST_SUITE_P(Size, FleetOf, testing::Values(1, 31, 32, 33, 100), testing::PrintToStringParamName());

TEST_P(FleetOf, EqualsSingleStreamsBitForBit) {
  Fleet fleet(model, streams);
  std::vector<Stream> singles(static_cast<std::size_t>(streams), Stream(model));
  for (int t = 0; t < 25; ++t) {
    const Rows3 rows(streams, t);
    AdvanceReport expected;
    for (int i = 0; i < streams; ++i) {
      Stream& single = singles[static_cast<std::size_t>(i)];
      if ((t + i) % 11 == 10) {
        single.reset();
        fleet.reset(i);
      }
      const AdvanceReport report = single.advance(rows.row(i), rows.mask(i), rows.dt[static_cast<std::size_t>(i)]);
      expected.missing += report.missing;
      expected.not_finite += report.not_finite;
    }
    const AdvanceReport report = fleet.advance(rows.x, rows.present, rows.dt);
    EXPECT_EQ(report.missing, expected.missing);
    EXPECT_EQ(report.not_finite, expected.not_finite);
    for (int i = 0; i < streams; ++i) {
      const Stream& single = singles[static_cast<std::size_t>(i)];
      ASSERT_TRUE(same_bits(fleet.output(i), single.output())) << "stream " << i << ", step " << t;
      ASSERT_EQ(fleet.position(i), single.position());
    }
  }
  for (int i = 0; i < streams; ++i) EXPECT_EQ(snapshot_of(fleet, i), snapshot_of(singles[static_cast<std::size_t>(i)]));
}

TEST_P(FleetOf, ExchangesSnapshotsWithStreams) {
  Fleet fleet(model, streams);
  for (int t = 0; t < 20; ++t) {
    const Rows3 rows(streams, t);
    fleet.advance(rows.x, rows.present, rows.dt);
  }
  // out of the fleet, on alone
  const int last = streams - 1;
  Stream single(model);
  ASSERT_TRUE(single.restore(snapshot_of(fleet, last)));
  EXPECT_EQ(single.position(), 20U);
  EXPECT_TRUE(same_bits(single.output(), fleet.output(last)));
  // and from a stream into the first place, the others undisturbed
  Stream guest(model);
  for (int t = 0; t < 33; ++t) guest.advance(Input{3, 77}(t));
  std::vector<std::vector<std::byte>> before;
  for (int i = 0; i < streams; ++i) before.push_back(snapshot_of(fleet, i));
  ASSERT_TRUE(fleet.restore(0, snapshot_of(guest)));
  EXPECT_EQ(fleet.position(0), 33U);
  EXPECT_TRUE(same_bits(fleet.output(0), guest.output()));
  for (int i = 1; i < streams; ++i) ASSERT_EQ(snapshot_of(fleet, i), before[static_cast<std::size_t>(i)]);

  for (int t = 20; t < 45; ++t) {
    const Rows3 rows(streams, t);
    fleet.advance(rows.x, rows.present, rows.dt);
    guest.advance(rows.row(0), rows.mask(0), rows.dt[0]);
    ASSERT_TRUE(same_bits(fleet.output(0), guest.output())) << t;
    if (last == 0) continue;
    single.advance(rows.row(last), rows.mask(last), rows.dt[static_cast<std::size_t>(last)]);
    ASSERT_TRUE(same_bits(fleet.output(last), single.output())) << t;
  }
}

TEST_P(FleetOf, CountsRowsThatAreNotThereAsMissing) {
  for (const int given : {0, 1, streams / 2, streams - 1}) {
    Fleet fleet(model, streams);
    const Rows3 rows(streams, 1);
    // the last row given is cut in the middle
    const std::size_t floats = given == 0 ? 0 : static_cast<std::size_t>(given) * 3 - 1;
    const AdvanceReport report = fleet.advance(std::span(rows.x).first(floats));
    int missing = 0;
    for (int i = 0; i < streams; ++i) {
      Stream single(model);
      const std::size_t first = static_cast<std::size_t>(i) * 3;
      const auto part = first < floats ? std::span(rows.x).first(floats).subspan(first) : std::span<const float>();
      missing += single.advance(part.first(std::min<std::size_t>(part.size(), 3))).missing;
      ASSERT_TRUE(same_bits(fleet.output(i), single.output())) << i << " of " << given << " given";
    }
    EXPECT_EQ(report.missing, missing);
    EXPECT_GE(report.missing, 3 * streams - static_cast<int>(floats));
  }
}

TEST_P(FleetOf, TakesAShortListOfTimesAsOneUnitForTheRest) {
  Fleet timed(model, streams), plain(model, streams);
  const Rows3 rows(streams, 1);
  timed.advance(rows.x, {}, std::vector<float>{1.0F});
  plain.advance(rows.x);
  EXPECT_TRUE(same_bits(timed.outputs(), plain.outputs()));
  EXPECT_TRUE(timed.advance(rows.x, {}, std::vector<float>{-1.0F}).time_ignored);
}

TEST_P(FleetOf, ResetsAllOrOne) {
  Fleet fleet(model, streams), fresh(model, streams);
  const Rows3 rows(streams, 0);
  fleet.advance(rows.x);
  fleet.reset(streams - 1);
  EXPECT_EQ(snapshot_of(fleet, streams - 1), snapshot_of(fresh, streams - 1));
  EXPECT_EQ(copy(fleet.output(streams - 1)), std::vector<float>(2));
  EXPECT_EQ(fleet.position(0), streams > 1 ? 1U : 0U);
  fleet.reset();
  for (int i = 0; i < streams; ++i) EXPECT_EQ(snapshot_of(fleet, i), snapshot_of(fresh, i));
  EXPECT_EQ(copy(fleet.outputs()), std::vector<float>(static_cast<std::size_t>(streams) * 2));
}

TEST(Fleet, StartsItsStreamsFromTheLearnedStart) {
  ModelConfig config = hybrid_config();
  config.learned_start = true;
  const Model model = model_of(config);
  const Fleet fleet(model, 3);
  const Stream stream(model);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(snapshot_of(fleet, i), snapshot_of(stream));
}

TEST(Fleet, RefusesSnapshotsOfStreamsItDoesNotHaveOrBytesThatDoNotFit) {
  const Model model = model_of(tiny_config());
  Fleet fleet(model, 2);
  fleet.advance(std::vector<float>{1.0F, 2.0F});
  std::vector<std::byte> bytes = snapshot_of(fleet, 1);
  for (const int stream : {-1, 2, 1000}) {
    const Status taken = fleet.snapshot(stream, bytes), put = fleet.restore(stream, bytes);
    ASSERT_FALSE(taken);
    ASSERT_FALSE(put);
    EXPECT_NE(taken.error().find("found stream " + std::to_string(stream)), std::string::npos) << taken.error();
    EXPECT_NE(put.error().find("found " + std::to_string(stream)), std::string::npos) << put.error();
  }
  std::vector<std::byte> cut(bytes.begin(), bytes.end() - 1);
  EXPECT_FALSE(fleet.snapshot(0, cut));
  const auto before = snapshot_of(fleet, 0);
  EXPECT_FALSE(fleet.restore(0, cut));
  bytes[70] ^= std::byte{1};
  EXPECT_FALSE(fleet.restore(0, bytes));
  EXPECT_FALSE(fleet.restore(0, snapshot_of(Stream(model_of(tiny_config(), 5)))));
  EXPECT_EQ(snapshot_of(fleet, 0), before);
}

TEST(Fleet, AStreamThatIsNotThereIsEmptyAndNothingIsReset) {
  Fleet fleet(model_of(tiny_config()), 2);
  fleet.advance(Rows3(2, 0).x);
  const auto before = snapshot_of(fleet, 1);
  for (const int stream : {-1, 2, 99}) {
    EXPECT_TRUE(fleet.output(stream).empty());
    EXPECT_EQ(fleet.position(stream), 0U);
    fleet.reset(stream);
  }
  EXPECT_EQ(snapshot_of(fleet, 1), before);
}

TEST(Fleet, IsCopiedAndMovedWhole) {
  const Model model = model_of(hybrid_config());
  Fleet fleet(model, 5);
  fleet.advance(Rows3(5, 0).x);
  Fleet fork = fleet;
  fork.advance(Rows3(5, 9).x);
  Fleet moved = std::move(fork);
  moved = fleet;
  for (int t = 1; t < 10; ++t) {
    fleet.advance(Rows3(5, t).x);
    moved.advance(Rows3(5, t).x);
    ASSERT_TRUE(same_bits(fleet.outputs(), moved.outputs()));
  }
}

TEST(Fleet, IsRefusedWithoutAStream) {
  const Model model = model_of(tiny_config());
  for (const int streams : {0, -1}) {
    const auto fleet = Fleet::create(model, streams);
    ASSERT_FALSE(fleet);
    EXPECT_NE(fleet.error().find("found " + std::to_string(streams)), std::string::npos) << fleet.error();
    EXPECT_ANY_THROW(Fleet(model, streams));
  }
  EXPECT_EQ(Fleet::create(model, 2).value().size(), 2);
}

}  // namespace
}  // namespace elastane
