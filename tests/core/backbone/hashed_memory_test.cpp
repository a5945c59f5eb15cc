// Tests of elastane/core/backbone/hashed_memory.cpp: values of many ids in a table of fixed size.
#include "elastane/core/backbone/hashed_memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

struct Table {
  explicit Table(const HashedMemory& with) : memory(with), floats(static_cast<std::size_t>(with.floats())) {
    memory.start(floats.data());
  }
  double write(std::uint64_t id, double value) {
    const auto seen = static_cast<float>(value);
    float before = 0;
    memory.write(id, &seen, floats.data(), &before);
    return before;
  }
  double recall(std::uint64_t id) const {
    float value = 0;
    memory.recall(id, floats.data(), &value);
    return value;
  }
  HashedMemory memory;
  std::vector<float> floats;
};

TEST(HashedMemory, ATableIsTheMeanOfWhatItSaw) {
  Table table({.slots = 10, .touched = 1, .noise = 0.5, .exact = true});
  Random random(1);
  double sum = 0;
  for (int t = 1; t <= 50; ++t) {
    const double value = random.normal();
    table.write(3, value);
    sum += value;
    EXPECT_NEAR(table.recall(3), sum / (t + 0.5), 1e-4) << "the prior has variance 1, an observation .5";
  }
  EXPECT_EQ(table.recall(4), 0);
}

TEST(HashedMemory, FewIdsInManySlotsAreRecalledLikeInATable) {
  Table hashed({.slots = 4096, .touched = 4, .noise = 0.09});
  Random random(2);
  std::vector<double> truth(300);
  for (double& x : truth) x = random.normal();
  double error = 0;
  for (int t = 0; t < 30'000; ++t) {
    const int id = random.below(300);
    const double e =
        hashed.write(static_cast<std::uint64_t>(id), truth[static_cast<std::size_t>(id)] + 0.3 * random.normal()) -
        truth[static_cast<std::size_t>(id)];
    error += t >= 15'000 ? e * e / 15'000 : 0.0;
  }
  EXPECT_LT(error, 0.01);
}

TEST(HashedMemory, MoreIdsThanSlotsShareThemAndStayFinite) {
  Table table({.slots = 4, .touched = 4, .noise = 0.09, .alarm = 3});
  EXPECT_EQ(table.recall(1), table.recall(2));
  for (std::uint64_t id = 0; id < 1000; ++id) table.write(id, id % 2 == 0 ? 1.0 : -1.0);
  EXPECT_EQ(table.recall(1), table.recall(99)) << "one value between them";
  for (const float value : table.floats) EXPECT_TRUE(std::isfinite(value) && std::fabs(value) < 4);
}

TEST(HashedMemory, AnAlarmFollowsAChangeAtOnce) {
  for (const double alarm : {0.0, 4.0}) {
    Table table({.slots = 64, .touched = 4, .noise = 0.01, .alarm = alarm});
    for (int t = 0; t < 100; ++t) table.write(7, 1);
    table.write(7, -1);
    EXPECT_EQ(table.recall(7) < -0.9, alarm > 0);
  }
}

TEST(HashedMemory, AValueThatIsNotFiniteChangesNothing) {
  Table table({.slots = 16, .touched = 2});
  table.write(5, 0.5);
  const std::vector<float> before = table.floats;
  for (const double bad : {std::nan(""), static_cast<double>(INFINITY), -static_cast<double>(INFINITY)})
    table.write(5, bad);
  EXPECT_EQ(table.floats, before);
}

TEST(HashedMemory, WithoutASlotForEachPartNothingIsKept) {
  for (const auto& [slots, touched] : {std::pair{0, 4}, std::pair{3, 4}, std::pair{16, 0}, std::pair{0, 0}}) {
    Table table({.slots = slots, .touched = touched});
    const std::vector<float> before = table.floats;
    EXPECT_EQ(table.write(5, 0.5), 0) << slots << ", " << touched;
    EXPECT_EQ(table.recall(5), 0) << slots << ", " << touched;
    EXPECT_EQ(table.floats, before);
  }
}

}  // namespace
}  // namespace elastane
