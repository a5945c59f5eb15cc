// Tests elastane/io/gate_file.cpp: a gate is read back to the last bit; what is damaged or no gate is refused.
#include "elastane/io/gate_file.h"

#include <gtest/gtest.h>

#include "elastane/io/safetensors.h"
#include "elastane/io/stored_arrays.h"
#include "tests/core/gates.h"
#include "tests/io/folder.h"

namespace elastane {
namespace {

LearnedGate some_gate() {
  LearnedGate gate = random_gate(1, {.features = 9, .readout = GateReadout::ponder, .sees = GateInput::solve});
  gate.quantiles = {-1.5, 0.1, 1.0 / 3};
  return gate;
}

// a gate's file with one array replaced, or left out where it has no name
std::string refusal_with(const char* name, const StoredTensor& changed,
                         const std::string& meaning = R"({"format":1,"sees":"loss","readout":"argmax"})") {
  const std::vector<std::byte> bytes = format_gate(some_gate()).value();
  const Safetensors file = parse_safetensors(bytes, "gate").value();
  std::vector<StoredTensor> tensors;
  for (const StoredTensor& t : file.tensors) {
    if (t.name != name) tensors.push_back(t);
    if (t.name == name && !changed.name.empty()) tensors.push_back(changed);
  }
  const auto made = format_safetensors({{"elastane_gate", meaning}}, tensors).value();
  return parse_gate(made, "gate").error();
}

TEST(GateFile, HoldsEveryBit) {
  const LearnedGate gate = some_gate();
  const Folder folder;
  ASSERT_TRUE(save_gate(folder / "gate", gate, {{"command", "a test"}}));
  const LearnedGate read = load_gate(folder / "gate").value();
  EXPECT_EQ(read.sees, gate.sees);
  EXPECT_EQ(read.readout, gate.readout);
  EXPECT_EQ(read.network.hidden_weight, gate.network.hidden_weight);
  EXPECT_EQ(read.network.hidden_bias, gate.network.hidden_bias);
  EXPECT_EQ(read.network.score_weight, gate.network.score_weight);
  EXPECT_EQ(read.network.score_bias, gate.network.score_bias);
  EXPECT_EQ(read.quantiles, gate.quantiles);
}

TEST(GateFile, RefusesEveryTruncation) {
  const std::vector<std::byte> bytes = format_gate(some_gate()).value();
  for (std::size_t n = 0; n < bytes.size(); n += 1 + n / 50) {
    EXPECT_FALSE(parse_gate(std::span(bytes).first(n), "gate")) << n;
  }
}

TEST(GateFile, RefusesWhatDoesNotFitAndSaysWhy) {
  const std::vector<double> numbers(24, 0.5);
  EXPECT_EQ(refusal_with("score.weight", {}), "[gate] gate: expected a tensor score.weight, found none");
  EXPECT_EQ(refusal_with("score.weight", stored("score.weight", numbers, {6, 4})),
            "[gate] gate: score.weight: expected (4 x 6), found (6 x 4); train it again");
  EXPECT_EQ(refusal_with("hidden.weight", stored("hidden.weight", numbers)),
            "[gate] gate: hidden.weight: expected (6 x 7), found (24); train it again");
  EXPECT_EQ(refusal_with("hidden.weight", stored("hidden.weight", numbers, {6, 4})),
            "[gate] gate: hidden.weight: expected 6 rows of 7 to 64 features, found 24; train it again");
  EXPECT_EQ(refusal_with("score.bias", stored("score.bias", std::vector<float>(4))),
            "[gate] gate: score.bias: expected F64, found F32");
  EXPECT_EQ(refusal_with("none", {}, R"({"format":2})"), "[gate] gate: format: expected 1, found 2");
  EXPECT_EQ(refusal_with("none", {}, R"({"format":1,"sees":"all"})"),
            "[gate] gate: sees: expected one of loss, solve, found \"all\"");
  EXPECT_EQ(refusal_with("none", {}, R"({"format":1,"price":3})"),
            "[gate] gate: price: unknown key; see docs/howto/gate.md");
  EXPECT_EQ(parse_gate(format_safetensors({{"elastane", "{}"}}, std::vector<Tensor>{}).value(), "net").error(),
            "[gate] net: expected a learned gate, found a network");
  EXPECT_FALSE(load_gate("/no/such/gate"));
}

TEST(GateFile, IsNotWrittenForAGateThatMakesNoSense) {
  LearnedGate gate = some_gate();
  gate.network.score_bias.pop_back();
  EXPECT_FALSE(format_gate(gate));
}

}  // namespace
}  // namespace elastane
