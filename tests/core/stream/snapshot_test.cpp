// Tests of elastane/core/stream/snapshot.cpp: restore equals never stopping, and everything else is refused.
#include "elastane/core/stream/snapshot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "elastane/core/base/checksum.h"
#include "elastane/core/network/network.h"
#include "tests/core/models.h"

namespace elastane {
namespace {

void run(Stream& stream, int first, int last) {
  for (int t = first; t < last; ++t)
    stream.advance(Input{stream.model().inputs()}(t), 0.5F + static_cast<float>(t % 3));
}

TEST(Snapshot, RestoredAtAnyPointContinuesAsIfItHadNeverStopped) {
  const Model model = model_of(hybrid_config());
  Stream straight(model);
  for (int position = 0; position <= 70; ++position) {
    const std::vector<std::byte> bytes = snapshot_of(straight);
    Stream other(model, {.history = 5});
    run(other, 200, 200 + position % 9);  // whatever it did before
    ASSERT_TRUE(other.restore(bytes)) << position;
    ASSERT_TRUE(same_state(other, straight)) << position;
    ASSERT_TRUE(same_bits(other.output(), straight.output())) << position;
    ASSERT_EQ(other.position(), static_cast<std::uint64_t>(position));
    ASSERT_EQ(snapshot_of(other), bytes) << position;
    Stream expected = straight;
    for (int t = position; t < position + 20; ++t) {
      run(other, t, t + 1);
      run(expected, t, t + 1);
      ASSERT_TRUE(same_bits(other.output(), expected.output())) << position << ", step " << t;
    }
    ASSERT_TRUE(same_state(other, expected)) << position;
    run(straight, position, position + 1);
  }
}

TEST(Snapshot, MovesBetweenInstructionSets) {
  const ModelConfig config = hybrid_config();
  const auto tensors = tensors_of(config);
  Stream best(Model::create(config, tensors).value());
  run(best, 0, 20);
  for (const Isa isa : kEachIsa) {
    const auto model = Model::create(config, tensors, {.isa = isa});
    if (!model) continue;
    Stream stream(*model);
    EXPECT_TRUE(stream.restore(snapshot_of(best))) << name(isa);
    EXPECT_TRUE(same_state(stream, best)) << name(isa);
  }
}

TEST(Snapshot, RestoreForgetsWhatCouldBeTakenBack) {
  const Model model = model_of(hybrid_config());
  Stream stream(model, {.history = 8});
  run(stream, 0, 20);
  const auto bytes = snapshot_of(stream);
  run(stream, 20, 25);
  ASSERT_TRUE(stream.restore(bytes));
  EXPECT_EQ(stream.rewindable(), 0);
  const Stream before = stream;
  EXPECT_FALSE(stream.rewind(1));
  EXPECT_TRUE(same_state(stream, before));
  // history begins again
  run(stream, 20, 23);
  ASSERT_TRUE(stream.rewind(3));
  EXPECT_TRUE(same_state(stream, before));
}

TEST(Snapshot, IsPossibleAfterGoingBack) {
  const Model model = model_of(hybrid_config());
  Stream stream(model, {.history = 8}), restored(model), straight(model);
  run(stream, 0, 30);
  ASSERT_TRUE(stream.rewind(6));
  ASSERT_TRUE(restored.restore(snapshot_of(stream)));
  run(straight, 0, 24);
  EXPECT_TRUE(same_state(restored, straight));
}

TEST(Snapshot, HasTheLayoutThatItsHeaderPromises) {
  Stream stream(model_of(tiny_config()));
  run(stream, 0, 3);
  const auto bytes = snapshot_of(stream);
  const SnapshotView view = read_snapshot(bytes).value();
  EXPECT_EQ(std::memcmp(bytes.data(), "ELASTSNP", 8), 0);
  EXPECT_EQ(view.header.version, 2U);
  EXPECT_EQ(view.header.fingerprint, stream.model().fingerprint());
  EXPECT_EQ(view.header.position, 3U);
  EXPECT_EQ(view.state.size(), stream.state().size());
  EXPECT_EQ(view.output.size(), sizeof(float));
  EXPECT_EQ(bytes.size(), snapshot_bytes(view.state.size(), view.output.size()));
}

TEST(Snapshot, NeedsExactlyTheRoomItAskedFor) {
  const Stream stream(model_of(tiny_config()));
  const std::size_t right = stream.snapshot_bytes();
  for (const std::size_t room : {std::size_t{0}, right - 1, right + 1}) {
    std::vector<std::byte> bytes(room, std::byte{7});
    const Status refused = stream.snapshot(bytes);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().find(std::to_string(right)), std::string::npos) << refused.error();
    EXPECT_EQ(bytes, std::vector<std::byte>(room, std::byte{7}));
  }
}

// --- what must be refused, with a reason, and leave the stream as it was

class DamagedSnapshot : public testing::Test {
 protected:
  void SetUp() override {
    run(source, 0, 5);
    bytes = snapshot_of(source);
    run(target, 30, 37);
  }

  // the reason, or "" if the snapshot was taken; whether the stream changed is checked here
  std::string reason(std::span<const std::byte> damaged) {
    const Stream before = target;
    const Status status = target.restore(damaged);
    if (status) return "";
    EXPECT_TRUE(same_state(target, before));
    EXPECT_TRUE(same_bits(target.output(), before.output()));
    EXPECT_EQ(target.rewindable(), before.rewindable());
    EXPECT_TRUE(status.error().starts_with("[snapshot] ")) << status.error();
    return status.error();
  }

  // a snapshot with another header and a checksum that fits it
  std::vector<std::byte> with_header(const std::function<void(SnapshotHeader&)>& change) const {
    std::vector<std::byte> changed = bytes;
    SnapshotHeader header;
    std::memcpy(&header, changed.data(), sizeof(header));
    change(header);
    std::memcpy(changed.data(), &header, sizeof(header));
    const std::uint32_t crc = crc32(std::span(changed).first(changed.size() - 4));
    std::memcpy(changed.data() + changed.size() - 4, &crc, 4);
    return changed;
  }

  Model model = model_of(tiny_config());
  Stream source{model}, target{model, {.history = 4}};
  std::vector<std::byte> bytes;
};

TEST_F(DamagedSnapshot, IsTakenWhenItIsNotDamaged) {
  EXPECT_EQ(reason(bytes), "");
  EXPECT_TRUE(same_state(source, target));
  EXPECT_EQ(reason(with_header([](SnapshotHeader&) {})), "");
}

TEST_F(DamagedSnapshot, IsRefusedAtEveryLengthButItsOwn) {
  for (std::size_t n = 0; n < bytes.size(); ++n) ASSERT_NE(reason(std::span(bytes).first(n)), "") << n;
  for (int extra = 0; extra < 70; ++extra) {
    bytes.push_back(std::byte{0});
    ASSERT_NE(reason(bytes), "") << extra;
  }
}

TEST_F(DamagedSnapshot, IsRefusedForEverySingleBit) {
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    ASSERT_NE(reason(bytes), "") << "bit " << bit;
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_EQ(reason(bytes), "");
}

TEST_F(DamagedSnapshot, SaysThatItIsEmptyOrCutShort) {
  EXPECT_NE(reason({}).find("found 0"), std::string::npos);
  EXPECT_NE(reason(std::span(bytes).first(bytes.size() - 1)).find("cut short"), std::string::npos);
  EXPECT_NE(reason(std::span(bytes).first(40)).find("cut short"), std::string::npos);
}

TEST_F(DamagedSnapshot, SaysThatItIsNotASnapshot) {
  const auto changed = with_header([](SnapshotHeader& h) { h.magic[3] = 'Z'; });
  EXPECT_NE(reason(changed).find("not a snapshot"), std::string::npos);
}

TEST_F(DamagedSnapshot, SaysWhichVersionItHas) {
  for (const std::uint32_t version : {0U, 1U, 4'000'000'000U}) {
    const std::string why = reason(with_header([&](SnapshotHeader& h) { h.version = version; }));
    EXPECT_NE(why.find("expected version 2, found " + std::to_string(version)), std::string::npos) << why;
  }
  EXPECT_NE(reason(with_header([](SnapshotHeader& h) { h.header_bytes = 128; })), "");
}

TEST_F(DamagedSnapshot, SaysThatTheChecksumDoesNotMatch) {
  bytes[100] ^= std::byte{1};
  EXPECT_NE(reason(bytes).find("checksum"), std::string::npos);
}

TEST_F(DamagedSnapshot, IsRefusedWhenItsStateIsNotFiniteThoughTheChecksumFits) {
  const StateLayout& layout = model.network().layout;
  const float nan = std::nanf("");
  for (const std::size_t part : {layout.last, layout.encoded, layout.dense, layout.size - sizeof(float)}) {
    std::memcpy(bytes.data() + sizeof(SnapshotHeader) + part, &nan, sizeof(nan));
    EXPECT_NE(reason(with_header([](SnapshotHeader&) {})).find("not finite"), std::string::npos) << part;
    bytes = snapshot_of(source);
  }
}

TEST_F(DamagedSnapshot, IsRefusedWhenItsSizesDoNotAddUpOrOverflow) {
  const std::uint64_t state = source.state().size();
  for (const auto& [state_bytes, output_bytes] : {std::pair(state - 4, std::uint64_t{8}),
                                                  {state + 4, 0},
                                                  {0, state + 4},
                                                  {~std::uint64_t{0}, 5},
                                                  {~std::uint64_t{0} - 3, state + 8},
                                                  {state, ~std::uint64_t{0}},
                                                  {std::uint64_t{1} << 63, std::uint64_t{1} << 63}}) {
    EXPECT_NE(reason(with_header([&](SnapshotHeader& h) {
                h.state_bytes = state_bytes;
                h.output_bytes = output_bytes;
              })),
              "")
        << state_bytes << " + " << output_bytes;
  }
}

TEST_F(DamagedSnapshot, SaysThatItIsOfAnotherModel) {
  ModelConfig zero_missing = tiny_config(), activated = tiny_config(), bilinear = tiny_config(), half = tiny_config();
  zero_missing.missing = Missing::zero;
  activated.blocks[0].post = Activation::tanh;
  std::get<S4dConfig>(bilinear.blocks[0].kind).discretisation = Discretisation::bilinear;
  half.weights = Precision::bfloat16;
  std::vector<Model> others = {model_of(tiny_config(), 2)};
  for (const ModelConfig& config : {zero_missing, activated, bilinear, half}) others.push_back(model_of(config));
  for (const Model& other : others) {
    Stream stream(other);
    ASSERT_EQ(stream.snapshot_bytes(), bytes.size());
    run(stream, 0, 5);
    EXPECT_NE(reason(snapshot_of(stream)).find("another model"), std::string::npos);
  }
  // a model of other sizes
  Stream large(model_of(hybrid_config()));
  EXPECT_NE(reason(snapshot_of(large)), "");
}

}  // namespace
}  // namespace elastane
