// Tests of lab/frost/recording.cpp: what a page shows of a recursion, its JSON and its figure.
#include "lab/frost/recording.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/frost/cells.h"

namespace elastane::frost {
namespace {

CellsRecording recorded(Task task) {
  const ModelConfig config = cells_config(task, task == Task::grid ? 8 : 12);
  const ModelFile file{.config = config, .tensors = random_tensors(config, 2), .metadata = {}};
  CellsRecording r = record(file, task, 6, {.seed = 3, .episode = 1, .agents = {"half"}});
  return r;
}

TEST(CellsRecording, HasAStepForEveryIterationAndSaysWhenCellsSettled) {
  for (const Task task : {Task::grid, Task::parity}) {
    const CellsRecording r = recorded(task);
    ASSERT_TRUE(r.validate());
    ASSERT_EQ(r.agents.size(), 1U);
    const CellsAgent& agent = r.agents[0];
    EXPECT_EQ(static_cast<int>(agent.steps.size()), agent.caption.steps);
    for (std::size_t i = 0; i < agent.settled.size(); ++i) {
      EXPECT_LE(agent.settled[i], agent.caption.steps);
      if (agent.settled[i] > 0) {
        EXPECT_EQ(agent.steps[static_cast<std::size_t>(agent.settled[i] - 1)].classes[i],
                  agent.steps.back().classes[i]);
      }
    }
    const auto json = nlohmann::json::parse(r.json());
    EXPECT_EQ(json["world"], "frost");
    EXPECT_EQ(json["free"].get<std::string>().size(), static_cast<std::size_t>(r.cells.cells()));
    EXPECT_EQ(json["agents"][0]["classes"].size(), agent.steps.size());
    EXPECT_NE(r.figure().find("<svg"), std::string::npos);
  }
}

TEST(CellsRecording, SaysWhatIsMissing) {
  EXPECT_FALSE(record("no_such_folder", {.seed = 1, .episode = 0, .agents = {}}));
  EXPECT_FALSE(record("no_such_folder", {.seed = 1, .episode = -1, .agents = {}}));
  CellsRecording r = recorded(Task::grid);
  r.agents[0].steps[0].classes.pop_back();
  EXPECT_FALSE(r.validate());
}

}  // namespace
}  // namespace elastane::frost
