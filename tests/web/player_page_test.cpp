// web/player_page.h
#include "web/player_page.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace elastane::web {
namespace {

TEST(PlayerPage, HoldsTheTitleTheEpisodeAndTheScripts) {
  const std::string page = player_page("<b>", "{\"seed\": 1}", {"gauges"});
  EXPECT_NE(page.find("<title>&lt;b&gt;</title>"), std::string::npos);
  EXPECT_NE(page.find("<script id=\"episode\" type=\"application/json\">{\"seed\": 1}</script>"), std::string::npos);
  EXPECT_GT(page.size(), player_page("<b>", "{\"seed\": 1}", {}).size());
}

TEST(PlayerPage, AnUnknownScriptIsNamed) {
  try {
    player_page("", "{}", {"chess"});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("unknown script \"chess\""), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace elastane::web
