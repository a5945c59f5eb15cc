// elastane/serve/nats/row_spool.cpp
#include "elastane/serve/nats/row_spool.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/serve/small_service.h"

namespace elastane::serve {
namespace {

constexpr RowSpoolOptions kSmallFiles{.file_bytes = 300, .keep_seconds = 0};

// ten batches of two rows, of two streams in turn
void fill(RowSpool& spool) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    spool.append(small_batch(i % 2 == 0 ? "even" : "odd", i / 2 * 2 + 1, 2));
    ASSERT_TRUE(spool.commit());
  }
}

std::vector<std::pair<std::string, std::uint64_t>> first_rows(const RowSpool& spool) {
  std::vector<std::pair<std::string, std::uint64_t>> found;
  EXPECT_TRUE(spool.read([&](const RowBatch& rows) -> Status {
    found.emplace_back(rows.id, rows.first);
    return {};
  }));
  return found;
}

TEST(RowSpool, RowsComeBackInOrderFromAllItsFiles) {
  const TestFolder folder;
  std::vector<std::pair<std::string, std::uint64_t>> before;
  {
    RowSpool spool = RowSpool::open(folder.path(), kSmallFiles).value();
    fill(spool);
    EXPECT_GT(spool.files(), 2U);
    before = first_rows(spool);
    ASSERT_EQ(before.size(), 10U);
  }
  const RowSpool again = RowSpool::open(folder.path(), kSmallFiles).value();
  EXPECT_EQ(first_rows(again), before);
}

TEST(RowSpool, RowsOfOneStreamAreFoundByTheirNumbers) {
  const TestFolder folder;
  RowSpool spool = RowSpool::open(folder.path(), kSmallFiles).value();
  fill(spool);
  const auto found = spool.rows("odd", 4, 6).value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].first, 3U);
  EXPECT_EQ(found[1].last(), 6U);
  EXPECT_EQ(found[0].values, small_batch("odd", 3, 2).values);
  EXPECT_TRUE(spool.rows("other", 1, 9).value().empty());
}

TEST(RowSpool, AFileStaysUntilAllItsRowsAreConfirmed) {
  const TestFolder folder;
  RowSpool spool = RowSpool::open(folder.path(), kSmallFiles).value();
  fill(spool);
  const std::size_t files = spool.files();
  ASSERT_TRUE(spool.remove_old([](const std::string& id) { return std::uint64_t{id == "even" ? 100U : 0U}; }));
  EXPECT_EQ(spool.files(), files);
  ASSERT_TRUE(spool.remove_old([](const std::string&) { return 4; }));
  const auto left = first_rows(spool);
  EXPECT_LT(spool.files(), files);
  EXPECT_LE(left.front().second, 5U);  // rows beyond 4 are all there
  ASSERT_TRUE(spool.remove_old([](const std::string&) { return 100; }));
  EXPECT_EQ(spool.files(), 1U);  // it still grows
}

TEST(RowSpool, TheLastRowOfASilentStreamStays) {
  const TestFolder folder;
  {
    RowSpool spool = RowSpool::open(folder.path(), kSmallFiles).value();
    spool.append(small_batch("silent", 7, 3));
    ASSERT_TRUE(spool.commit());
    for (int round = 0; round < 3; ++round) {
      fill(spool);
      ASSERT_TRUE(spool.remove_old([](const std::string&) { return 100; }));
    }
    EXPECT_LE(spool.files(), 2U);
  }
  const RowSpool again = RowSpool::open(folder.path(), kSmallFiles).value();
  const auto found = again.rows("silent", 1, 100).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].first, 9U);
  EXPECT_EQ(found[0].values, small_batch("silent", 9, 1).values);
}

TEST(RowSpool, TheFileOfAnEarlierProgramIsTakenOver) {
  const TestFolder folder;
  {
    AppendLog log = AppendLog::open(folder.path() + "/spool.log").value();
    log.append(to_bytes(small_batch("a", 1, 2)));
    ASSERT_TRUE(log.write());
  }
  const RowSpool spool = RowSpool::open(folder.path()).value();
  EXPECT_EQ(spool.rows("a", 1, 2).value().size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/spool.log"));
}

TEST(RowSpool, AFileIsKeptForItsTime) {
  const TestFolder folder;
  RowSpool spool = RowSpool::open(folder.path(), {.file_bytes = 300, .keep_seconds = 3600}).value();
  fill(spool);
  const std::size_t files = spool.files();
  ASSERT_TRUE(spool.remove_old([](const std::string&) { return 100; }));
  EXPECT_EQ(spool.files(), files);
}

TEST(RowSpool, OtherFilesAreLeftAloneAndASecondProcessIsRefused) {
  const TestFolder folder;
  for (const char* name : {"spool-.log", "spool-000000.log", "spool-1x.log", "notes"}) {
    std::ofstream(folder.path() + "/" + name) << "not a spool";
  }
  const RowSpool spool = RowSpool::open(folder.path()).value();
  EXPECT_EQ(spool.files(), 1U);
  EXPECT_NE(RowSpool::open(folder.path()).error().find("another process"), std::string::npos);
  EXPECT_FALSE(RowSpool::open(folder.path() + "/notes"));
}

}  // namespace
}  // namespace elastane::serve
