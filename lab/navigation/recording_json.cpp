#include "lab/benchmark/recording_json.h"
#include "lab/navigation/recording.h"

namespace elastane::navigation {
namespace {

using benchmark::agent_head;
using benchmark::column;
using benchmark::number;
using benchmark::numbers;
using benchmark::OrderedJson;
using benchmark::significant;

OrderedJson pair(Vec2 p) { return {number(p.x), number(p.y)}; }
OrderedJson disc(const Disc& d) { return {number(d.centre.x), number(d.centre.y), number(d.radius)}; }

OrderedJson as_json(const NavigationAgent& agent) {
  OrderedJson json = agent_head(agent);
  json["position"] = column(agent.steps, [](const NavigationStep& s) { return pair(s.position); });
  json["position"].push_back(pair(agent.end));
  json["plan"] = column(agent.steps, [](const NavigationStep& s) { return column(s.plan, pair); });
  json["rays"] = column(agent.steps, [](const NavigationStep& s) { return numbers(s.rays, 1e-3); });
  return json;
}

}  // namespace

std::string NavigationRecording::json() const {
  OrderedJson out = {
      {"world", "navigation"},
      {"seed", seed},
      {"episode", episode},
      {"title", title},
      {"story", summary},
      {"columns", columns},
      {"heights", numbers(heights, 1e-3)},
      {"walls",
       column(walls,
              [](const Barrier& w) {
                return OrderedJson{number(w.from.x), number(w.from.y), number(w.to.x), number(w.to.y), number(w.half)};
              })},
      {"discs", column(discs, disc)},
      {"dragged", nullptr},
      {"moving", column(moving, [](const auto& there) { return column(there, disc); })},
      {"events", column(events,
                        [](const benchmark::Event& e) {
                          return OrderedJson{{"at", e.at}, {"text", e.text}};
                        })},
      {"wind", column(wind,
                      [](Vec2 w) {
                        return OrderedJson{significant(w.x), significant(w.y)};
                      })},
      {"start", pair(start)},
      {"goal", pair(goal)},
      {"goal_radius", goal_radius},
      {"body", body},
      {"range", range},
      {"agents", column(agents, [](const NavigationAgent& a) { return as_json(a); })}};
  if (dragged) {
    out["dragged"] = {{"radius", number(dragged->radius)},
                      {"from", pair(dragged->from)},
                      {"to", pair(dragged->to)},
                      {"at", dragged->at}};
  }
  return benchmark::page_text(out);
}

}  // namespace elastane::navigation
