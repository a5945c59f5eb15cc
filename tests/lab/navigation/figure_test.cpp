// lab/navigation/figure.cpp: the figure has a panel for each agent and marks contacts.
#include <gtest/gtest.h>

#include "lab/navigation/recording.h"

namespace elastane::navigation {
namespace {

NavigationRecording recorded() {
  NavigationRecording r;
  r.title = "A title";
  r.columns = 2;
  r.heights = {0, 1, 0, 1};
  r.dragged = Dragged{.radius = 0.05, .from = {0.1, 0.1}, .to = {0.5, 0.5}, .at = 1};
  NavigationAgent agent{.caption = {.name = "frozen", .what = "as it is", .steps = 2}};
  agent.steps = {{.moment = {.violation = true}, .position = {0.1, 0.2}}, {.position = {0.2, 0.2}}};
  agent.end = {0.3, 0.2};
  r.agents = {agent, agent};
  return r;
}

TEST(NavigationFigure, HasAPanelForEachAgentAndMarksContacts) {
  const std::string figure = recorded().figure();
  EXPECT_EQ(figure.find("<svg"), 0U);
  EXPECT_NE(figure.find("A title"), std::string::npos);
  std::size_t panels = 0, contacts = 0;
  for (std::size_t at = figure.find("<use"); at != std::string::npos; at = figure.find("<use", at + 1)) ++panels;
  for (std::size_t at = figure.find("stroke=\"#d32f2f\""); at != std::string::npos;
       at = figure.find("stroke=\"#d32f2f\"", at + 1)) {
    ++contacts;
  }
  EXPECT_EQ(panels, 2U);
  EXPECT_EQ(contacts, 2U);
}

}  // namespace
}  // namespace elastane::navigation
