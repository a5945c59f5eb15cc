// Tests of elastane/io/file.cpp: whole files or none.
#include "elastane/io/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>
#include <vector>

#include "tests/io/folder.h"
#include "tests/io/small_disk.h"

namespace elastane {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(WriteFile, GivesBackWhatWasWritten) {
  const Folder folder;
  std::string text(100'000, 'x');
  text[50] = '\0';
  for (const std::string& content : {text, std::string("short"), std::string()}) {
    ASSERT_TRUE(write_file(folder / "a", bytes_of(content)));
    EXPECT_EQ(read_text(folder / "a"), content);
    EXPECT_EQ(text_of(FileContent::open(folder / "a").value().bytes()), content);
    EXPECT_EQ(folder.files(), 1);
  }
}

TEST(WriteFile, LeavesTheOldFileAndNothingElseWhenTheDiskIsFull) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder / "a", bytes_of("old")));
  Status status;
  {
    const SmallDisk full(1000);
    status = write_file(folder / "a", bytes_of(std::string(100'000, 'x')));
  }
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().starts_with("[file] " + (folder / "a") + ": cannot write: ")) << status.error();
  EXPECT_EQ(read_text(folder / "a"), "old");
  EXPECT_EQ(folder.files(), 1);
}

TEST(WriteFile, LeavesNothingWhenThereWasNothingAndTheDiskIsFull) {
  const Folder folder;
  {
    const SmallDisk full(10);
    EXPECT_FALSE(write_file(folder / "a", bytes_of("more than ten bytes")));
  }
  EXPECT_EQ(folder.files(), 0);
}

TEST(WriteFile, SaysWhyAFolderCannotBeWritten) {
  const Folder folder;
  write_text(folder / "file", "x");
  for (const std::string& path :
       {folder / "missing/a", folder / "file/a", std::string("/proc/elastane-test"), std::string()}) {
    const Status status = write_file(path, bytes_of("new"));
    ASSERT_FALSE(status) << path;
    EXPECT_TRUE(status.error().starts_with("[file] " + path)) << status.error();
  }
  EXPECT_EQ(folder.files(), 1);
  EXPECT_EQ(read_text(folder / "file"), "x");
}

TEST(WriteFile, LeavesNothingWhenTheTargetIsAFolder) {
  const Folder folder;
  std::filesystem::create_directory(folder / "sub");
  ASSERT_FALSE(write_file(folder / "sub", bytes_of("new")));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "sub"));
  EXPECT_EQ(folder.files(), 1);
}

TEST(WriteFile, DoesNotReplaceDevicesOrPipes) {
  // a pipe, like /dev/full or /dev/stdout, must not silently become a plain file
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const Status status = write_file(folder / "pipe", bytes_of("new"));
  EXPECT_FALSE(status);
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
  EXPECT_EQ(folder.files(), 1);
}

TEST(FileContent, SaysWhyItCannotBeOpened) {
  const Folder folder;
  for (const std::string& path : {folder / "missing", folder.path(), std::string("/dev/null"), std::string()}) {
    const auto file = FileContent::open(path);
    ASSERT_FALSE(file) << path;
    EXPECT_TRUE(file.error().starts_with("[file] " + path + ": ")) << file.error();
  }
  EXPECT_NE(FileContent::open(folder / "missing").error().find("No such file"), std::string::npos);
  EXPECT_NE(FileContent::open(folder.path()).error().find("expected a file"), std::string::npos);
}

TEST(FileContent, IsMovedNotCopied) {
  const Folder folder;
  write_text(folder / "a", "first");
  write_text(folder / "b", "second");
  FileContent a = FileContent::open(folder / "a").value();
  FileContent b = FileContent::open(folder / "b").value();
  FileContent moved = std::move(a);
  EXPECT_EQ(text_of(moved.bytes()), "first");
  moved = std::move(b);
  EXPECT_EQ(text_of(moved.bytes()), "second");
}

TEST(FileContent, KeepsTheOldContentWhileTheFileIsReplaced) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder / "a", bytes_of("old content")));
  const FileContent old = FileContent::open(folder / "a").value();
  ASSERT_TRUE(write_file(folder / "a", bytes_of("new")));
  EXPECT_EQ(text_of(old.bytes()), "old content");
  EXPECT_EQ(read_text(folder / "a"), "new");
}

TEST(WriteFile, KeepsTheModeOfTheFile) {
  const Folder folder;
  write_text(folder / "a", "old");
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0600), 0);
  ASSERT_TRUE(write_file(folder / "a", bytes_of("new")));
  struct stat info {};
  ASSERT_EQ(::stat((folder / "a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST(WriteFile, WritesWhatALinkNamesAndKeepsTheLink) {
  const Folder folder;
  write_text(folder / "real", "old");
  std::filesystem::create_symlink("real", folder / "link");
  ASSERT_TRUE(write_file(folder / "link", bytes_of("new")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_text(folder / "real"), "new");
}

TEST(WriteFile, RefusesLinksInALoop) {
  const Folder folder;
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");
  EXPECT_TRUE(write_file(folder / "a", bytes_of("new")).error().starts_with("[file] " + (folder / "a")));
}

TEST(WriteFile, ToleratesNoLinkUnderAnOldTemporaryName) {
  const Folder folder;
  write_text(folder / "victim", "precious");
  const std::string partial = folder / ("s.partial-" + std::to_string(::getpid()) + "-0");
  std::filesystem::create_symlink("victim", partial);
  ASSERT_TRUE(write_file(folder / "s", bytes_of("new")));
  EXPECT_EQ(read_text(folder / "victim"), "precious");
}

TEST(CheckWritable, SaysBeforeTheWorkThatAFolderIsMissing) {
  const Folder folder;
  EXPECT_TRUE(check_writable(folder / "a"));
  EXPECT_TRUE(check_writable("a"));
  EXPECT_NE(check_writable(folder / "missing/a").error().find("expected a folder"), std::string::npos);
}

TEST(FileContent, IsNotKeptWaitingByAPipe) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(FileContent::open(folder / "pipe").error().find("expected a file"), std::string::npos);
}

TEST(FileContent, SurvivesAFileThatIsCutWhileItIsUsed) {
  const Folder folder;
  write_text(folder / "a", std::string(1 << 20, 'x'));
  const FileContent file = FileContent::open(folder / "a").value();
  std::filesystem::resize_file(folder / "a", 10);
  EXPECT_EQ(text_of(file.bytes()), std::string(1 << 20, 'x'));
}

}  // namespace
}  // namespace elastane
