#include "lab/benchmark/recording_json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace elastane::benchmark {
namespace {

using Json = nlohmann::ordered_json;

// four digits are less than a pixel; what is not finite is not there
Json number(double value, double unit = 1e-4) {
  if (!std::isfinite(value)) return nullptr;
  const double rounded = std::round(value / unit);
  return std::abs(rounded) < 1e15 ? Json(rounded / std::round(1 / unit)) : Json(value);
}

// losses span many orders of magnitude: four significant digits, by way of text so that they stay four
Json significant(double value) {
  if (!std::isfinite(value)) return nullptr;
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4).ptr;
  double rounded = 0;
  std::from_chars(text.data(), end, rounded);
  return rounded;
}

Json pair(Place p) { return {number(p.x), number(p.y)}; }
Json disc(const Round& d) { return {number(d.centre.x), number(d.centre.y), number(d.radius)}; }

// one value a step, under a name
template <class Steps, class Value>
Json column(const Steps& steps, Value value) {
  Json out = Json::array();
  for (const auto& step : steps) out.push_back(value(step));
  return out;
}

template <class Agent>
Json agent_head(const Agent& agent) {
  const Caption& c = agent.caption;
  const auto& s = agent.steps;
  return {{"name", c.name},
          {"what", c.what},
          {"success", c.success},
          {"steps", c.steps},
          {"violations", c.violations},
          {"depth", column(s, [](const auto& t) { return Json(t.moment.depth); })},
          {"radius", column(s, [](const auto& t) { return significant(t.moment.radius); })},
          {"before", column(s, [](const auto& t) { return significant(t.moment.loss_before); })},
          {"after", column(s, [](const auto& t) { return significant(t.moment.loss_after); })},
          {"violation", column(s, [](const auto& t) { return Json(t.moment.violation ? 1 : 0); })}};
}

template <class Items, class Value>
Json list(const Items& items, Value value) {
  return column(items, value);
}

Json numbers(const std::vector<double>& values, double unit = 1e-4) {
  return list(values, [&](double v) { return number(v, unit); });
}

Json as_json(const NavigationAgent& agent) {
  Json json = agent_head(agent);
  json["position"] = column(agent.steps, [](const NavigationStep& s) { return pair(s.position); });
  json["position"].push_back(pair(agent.end));
  json["plan"] = column(agent.steps, [](const NavigationStep& s) { return list(s.plan, pair); });
  json["rays"] = column(agent.steps, [](const NavigationStep& s) { return numbers(s.rays, 1e-3); });
  return json;
}

Json as_json(const PeptideAgent& agent) {
  Json json = agent_head(agent);
  const auto& s = agent.steps;
  const auto rough = [](double v) { return number(v, 1e-2); };
  json["atoms"] = column(s, [&](const PeptideStep& t) {
    Json flat = Json::array();
    for (const Vector3& r : t.atoms) {
      for (const double v : r) flat.push_back(rough(v));
    }
    return flat;
  });
  json["torsions"] = column(s, [&](const PeptideStep& t) {
    return list(t.torsions, [&](const auto& both) { return Json{rough(both[0]), rough(both[1])}; });
  });
  json["clashes"] = column(s, [](const PeptideStep& t) { return Json(t.clashes); });
  json["distance"] = column(s, [&](const PeptideStep& t) { return rough(t.distance); });
  json["contact"] = column(s, [](const PeptideStep& t) { return significant(t.contact); });
  json["clash"] = column(s, [](const PeptideStep& t) { return significant(t.clash); });
  json["ramachandran"] = column(s, [](const PeptideStep& t) { return significant(t.ramachandran); });
  json["smooth"] = column(s, [](const PeptideStep& t) { return significant(t.smooth); });
  return json;
}

Json pair(MazeCell c) { return {c.x, c.y}; }

Json as_json(const MazeAgent& agent) {
  Json json = agent_head(agent);
  json["position"] = column(agent.steps, [](const MazeStep& s) { return pair(s.position); });
  json["position"].push_back(pair(agent.end));
  json["lengths"] = column(agent.steps, [](const MazeStep& s) { return Json(s.lengths); });
  json["heat"] = numbers(agent.heat, 1e-2);
  return json;
}

// x, y, z of one residue after another
Json trace_of(const std::vector<Vector3>& trace) {
  Json out = Json::array();
  for (const Vector3& p : trace) {
    for (const double v : p) out.push_back(number(v, 1e-2));
  }
  return out;
}

Json as_json(const LoopAgent& a) {
  Json json = agent_head(a);
  json["trace"] = column(a.steps, [](const LoopStep& t) { return trace_of(t.trace); });
  json["gap"] = column(a.steps, [](const LoopStep& t) { return number(t.gap, 1e-2); });
  return json;
}

// in a page no "</script>" may appear, whatever a caption says
std::string written(const Json& json) {
  std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace), safe;
  for (const char c : text) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

}  // namespace

std::string to_json(const NavigationRecording& r) {
  Json json = {
      {"world", "navigation"},
      {"seed", r.seed},
      {"episode", r.episode},
      {"title", r.title},
      {"story", r.story},
      {"columns", r.columns},
      {"heights", numbers(r.heights, 1e-3)},
      {"walls", list(r.walls,
                     [](const Wall& w) {
                       return Json{number(w.from.x), number(w.from.y), number(w.to.x), number(w.to.y), number(w.half)};
                     })},
      {"discs", list(r.discs, disc)},
      {"dragged", nullptr},
      {"moving", list(r.moving, [](const auto& discs) { return list(discs, disc); })},
      {"events", list(r.events,
                      [](const Event& e) {
                        return Json{{"at", e.at}, {"text", e.text}};
                      })},
      {"wind", list(r.wind,
                    [](Place w) {
                      return Json{significant(w.x), significant(w.y)};
                    })},
      {"start", pair(r.start)},
      {"goal", pair(r.goal)},
      {"goal_radius", r.goal_radius},
      {"body", r.body},
      {"range", r.range},
      {"agents", list(r.agents, [](const NavigationAgent& a) { return as_json(a); })}};
  if (r.dragged) {
    json["dragged"] = {{"radius", number(r.dragged->radius)},
                       {"from", pair(r.dragged->from)},
                       {"to", pair(r.dragged->to)},
                       {"at", r.dragged->at}};
  }
  return written(json);
}

std::string to_json(const PeptideRecording& r) {
  return written(
      {{"world", "peptide"},
       {"seed", r.seed},
       {"episode", r.episode},
       {"title", r.title},
       {"story", r.story},
       {"sequence", r.sequence},
       {"atoms", list(r.atoms,
                      [](const PeptideAtom& a) {
                        return Json{{"element", std::string(1, a.element)}, {"name", a.name}, {"residue", a.residue}};
                      })},
       {"bonds", r.bonds},
       {"contacts", list(r.contacts,
                         [](const PeptideContact& c) {
                           return Json{{"at", c.at}, {"i", c.i}, {"j", c.j}, {"goal", c.goal}};
                         })},
       {"bins", r.ramachandran_bins},
       {"allowed", numbers(r.ramachandran, 1e-2)},
       {"agents", list(r.agents, [](const PeptideAgent& a) { return as_json(a); })}});
}

std::string to_json(const MazeRecording& r) {
  return written({{"world", "maze"},
                  {"seed", r.seed},
                  {"episode", r.episode},
                  {"title", r.title},
                  {"story", r.story},
                  {"width", r.width},
                  {"height", r.height},
                  {"walls", r.walls},
                  {"doors", list(r.doors,
                                 [](const MazeDoor& d) {
                                   return Json{d.cell.x, d.cell.y, d.closed_before ? 1 : 0, d.closed_after ? 1 : 0};
                                 })},
                  {"change_at", r.change_at},
                  {"start", pair(r.start)},
                  {"goal", pair(r.goal)},
                  {"shortest", number(r.shortest)},
                  {"agents", list(r.agents, [](const MazeAgent& a) { return as_json(a); })}});
}

std::string to_json(const LoopRecording& r) {
  return written({{"world", "protein_loop"},
                  {"seed", r.seed},
                  {"episode", r.episode},
                  {"title", r.title},
                  {"story", r.story},
                  {"sequence", r.sequence},
                  {"loop", {r.loop_first, r.loop_last}},
                  {"lead", r.lead},
                  {"native", trace_of(r.native)},
                  {"agents", list(r.agents, [](const LoopAgent& a) { return as_json(a); })}});
}

}  // namespace elastane::benchmark
