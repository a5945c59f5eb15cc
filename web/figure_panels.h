// Panels side by side in one SVG picture: the frame of every episode figure.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace elastane::web {

// the micro-steps of a step: K = 0, 1, 2, 3 and more; as in player/player.js
inline constexpr std::array kDepthColours = {"#b4bfca", "#6aa9e9", "#2f6fd0", "#6d28c9"};
inline const char* depth_colour(int depth) {
  return kDepthColours[static_cast<std::size_t>(std::clamp(depth, 0, static_cast<int>(kDepthColours.size()) - 1))];
}

// sizes in pixels
struct PanelLayout {
  double width = 300, height = 300;  // of a panel
  double gap = 18, top = 44, bottom = 34;
};

// one agent's drawing, in its own coordinates, (0, 0) at its upper left
struct Panel {
  std::string name;
  bool success = false;
  int steps = 0;
  std::string drawing;
};

using Key = std::vector<std::pair<std::string, std::string>>;  // colour, text

// `definitions` are drawn by the panels; `done` says what success is: "home in 92 steps"
std::string figure_panels(const PanelLayout& layout, const std::string& label, const std::string& definitions,
                          const std::vector<Panel>& panels, const std::string& done, Key key);

}  // namespace elastane::web
