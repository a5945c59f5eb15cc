#include "web/player_page.h"

#include <fmt/format.h>

#include <stdexcept>

#include "player_files.h"  // made by cmake/embed.cmake
#include "web/page.h"

namespace elastane::web {

std::string player_page(const std::string& title, const std::string& json, const std::vector<std::string>& scripts) {
  std::string world;
  for (const std::string& name : scripts) {
    const char* script = player::find(name + "_js");
    if (script == nullptr) throw std::runtime_error(fmt::format("[page] unknown script \"{}\" of web/player", name));
    world += script;
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<noscript>This page is an animation and needs JavaScript.</noscript>\n"
      "<script id=\"episode\" type=\"application/json\">{}</script>\n"
      "<script>\n{}</script>\n<script>\n{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
      escaped(title), player::style_css, json, std::string(player::drawing_js) + player::strips_js + player::player_js,
      world, player::start_js);
}

}  // namespace elastane::web
