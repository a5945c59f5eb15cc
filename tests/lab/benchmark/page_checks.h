// What tests of recordings check on every page and figure.
#pragma once

#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "lab/benchmark/recording.h"
#include "web/player_page.h"

namespace elastane::benchmark {

inline std::string page_of(const Recording& r) { return web::player_page(r.title, r.json(), r.scripts()); }

// the JSON that a page holds
inline nlohmann::json episode_of(const std::string& page) {
  const std::string from = "<script id=\"episode\" type=\"application/json\">";
  const std::size_t begin = page.find(from) + from.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

// needs no other file and no network
inline void expect_self_contained(std::string text) {
  text = std::regex_replace(text, std::regex("xmlns=\"http://www.w3.org/2000/svg\""), "");
  for (const char* foreign : {"http://", "https://", "src=", "@import", "<link", "url(//", "fetch(", "XMLHttp"}) {
    EXPECT_EQ(text.find(foreign), std::string::npos) << foreign;
  }
}

inline std::ptrdiff_t count_of(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator());
}

inline void expect_whole_svg(const std::string& svg) {
  EXPECT_EQ(count_of(svg, "<g[ >]"), count_of(svg, "</g>"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

inline void expect_refused(const Recording& recording, const std::string& why) {
  const Status status = recording.validate();
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().find(why), std::string::npos) << status.error();
}

}  // namespace elastane::benchmark
