#include "elastane/io/gate_file.h"

#include "elastane/io/file.h"
#include "elastane/io/stored_arrays.h"

namespace elastane {
namespace {

constexpr const char* kKey = "elastane_gate";

constexpr std::array kSights = {Spelling{GateInput::loss, "loss"}, Spelling{GateInput::solve, "solve"}};
constexpr std::array kReadouts = {Spelling{GateReadout::argmax, "argmax"}, Spelling{GateReadout::ponder, "ponder"},
                                  Spelling{GateReadout::act, "act"}};

// throws Misfit
LearnedGate read(const Safetensors& file, const std::string& source) {
  const std::string where = "[gate] " + source + ": ";
  const auto text = file.metadata.find(kKey);
  if (text == file.metadata.end()) {
    throw Misfit(where + "expected a learned gate, found " +
                 (file.metadata.contains("elastane") ? "a network" : "another safetensors file"));
  }
  const auto json = parse_json(text->second);
  if (!json) throw Misfit(where + "what its numbers mean " + json.error());
  LearnedGate gate;
  int format = 0;
  Fields fields(*json, where, "docs/howto/gate.md");
  fields.number("format", format);
  if (format != 1) throw Misfit(where + "format: expected 1, found " + std::to_string(format));
  fields.choice("sees", kSights, gate.sees);
  fields.choice("readout", kReadouts, gate.readout);
  fields.done();

  ArrayReader reader(file, where);
  const Shape hidden = reader.take("hidden.bias", gate.network.hidden_bias),
              depths = reader.take("score.bias", gate.network.score_bias);
  const Shape first = reader.take("hidden.weight", gate.network.hidden_weight);
  const Shape second = reader.take("score.weight", gate.network.score_weight);
  reader.take("quantiles", gate.quantiles);
  reader.done();
  const auto h = static_cast<std::int64_t>(gate.network.hidden_bias.size());
  const auto k = static_cast<std::int64_t>(gate.network.score_bias.size());
  expect_shape(where, "hidden.bias", {h}, hidden);
  expect_shape(where, "score.bias", {k}, depths);
  expect_shape(where, "hidden.weight", {h, first.size() == 2 ? first[1] : kOwnGateFeatures}, first);
  expect_shape(where, "score.weight", {k, h}, second);
  if (const Status sound = validate(gate); !sound) throw Misfit(source + ": " + sound.error());
  return gate;
}

}  // namespace

Result<std::vector<std::byte>> format_gate(const LearnedGate& gate, std::map<std::string, std::string> metadata) {
  if (Status sound = validate(gate); !sound) return Error{sound.error()};
  const OrderedJson meaning = {{"format", 1}, {"sees", name(gate.sees)}, {"readout", name(gate.readout)}};
  metadata[kKey] = meaning.dump();
  const std::int64_t h = gate.hidden(), k = gate.depths();
  const std::vector<StoredTensor> tensors = {
      stored("hidden.weight", gate.network.hidden_weight, {h, gate.features()}),
      stored("hidden.bias", gate.network.hidden_bias), stored("score.weight", gate.network.score_weight, {k, h}),
      stored("score.bias", gate.network.score_bias), stored("quantiles", gate.quantiles)};
  return format_safetensors(metadata, tensors);
}

Result<LearnedGate> parse_gate(std::span<const std::byte> bytes, const std::string& source) {
  return parse_stored(bytes, source, read);
}

Status save_gate(const std::string& path, const LearnedGate& gate, std::map<std::string, std::string> metadata) {
  const auto bytes = format_gate(gate, std::move(metadata));
  if (!bytes) return Error{bytes.error()};
  return write_file(path, *bytes);
}

Result<LearnedGate> load_gate(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return Error{file.error()};
  return parse_gate(file->bytes(), path);
}

}  // namespace elastane
