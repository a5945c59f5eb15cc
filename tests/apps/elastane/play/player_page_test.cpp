// Tests apps/elastane/play/player_page.cpp, the figures of episodes, and elastane/worlds/benchmark/recording*.cpp.
#include "web/player_page.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/apps/elastane/play/recordings.h"

namespace elastane::app {
namespace {

using benchmark::made_up_maze;
using benchmark::made_up_navigation;
using benchmark::made_up_peptide;
using Json = nlohmann::json;

std::string player_page(const benchmark::Recording& r) { return app::player_page(r.title, r.json(), r.scripts()); }
std::string episode_figure(const benchmark::Recording& r) { return r.figure(); }

// what stands between two texts
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

Json episode_of(const std::string& page) {
  return Json::parse(between(page, "<script id=\"episode\" type=\"application/json\">", "</script>"));
}

void expect_self_contained(std::string text) {
  text = std::regex_replace(text, std::regex("xmlns=\"http://www.w3.org/2000/svg\""), "");
  for (const char* foreign : {"http://", "https://", "src=", "@import", "<link", "url(//", "fetch(", "XMLHttp"}) {
    EXPECT_EQ(text.find(foreign), std::string::npos) << foreign;
  }
}

std::ptrdiff_t count_of(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator());
}

TEST(PlayerPage, NeedsNoOtherFileAndNoNetwork) {
  expect_self_contained(player_page(made_up_navigation()));
  expect_self_contained(player_page(made_up_peptide()));
  expect_self_contained(player_page(made_up_maze()));
  expect_self_contained(episode_figure(made_up_navigation()));
  expect_self_contained(episode_figure(made_up_peptide()));
  expect_self_contained(episode_figure(made_up_maze()));
}

TEST(PlayerPage, IsSmall) {
  EXPECT_LT(player_page(made_up_navigation()).size(), 2'000'000U);
  EXPECT_LT(player_page(made_up_peptide()).size(), 2'000'000U);
  EXPECT_LT(episode_figure(made_up_navigation()).size(), 400'000U);
  EXPECT_LT(episode_figure(made_up_peptide()).size(), 400'000U);
}

TEST(PlayerPage, HoldsTheEpisodeAsItWas) {
  const auto recording = made_up_navigation();
  const Json episode = episode_of(player_page(recording));
  EXPECT_EQ(episode["world"], "navigation");
  EXPECT_EQ(episode["agents"].size(), 3U);
  EXPECT_EQ(episode["heights"].size(), 48U * 48U);
  EXPECT_EQ(episode["dragged"]["at"], 38);
  EXPECT_EQ(episode["events"][0]["text"], "rays fail");
  EXPECT_EQ(episode["wind"].size(), 140U);
  const Json& agent = episode["agents"][2];
  EXPECT_EQ(agent["position"].size(), recording.agents[2].steps.size() + 1);
  EXPECT_NEAR(agent["position"][40][0].get<double>(), recording.agents[2].steps[40].position.x, 1e-4);
  EXPECT_EQ(agent["plan"][3].size(), 8U);
  EXPECT_EQ(agent["rays"][3].size(), 24U);
  EXPECT_EQ(agent["depth"][45], recording.agents[2].steps[45].moment.depth);

  const auto fold = made_up_peptide();
  const Json peptide = episode_of(player_page(fold));
  EXPECT_EQ(peptide["agents"][0]["atoms"][7].size(), 150U);
  EXPECT_EQ(peptide["agents"][0]["torsions"][7].size(), 10U);
  EXPECT_EQ(peptide["contacts"][1]["at"], 56);

  const Json maze = episode_of(player_page(made_up_maze()));
  EXPECT_EQ(maze["world"], "maze");
  EXPECT_EQ(maze["doors"][0], Json({4, 1, 1, 0}));
  EXPECT_EQ(maze["agents"][1]["position"].size(), 11U);
  EXPECT_EQ(maze["agents"][1]["lengths"][0].size(), 27U);
  EXPECT_EQ(maze["agents"][1]["heat"][12], 2.0);
  EXPECT_TRUE(maze["agents"][1]["heat"][0].is_null());
}

TEST(PlayerPage, WhatIsNotFiniteIsLeftOut) {
  auto recording = made_up_navigation();
  recording.agents[0].steps[0].rays[0] = std::numeric_limits<double>::quiet_NaN();
  recording.agents[0].steps[0].moment.loss_before = std::numeric_limits<double>::infinity();
  const Json episode = episode_of(player_page(recording));
  EXPECT_TRUE(episode["agents"][0]["rays"][0][0].is_null());
  EXPECT_TRUE(episode["agents"][0]["before"][0].is_null());
}

TEST(PlayerPage, ACaptionCannotEndTheScript) {
  auto recording = made_up_navigation();
  recording.agents[0].caption.what = "</script><script>alert(1)</script>";
  recording.title = "<b>\xff";
  const std::string page = player_page(recording);
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(episode_of(page)["agents"][0]["what"], "</script><script>alert(1)</script>");
}

TEST(EpisodeFigure, DrawsAPanelAnAgent) {
  const std::string navigation = episode_figure(made_up_navigation()), peptide = episode_figure(made_up_peptide());
  const std::string maze = episode_figure(made_up_maze());
  EXPECT_EQ(count_of(maze, "there in 10 steps"), 2);
  EXPECT_EQ(count_of(navigation, "<use href=\"#ground\"/>"), 3);
  EXPECT_EQ(count_of(navigation, "home in 92 steps"), 2);
  EXPECT_EQ(count_of(peptide, ">start: "), 3);
  for (const std::string& svg : {navigation, peptide, maze}) {
    EXPECT_EQ(count_of(svg, "<g[ >]"), count_of(svg, "</g>"));
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
  }
}

TEST(Recording, WhatDoesNotFitTogetherIsNamed) {
  const auto expect_refused = [](const auto& recording, const std::string& why) {
    const Status status = recording.validate();
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().find(why), std::string::npos) << status.error();
  };
  EXPECT_TRUE(made_up_navigation().validate());
  EXPECT_TRUE(made_up_peptide().validate());
  EXPECT_TRUE(made_up_maze().validate());
  auto walk = made_up_maze();
  walk.agents[1].heat.pop_back();
  expect_refused(walk, "esm, heat: expected 27, found 26");
  auto drive = made_up_navigation();
  drive.heights.pop_back();
  expect_refused(drive, "heights: expected 2304, found 2303");
  drive = made_up_navigation();
  drive.agents[1].steps.clear();
  expect_refused(drive, "euclidean: expected a step at least");
  expect_refused(navigation::NavigationRecording{}, "agents: expected one at least");
  auto fold = made_up_peptide();
  fold.agents[0].steps[3].atoms.pop_back();
  expect_refused(fold, "frozen, atoms: expected 50, found 49");
  fold = made_up_peptide();
  fold.contacts[0].j = 10;
  expect_refused(fold, "contacts: expected residues that there are");
  fold = made_up_peptide();
  fold.bonds.push_back({0, 50});
  expect_refused(fold, "bonds: expected atoms that there are");
}

}  // namespace
}  // namespace elastane::app
