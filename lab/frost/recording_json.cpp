#include "lab/benchmark/recording_json.h"
#include "lab/frost/recording.h"

namespace elastane::frost {
namespace {

using benchmark::column;
using benchmark::OrderedJson;

// one digit per cell
template <class Values, class Digit>
std::string digits(const Values& values, Digit digit) {
  std::string text;
  for (const auto& value : values) text += static_cast<char>('0' + digit(value));
  return text;
}

OrderedJson as_json(const CellsAgent& agent) {
  OrderedJson json = benchmark::agent_head(agent);
  json["classes"] = column(agent.steps, [](const CellsStep& s) {
    return OrderedJson(digits(s.classes, [](std::uint8_t c) { return static_cast<int>(c); }));
  });
  json["level"] = column(agent.steps, [](const CellsStep& s) {
    return OrderedJson(digits(s.level, [](double level) { return static_cast<int>(9 * level + 0.5); }));
  });
  json["settled"] = agent.settled;
  json["certified"] = agent.certified;
  return json;
}

}  // namespace

std::string CellsRecording::json() const {
  std::string free, start;
  for (std::size_t i = 0; i < cells.labels.size(); ++i) {
    free += cells.features[2 * i] > 0 ? '1' : '0';
    start += cells.features[2 * i + 1] > 0 ? '1' : '0';
  }
  return benchmark::page_text({{"world", "frost"},
                               {"seed", seed},
                               {"episode", episode},
                               {"title", title},
                               {"story", summary},
                               {"task", cells.task == Task::grid ? "grid" : "parity"},
                               {"rows", cells.rows},
                               {"cols", cells.cols},
                               {"free", free},
                               {"start", start},
                               {"labels", digits(cells.labels, [](std::uint8_t c) { return static_cast<int>(c); })},
                               {"agents", column(agents, as_json)}});
}

}  // namespace elastane::frost
