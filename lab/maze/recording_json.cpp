#include "lab/benchmark/recording_json.h"
#include "lab/maze/recording.h"

namespace elastane::maze {
namespace {

using benchmark::agent_head;
using benchmark::column;
using benchmark::number;
using benchmark::numbers;
using benchmark::OrderedJson;

OrderedJson pair(Cell c) { return {c.x, c.y}; }

OrderedJson as_json(const MazeAgent& agent) {
  OrderedJson json = agent_head(agent);
  json["position"] = column(agent.steps, [](const MazeStep& s) { return pair(s.position); });
  json["position"].push_back(pair(agent.end));
  json["lengths"] = column(agent.steps, [](const MazeStep& s) { return OrderedJson(s.lengths); });
  json["heat"] = numbers(agent.heat, 1e-2);
  return json;
}

}  // namespace

std::string MazeRecording::json() const {
  return benchmark::page_text(
      {{"world", "maze"},
       {"seed", seed},
       {"episode", episode},
       {"title", title},
       {"story", summary},
       {"width", width},
       {"height", height},
       {"walls", walls},
       {"doors", column(doors,
                        [](const MazeDoor& d) {
                          return OrderedJson{d.cell.x, d.cell.y, d.closed_before ? 1 : 0, d.closed_after ? 1 : 0};
                        })},
       {"change_at", change_at},
       {"start", pair(start)},
       {"goal", pair(goal)},
       {"shortest", number(shortest)},
       {"agents", column(agents, [](const MazeAgent& a) { return as_json(a); })}});
}

}  // namespace elastane::maze
