// lab/navigation/play.h: the options of a custom site, and what they refuse.
#include "lab/navigation/play.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "tests/io/folder.h"
#include "tests/paths.h"

namespace elastane::navigation {
namespace {

// the recording that `elastane play navigation` would show with these options
lab::RecordingPointer played(std::vector<const char*> arguments) {
  const auto custom = custom_site();
  command_line::Command program("play", "");
  custom->declare(program);
  lab::RecordingPointer recording;
  program.action([&] {
    EXPECT_EQ(custom->is_wanted(), arguments.size() > 1);
    recording = custom->record(ELASTANE_MODELS, {.agents = {"frozen"}});
    return 0;
  });
  arguments.insert(arguments.begin(), "play");
  EXPECT_EQ(command_line::parse_and_run(program, static_cast<int>(arguments.size()), arguments.data()), 0);
  return recording;
}

TEST(CustomSite, IsReadFromItsFileWithAStart) {
  const Folder folder;
  const std::string path = folder / "site.json";
  std::ofstream(path) << R"({"dock": [0.9, 0.5]})";
  const auto recording = played({"--site", path.c_str(), "--start", "0.1,0.5"});
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->source, path);
  EXPECT_TRUE(recording->validate());
  EXPECT_EQ(recording->captions().size(), 1U);
}

TEST(CustomSite, AStartNeedsASite) { EXPECT_THROW(played({"--start", "0.1,0.5"}), std::runtime_error); }

}  // namespace
}  // namespace elastane::navigation
