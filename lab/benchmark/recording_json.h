// Recordings as JSON, for the player page: columns of numbers, rounded to what a screen can show.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/benchmark/recording.h"

namespace elastane::benchmark {

using OrderedJson = nlohmann::ordered_json;

// four digits are less than a pixel; what is not finite becomes null
OrderedJson number(double value, double unit = 1e-4);
OrderedJson numbers(const std::vector<double>& values, double unit = 1e-4);
// losses span many orders of magnitude: four significant digits
OrderedJson significant(double value);

// one value per step, or per item
template <class Items, class Value>
OrderedJson column(const Items& items, Value value) {
  OrderedJson out = OrderedJson::array();
  for (const auto& item : items) out.push_back(value(item));
  return out;
}

// what the page needs of every agent: its caption and the moments of its steps
template <class Agent>
OrderedJson agent_head(const Agent& agent) {
  const Caption& c = agent.caption;
  const auto& s = agent.steps;
  return {{"name", c.name},
          {"what", c.what},
          {"success", c.success},
          {"steps", c.steps},
          {"violations", c.violations},
          {"depth", column(s, [](const auto& t) { return OrderedJson(t.moment.depth); })},
          {"radius", column(s, [](const auto& t) { return significant(t.moment.radius); })},
          {"before", column(s, [](const auto& t) { return significant(t.moment.loss_before); })},
          {"after", column(s, [](const auto& t) { return significant(t.moment.loss_after); })},
          {"violation", column(s, [](const auto& t) { return OrderedJson(t.moment.violation ? 1 : 0); })}};
}

// as text that a page can hold: no "</script>" in it, whatever a caption says
std::string page_text(const OrderedJson& json);

}  // namespace elastane::benchmark
