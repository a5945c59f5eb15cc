// elastane/serve/append_log.cpp
#include "elastane/serve/append_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/serve/small_service.h"

namespace elastane::serve {
namespace {

std::vector<std::byte> payload(int i) { return std::vector<std::byte>(static_cast<std::size_t>(i % 50), std::byte(i)); }

std::vector<int> sizes(const AppendLog& log) {
  std::vector<int> found;
  EXPECT_TRUE(log.read(0, log.size(), [&](std::uint64_t, std::span<const std::byte> bytes) -> Status {
    found.push_back(static_cast<int>(bytes.size()));
    return {};
  }));
  return found;
}

TEST(AppendLog, ARecordThatWasCutAnywhereIsRemovedAndTheOthersStay) {
  const TestFolder folder;
  const std::string path = folder.path() + "/log";
  std::uint64_t last = 0, end = 0;
  {
    auto log = AppendLog::open(path).value();
    for (int i = 1; i <= 20; ++i) last = log.append(payload(i));
    ASSERT_TRUE(log.write());
    ASSERT_TRUE(log.sync());
    end = log.size();
  }
  for (std::uint64_t length = end; length-- > last;) {
    std::filesystem::resize_file(path, length);
    const auto log = AppendLog::open(path).value();
    EXPECT_EQ(log.size(), last);
    EXPECT_EQ(sizes(log).size(), 19U);
  }
  auto log = AppendLog::open(path).value();
  const std::uint64_t position = log.append(payload(7));
  ASSERT_TRUE(log.write());
  EXPECT_EQ(log.read_one(position).value(), payload(7));
}

TEST(AppendLog, DamageInTheMiddleIsNotTakenForAnEnd) {
  const TestFolder folder;
  const std::string path = folder.path() + "/log";
  {
    auto log = AppendLog::open(path).value();
    for (int i = 10; i <= 20; ++i) log.append(payload(i));
    ASSERT_TRUE(log.write());
  }
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(20).put('x');
  EXPECT_FALSE(AppendLog::open(path));
  std::ofstream(path, std::ios::trunc) << "something else";
  EXPECT_FALSE(AppendLog::open(path));
}

TEST(AppendLog, TwoWritersAndTooManyBytesAreRefused) {
  const TestFolder folder;
  auto log = AppendLog::open(folder.path() + "/log", 100).value();
  EXPECT_FALSE(AppendLog::open(folder.path() + "/log"));
  log.append(payload(49));
  ASSERT_TRUE(log.write());
  const auto size = log.size();
  log.append(payload(49));
  EXPECT_FALSE(log.write());
  EXPECT_EQ(log.size(), size);
  EXPECT_EQ(sizes(log).size(), 1U);
}

}  // namespace
}  // namespace elastane::serve
