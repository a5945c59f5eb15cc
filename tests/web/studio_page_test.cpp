// web/studio_page.cpp
#include "web/studio_page.h"

#include <gtest/gtest.h>

namespace elastane::web {
namespace {

TEST(StudioPage, FilesHaveTheirTypesAndNothingElseIsThere) {
  EXPECT_TRUE(studio_file("/studio").text.starts_with("<!doctype html>"));
  EXPECT_TRUE(studio_file("/studio.js").type.starts_with("text/javascript"));
  EXPECT_TRUE(studio_file("/studio.css").type.starts_with("text/css"));
  EXPECT_TRUE(studio_file("/other").type.empty());
  // the policy allows neither scripts nor styles inside of the page
  const std::string page(studio_file("/studio").text);
  EXPECT_EQ(page.find("<style"), std::string::npos);
  EXPECT_EQ(page.find("<script>"), std::string::npos);
}

TEST(StudioPage, NoLineOfARunEndsTheElementThatHoldsIt) {
  const std::string page = recorded_studio(R"({"id":"</script><script>alert(1)</script>"})");
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>"), std::string::npos);
}

}  // namespace
}  // namespace elastane::web
