#include <algorithm>

#include "lab/benchmark/recording_json.h"
#include "lab/images/recording.h"

namespace elastane::images {
namespace {

using benchmark::column;
using benchmark::OrderedJson;

std::string digits(const std::vector<std::uint8_t>& values) {
  std::string text;
  for (const std::uint8_t value : values) text += static_cast<char>('0' + value);
  return text;
}

// a digit per pixel, from dark to bright
std::string brightness(std::span<const float> pixels) {
  std::string text;
  for (const float pixel : pixels) text += static_cast<char>('0' + static_cast<int>(9 * std::clamp(pixel, 0.0F, 1.0F)));
  return text;
}

OrderedJson as_json(const ImagesAgent& agent) {
  OrderedJson json = benchmark::agent_head(agent);
  json["classes"] = column(agent.steps, [](const ImagesStep& s) { return OrderedJson(digits(s.classes)); });
  json["proven"] = column(agent.steps, [](const ImagesStep& s) { return OrderedJson(digits(s.proven)); });
  return json;
}

}  // namespace

std::string ImagesRecording::json() const {
  OrderedJson pictures = OrderedJson::array();
  for (int i = 0; i < shown.count(); ++i) pictures.push_back(brightness(shown.image(i)));
  return benchmark::page_text({{"world", "images"},
                               {"seed", seed},
                               {"episode", episode},
                               {"title", title},
                               {"story", summary},
                               {"side", side},
                               {"pictures", pictures},
                               {"labels", digits(shown.labels)},
                               {"agents", column(agents, as_json)}});
}

}  // namespace elastane::images
