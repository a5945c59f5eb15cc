#include "elastane/io/gate_file.h"

#include "elastane/io/stored_file.h"

namespace elastane {
namespace {

constexpr std::array kInputs = {Spelling{GateInput::loss, "loss"}, Spelling{GateInput::solve, "solve"}};
constexpr std::array kReadouts = {Spelling{GateReadout::argmax, "argmax"}, Spelling{GateReadout::ponder, "ponder"},
                                  Spelling{GateReadout::act, "act"}};

// throws Misfit
LearnedGate read_gate(const std::string& text, ArrayReader& reader) {
  const std::string& where = reader.where();
  const auto json = parse_json(text);
  if (!json) throw Misfit(where + "its description " + json.error());
  LearnedGate gate;
  int format = 0;
  Fields fields(*json, where, "docs/howto/gate.md");
  fields.number("format", format);
  if (format != 1) throw Misfit(where + "format: expected 1, found " + std::to_string(format));
  fields.choice("sees", kInputs, gate.sees);
  fields.choice("readout", kReadouts, gate.readout);
  fields.done();

  const Shape hidden = reader.take("hidden.bias", gate.network.hidden_bias),
              depths = reader.take("score.bias", gate.network.score_bias);
  const Shape first = reader.take("hidden.weight", gate.network.hidden_weight);
  const Shape second = reader.take("score.weight", gate.network.score_weight);
  reader.take("quantiles", gate.quantiles);
  const auto h = static_cast<std::int64_t>(gate.network.hidden_bias.size());
  const auto k = static_cast<std::int64_t>(gate.network.score_bias.size());
  expect_shape(where, "hidden.bias", {h}, hidden);
  expect_shape(where, "score.bias", {k}, depths);
  expect_shape(where, "hidden.weight", {h, first.size() == 2 ? first[1] : kOwnGateFeatures}, first);
  expect_shape(where, "score.weight", {k, h}, second);
  if (const Status sound = validate(gate); !sound) throw Misfit(where + without_tag(sound.error()));
  return gate;
}

Status write_gate(const LearnedGate& gate, StoredContent& to) {
  if (Status sound = validate(gate); !sound) return sound;
  const OrderedJson description = {{"format", 1}, {"sees", name(gate.sees)}, {"readout", name(gate.readout)}};
  to.text = description.dump();
  const std::int64_t h = gate.hidden(), k = gate.depths();
  to.add("hidden.weight", gate.network.hidden_weight, {h, gate.features()});
  to.add("hidden.bias", gate.network.hidden_bias);
  to.add("score.weight", gate.network.score_weight, {k, h});
  to.add("score.bias", gate.network.score_bias);
  to.add("quantiles", gate.quantiles);
  return {};
}

constexpr StoredFile<LearnedGate> kGateFile = {"elastane_gate", "gate", "a learned gate", write_gate, read_gate};

}  // namespace

Result<std::vector<std::byte>> format_gate(const LearnedGate& gate, std::map<std::string, std::string> metadata) {
  return format(kGateFile, gate, std::move(metadata));
}
Result<LearnedGate> parse_gate(std::span<const std::byte> bytes, const std::string& source) {
  return parse(kGateFile, bytes, source);
}
Status save_gate(const std::string& path, const LearnedGate& gate, std::map<std::string, std::string> metadata) {
  return save(kGateFile, path, gate, std::move(metadata));
}
Result<LearnedGate> load_gate(const std::string& path) { return load(kGateFile, path); }

}  // namespace elastane
