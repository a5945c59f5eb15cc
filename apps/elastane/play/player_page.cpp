#include "apps/elastane/play/player_page.h"

#include <fmt/format.h>

#include "lab/benchmark/recording_json.h"
#include "player_files.h"  // made by cmake/embed.cmake
#include "web/page.h"

namespace elastane::app {
namespace {

std::string assembled(const std::string& title, const std::string& json, const std::string& world) {
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

}  // namespace

std::string player_page(const benchmark::NavigationRecording& recording) {
  return assembled(recording.title, benchmark::to_json(recording),
                   std::string(player::gauges_js) + player::ground_js + player::navigation_js);
}

std::string player_page(const benchmark::PeptideRecording& recording) {
  return assembled(recording.title, benchmark::to_json(recording),
                   std::string(player::superpose_js) + player::chain_js + player::torsion_plot_js + player::peptide_js);
}

std::string player_page(const benchmark::MazeRecording& recording) {
  return assembled(recording.title, benchmark::to_json(recording), player::maze_js);
}

std::string player_page(const benchmark::LoopRecording& recording) {
  return assembled(recording.title, benchmark::to_json(recording),
                   std::string(player::superpose_js) + player::chain_js + player::protein_loop_js);
}

}  // namespace elastane::app
