#include "elastane/io/import_audio.h"

#include "elastane/io/json.h"

namespace elastane {
namespace {

using Json = nlohmann::json;

// what is wrong, thrown within this file only
struct Fault {
  std::string what;
};

constexpr std::size_t kMost = 1 << 24;  // numbers of one tensor

// appends the numbers of nested lists, and their lengths to the shape
void read_numbers(const Json& json, std::size_t depth, Tensor& tensor) {
  if (!json.is_array()) {
    if (!json.is_number() || depth != tensor.shape.size()) throw Fault{tensor.name + ": expected lists of numbers"};
    tensor.values.push_back(json.get<float>());
    return;
  }
  const auto count = static_cast<std::int64_t>(json.size());
  if (depth == tensor.shape.size() && tensor.values.empty()) tensor.shape.push_back(count);
  if (depth >= tensor.shape.size() || tensor.shape[depth] != count || tensor.values.size() > kMost) {
    throw Fault{tensor.name + ": expected lists of the same length"};
  }
  for (const Json& each : json) read_numbers(each, depth + 1, tensor);
}

Tensor tensor_of(const std::string& name, const Json& json) {
  Tensor tensor{.name = name, .shape = {}, .values = {}};
  read_numbers(json, 0, tensor);
  return tensor;
}

// Keras keeps [input][gate·hidden], PyTorch [gate·hidden][input]; gate g of PyTorch is order[g] of Keras
Tensor gates(const std::string& name, const Tensor& keras, const std::vector<std::size_t>& order) {
  if (keras.shape.size() != 2 || keras.shape[1] % static_cast<std::int64_t>(order.size()) != 0) {
    throw Fault{keras.name + ": expected a matrix with the gates side by side"};
  }
  const auto inputs = static_cast<std::size_t>(keras.shape[0]), all = static_cast<std::size_t>(keras.shape[1]);
  const std::size_t hidden = all / order.size();
  Tensor out{.name = name, .shape = {keras.shape[1], keras.shape[0]}, .values = std::vector<float>(inputs * all)};
  for (std::size_t g = 0; g < order.size(); ++g) {
    for (std::size_t h = 0; h < hidden; ++h) {
      for (std::size_t i = 0; i < inputs; ++i) {
        out.values[(g * hidden + h) * inputs + i] = keras.values[i * all + order[g] * hidden + h];
      }
    }
  }
  return out;
}

// one row of biases in PyTorch's order
Tensor bias_gates(const std::string& name, Tensor keras, std::size_t row, const std::vector<std::size_t>& order) {
  if (keras.shape.size() == 1) keras.shape.insert(keras.shape.begin(), 1);
  if (keras.shape.size() != 2 || static_cast<std::int64_t>(row) >= keras.shape[0]) {
    throw Fault{keras.name + ": expected rows of biases"};
  }
  const auto all = static_cast<std::size_t>(keras.shape[1]);
  Tensor one{.name = keras.name, .shape = {1, keras.shape[1]}, .values = {}};
  one.values.assign(keras.values.begin() + static_cast<std::ptrdiff_t>(row * all),
                    keras.values.begin() + static_cast<std::ptrdiff_t>((row + 1) * all));
  Tensor out = gates(name, one, order);
  out.shape = {out.shape[0]};
  return out;
}

void add_recurrent(const Json& weights, bool is_gru, std::size_t layer, std::vector<Tensor>& tensors) {
  const std::string end = "_l" + std::to_string(layer);
  // Keras: z r h, and i f c o; PyTorch: r z n, and i f g o
  const std::vector<std::size_t> order =
      is_gru ? std::vector<std::size_t>{1, 0, 2} : std::vector<std::size_t>{0, 1, 2, 3};
  tensors.push_back(gates("rec.weight_ih" + end, tensor_of("kernel", weights.at(0)), order));
  tensors.push_back(gates("rec.weight_hh" + end, tensor_of("recurrent kernel", weights.at(1)), order));
  const Tensor bias = tensor_of("bias", weights.at(2));
  tensors.push_back(bias_gates("rec.bias_ih" + end, bias, 0, order));
  if (is_gru) tensors.push_back(bias_gates("rec.bias_hh" + end, bias, 1, order));
}

std::vector<Tensor> read_layers(const Json& layers) {
  std::vector<Tensor> tensors;
  std::size_t recurrent = 0, dense = 0;
  for (const Json& layer : layers) {
    const auto type = layer.at("type").get<std::string>();
    const auto activation = layer.value("activation", std::string());
    if (dense > 0) throw Fault{"expected one dense layer, the last, found " + type + " behind it"};
    if (type == "gru" || type == "lstm") {
      add_recurrent(layer.at("weights"), type == "gru", recurrent++, tensors);
    } else if (type == "dense" && (activation.empty() || activation == "linear")) {
      tensors.push_back(gates("lin.weight", tensor_of("dense kernel", layer.at("weights").at(0)), {0}));
      tensors.push_back(tensor_of("lin.bias", layer.at("weights").at(1)));
      ++dense;
    } else {
      throw Fault{"expected layers gru, lstm and a last dense one without an activation, found " + type + " " +
                  activation};
    }
  }
  return tensors;
}

AudioModel read_model(const Json& json) {
  AudioModel model;
  if (json.contains("layers")) {
    model.tensors = read_layers(json.at("layers"));
    return model;
  }
  if (!json.contains("state_dict"))
    throw Fault{"expected `layers`, or `state_dict` beside `model_data`, found neither"};
  for (const auto& [name, value] : json.at("state_dict").items()) model.tensors.push_back(tensor_of(name, value));
  model.skip = json.value("model_data", Json::object()).value("skip", 0) != 0;
  return model;
}

}  // namespace

Result<AudioModel> parse_audio_model(std::string_view text, const std::string& source) {
  const auto json = parse_json(text);
  if (!json) return Error{"[import] " + source + ": " + json.error()};
  try {
    return read_model(*json);
  } catch (const Fault& fault) {
    return Error{"[import] " + source + ": " + fault.what};
  } catch (const Json::exception&) {
    return Error{"[import] " + source +
                 ": expected an audio model, found other fields; docs/howto/import.md lists them"};
  }
}

}  // namespace elastane
