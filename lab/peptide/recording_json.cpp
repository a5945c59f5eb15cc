#include "lab/benchmark/recording_json.h"
#include "lab/peptide/recording.h"

namespace elastane::peptide {
namespace {

using benchmark::agent_head;
using benchmark::column;
using benchmark::number;
using benchmark::numbers;
using benchmark::OrderedJson;
using benchmark::significant;

OrderedJson as_json(const PeptideAgent& agent) {
  OrderedJson json = agent_head(agent);
  const auto& s = agent.steps;
  const auto rough = [](double v) { return number(v, 1e-2); };
  json["atoms"] = column(s, [&](const PeptideStep& t) {
    OrderedJson flat = OrderedJson::array();
    for (const Vec3& r : t.atoms) {
      for (const double v : {r.x, r.y, r.z}) flat.push_back(rough(v));
    }
    return flat;
  });
  json["torsions"] = column(s, [&](const PeptideStep& t) {
    return column(t.torsions, [&](const auto& both) { return OrderedJson{rough(both[0]), rough(both[1])}; });
  });
  json["clashes"] = column(s, [](const PeptideStep& t) { return OrderedJson(t.clashes); });
  json["distance"] = column(s, [&](const PeptideStep& t) { return rough(t.distance); });
  json["contact"] = column(s, [](const PeptideStep& t) { return significant(t.contact); });
  json["clash"] = column(s, [](const PeptideStep& t) { return significant(t.clash); });
  json["ramachandran"] = column(s, [](const PeptideStep& t) { return significant(t.ramachandran); });
  json["smooth"] = column(s, [](const PeptideStep& t) { return significant(t.smooth); });
  return json;
}

}  // namespace

std::string PeptideRecording::json() const {
  return benchmark::page_text(
      {{"world", "peptide"},
       {"seed", seed},
       {"episode", episode},
       {"title", title},
       {"story", summary},
       {"sequence", sequence},
       {"atoms",
        column(atoms,
               [](const PeptideAtom& a) {
                 return OrderedJson{{"element", std::string(1, a.element)}, {"name", a.name}, {"residue", a.residue}};
               })},
       {"bonds", bonds},
       {"contacts", column(contacts,
                           [](const PeptideContact& c) {
                             return OrderedJson{{"at", c.at}, {"i", c.i}, {"j", c.j}, {"goal", c.goal}};
                           })},
       {"bins", ramachandran_bins},
       {"allowed", numbers(ramachandran, 1e-2)},
       {"agents", column(agents, [](const PeptideAgent& a) { return as_json(a); })}});
}

}  // namespace elastane::peptide
