#include "lab/benchmark/recording_json.h"
#include "lab/recall/recording.h"

namespace elastane::recall {
namespace {

using benchmark::column;
using benchmark::OrderedJson;

// one text per head and query: a letter per block of keys, "-" not read, else its weight in tenths, "a" for nearly all
std::string cells(const Reading& r, int head, int t, int block) {
  std::string text;
  for (int b = 0; b <= t / block; ++b) {
    const float mass = r.mass[r.at(head, t, b)];
    text += r.read[r.at(head, t, b)] == 0 ? '-'
            : mass >= 0.95F               ? 'a'
                                          : static_cast<char>('0' + static_cast<int>(mass * 10));
  }
  return text;
}

OrderedJson as_json(const PromptAgent& agent, int block) {
  OrderedJson json = benchmark::agent_head(agent);
  json["accuracy"] = benchmark::number(agent.accuracy);
  json["share"] = benchmark::number(agent.share);
  json["answer"] = column(agent.steps, [](const PromptStep& s) { return OrderedJson(s.answer); });
  OrderedJson heads = OrderedJson::array();
  for (const Reading& r : agent.readings) {
    for (int head = 0; head < r.heads; ++head) {
      OrderedJson rows = OrderedJson::array();
      for (int t = 0; t < r.length; ++t) rows.push_back(cells(r, head, t, block));
      heads.push_back(rows);
    }
  }
  json["heads"] = heads;
  json["layers"] = agent.readings.size();
  return json;
}

}  // namespace

std::string PromptRecording::json() const {
  return benchmark::page_text({{"world", "attention"},
                               {"seed", seed},
                               {"episode", episode},
                               {"title", title},
                               {"story", summary},
                               {"block", block},
                               {"task", kTaskNames[static_cast<std::size_t>(prompt.task)]},
                               {"label", column(prompt.steps, [](const Step& s) { return OrderedJson(s.label); })},
                               {"kind", column(prompt.steps,
                                               [](const Step& s) {
                                                 return OrderedJson(s.marker >= 0 ? "instruction"
                                                                    : s.query     ? "query"
                                                                    : s.needle    ? "needle"
                                                                    : s.key >= 0  ? "record"
                                                                                  : "");
                                               })},
                               {"agents", column(agents, [&](const PromptAgent& a) { return as_json(a, block); })}});
}

}  // namespace elastane::recall
