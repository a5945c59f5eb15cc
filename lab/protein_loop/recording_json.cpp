#include "lab/benchmark/recording_json.h"
#include "lab/protein_loop/recording.h"

namespace elastane::protein_loop {
namespace {

using benchmark::agent_head;
using benchmark::column;
using benchmark::number;
using benchmark::OrderedJson;

// x, y, z of one residue after another
OrderedJson trace_of(const std::vector<Vec3>& trace) {
  OrderedJson out = OrderedJson::array();
  for (const Vec3& p : trace) {
    for (const double v : {p.x, p.y, p.z}) out.push_back(number(v, 1e-2));
  }
  return out;
}

OrderedJson as_json(const LoopAgent& a) {
  OrderedJson json = agent_head(a);
  json["trace"] = column(a.steps, [](const LoopStep& t) { return trace_of(t.trace); });
  json["gap"] = column(a.steps, [](const LoopStep& t) { return number(t.gap, 1e-2); });
  return json;
}

}  // namespace

std::string LoopRecording::json() const {
  return benchmark::page_text({{"world", "protein_loop"},
                               {"seed", seed},
                               {"episode", episode},
                               {"title", title},
                               {"story", summary},
                               {"sequence", sequence},
                               {"loop", {loop_first, loop_last}},
                               {"lead", lead},
                               {"native", trace_of(native)},
                               {"agents", column(agents, [](const LoopAgent& a) { return as_json(a); })}});
}

}  // namespace elastane::protein_loop
