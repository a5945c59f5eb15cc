// Tests of elastane/io/import_audio.cpp and import_file.cpp: audio models as JSON, and weights in several shards.
#include "elastane/io/import_audio.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "tests/io/imported_weights.h"

namespace elastane {
namespace {

std::string text_of(const Tensor& t) {
  std::string text;
  const auto inner = static_cast<std::size_t>(t.shape.size() == 2 ? t.shape[1] : 1);
  for (std::size_t i = 0; i < t.values.size(); ++i) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(t.values[i]));
    if (t.shape.size() == 2 && i % inner == 0) text += i == 0 ? "[" : "],[";
    if (!text.empty() && text.back() != '[') text += ",";
    text += digits;
  }
  return "[" + text + (t.shape.size() == 2 ? "]]" : "]");
}

// PyTorch's [gate·hidden][input] as Keras has it: [input][gate·hidden], with gate order[g] at place g
Tensor keras(const Tensor& torch, const std::vector<std::size_t>& order) {
  const bool is_bias = torch.shape.size() == 1;
  const auto rows = static_cast<std::size_t>(torch.shape[0]),
             inputs = is_bias ? 1 : static_cast<std::size_t>(torch.shape[1]);
  const std::size_t hidden = rows / order.size();
  Tensor out{.name = "",
             .shape = {static_cast<std::int64_t>(inputs), torch.shape[0]},
             .values = std::vector<float>(rows * inputs)};
  for (std::size_t g = 0; g < order.size(); ++g) {
    for (std::size_t h = 0; h < hidden; ++h) {
      for (std::size_t i = 0; i < inputs; ++i) {
        out.values[i * rows + g * hidden + h] = torch.values[(order[g] * hidden + h) * inputs + i];
      }
    }
  }
  if (is_bias) out.shape = {torch.shape[0]};
  return out;
}

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

constexpr int kCells = 5;

Weights audio_weights(int gates) {
  Weights w;
  w.add("rec.weight_ih_l0", {gates * kCells, 1}), w.add("rec.weight_hh_l0", {gates * kCells, kCells});
  w.add("rec.bias_ih_l0", {gates * kCells});
  if (gates == 3) w.add("rec.bias_hh_l0", {gates * kCells});
  w.add("lin.weight", {1, kCells}), w.add("lin.bias", {1});
  return w;
}

TEST(ImportAudio, RtneuralsLayersComputeWhatPyTorchsDid) {
  for (const int gates : {3, 4}) {
    const Weights w = audio_weights(gates);
    const std::vector<std::size_t> order =
        gates == 3 ? std::vector<std::size_t>{1, 0, 2} : std::vector<std::size_t>{0, 1, 2, 3};
    const auto part = [&](const char* name) { return text_of(keras(w.tensors.at(name), order)); };
    const std::string bias =
        gates == 3 ? "[" + part("rec.bias_ih_l0") + "," + part("rec.bias_hh_l0") + "]" : part("rec.bias_ih_l0");
    const Folder folder;
    write(folder / "a.json",
          std::string(R"({"in_shape":[null,null,1],"layers":[{"type":")") + (gates == 3 ? "gru" : "lstm") +
              R"(","activation":"","shape":[null,null,5],"weights":[)" + part("rec.weight_ih_l0") + "," +
              part("rec.weight_hh_l0") + "," + bias +
              R"(]},{"type":"dense","activation":"","shape":[null,null,1],"weights":[)" +
              text_of(keras(w.tensors.at("lin.weight"), {0})) + "," + text_of(w.tensors.at("lin.bias")) + "]}]}");
    const auto import = import_file(folder / "a.json");
    ASSERT_TRUE(import) << import.error();
    GateTwin twin{w, "rec.", "_l0", kCells, gates == 4};
    expect_equal(
        *import, [&](const Vector& x) { return w.linear("lin.weight", "lin.bias", twin.step(x)); }, normals(1));
  }
}

TEST(ImportAudio, StateDictsWithASkipConnectionAddTheInput) {
  const Weights w = audio_weights(4);
  std::string dict;
  for (const auto& [name, tensor] : w.tensors)
    dict += (dict.empty() ? "" : ",") + ("\"" + name + "\":") + text_of(tensor);
  const Folder folder;
  write(folder / "b.json", R"({"model_data":{"model":"SimpleRNN","skip":1},"state_dict":{)" + dict + "}}");
  const auto import = import_file(folder / "b.json");
  ASSERT_TRUE(import) << import.error();
  GateTwin twin{w, "rec.", "_l0", kCells, true};
  expect_equal(
      *import,
      [&](const Vector& x) {
        Vector y = w.linear("lin.weight", "lin.bias", twin.step(x));
        y[0] += x[0];
        return y;
      },
      normals(1));
}

TEST(ImportAudio, RefusesOtherJson) {
  for (const char* text :
       {"", "{}", "[1]", R"({"layers":[{"type":"conv1d"}]})", R"({"layers":[{"type":"gru","weights":[]}]})",
        R"({"layers":[{"type":"gru","weights":[[[1,2],[3]],[],[]]}]})", R"({"state_dict":{"a":"b"}})"}) {
    EXPECT_FALSE(parse_audio_model(text, "a.json")) << text;
  }
}

TEST(ImportFile, JoinsTheShardsThatAnIndexNames) {
  const Weights w = audio_weights(3);
  const Folder folder;
  std::vector<Tensor> first, second;
  std::string map;
  for (const auto& [name, tensor] : w.tensors) {
    const bool is_first = first.size() < 3;
    (is_first ? first : second).push_back(tensor);
    map += (map.empty() ? "" : ",") + ("\"" + name + "\":\"" + (is_first ? "a" : "b") + ".safetensors\"");
  }
  const auto save = [&](const char* name, const std::vector<Tensor>& tensors) {
    const auto bytes = format_safetensors({}, tensors).value();
    write(folder / name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  save("a.safetensors", first);
  save("b.safetensors", second);
  write(folder / "m.safetensors.index.json", R"({"metadata":{},"weight_map":{)" + map + "}}");
  const auto import = import_file(folder / "m.safetensors.index.json");
  ASSERT_TRUE(import) << import.error();
  GateTwin twin{w, "rec.", "_l0", kCells, false};
  expect_equal(
      *import, [&](const Vector& x) { return w.linear("lin.weight", "lin.bias", twin.step(x)); }, normals(1));
  write(folder / "n.safetensors.index.json", R"({"weight_map":{"x":"../a.safetensors"}})");
  EXPECT_TRUE(contains(import_file(folder / "n.safetensors.index.json").error(), "beside the index"));
  write(folder / "o.safetensors.index.json", R"({"weight_map":{"x":"a.safetensors"}})");
  EXPECT_TRUE(contains(import_file(folder / "o.safetensors.index.json").error(), "is in no shard"));
}

}  // namespace
}  // namespace elastane
