#include "elastane/io/router_file.h"

#include <charconv>

#include "elastane/io/stored_file.h"

namespace elastane {
namespace {

constexpr std::size_t kMostLayers = 1024;

std::string hexadecimal(std::uint64_t value) {
  char text[17] = {};
  for (int i = 15; i >= 0; --i, value >>= 4) text[i] = "0123456789abcdef"[value & 15U];
  return text;
}

// throws Misfit
std::uint64_t read_fingerprint(Fields& fields) {
  const Json* found = fields.find("model");
  const std::string text = found != nullptr && found->is_string() ? found->get<std::string>() : "";
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.size() != 16 || error != std::errc() || end != text.data() + 16) {
    fields.misfit("model", "sixteen hexadecimal digits", found == nullptr ? Json() : *found);
  }
  return value;
}

// throws Misfit
void read_network(const std::string& prefix, ArrayReader& reader, ScoringNetwork& to) {
  const auto take = [&](const char* name, std::vector<double>& values) {
    const std::string whole = prefix + name;
    return reader.take(whole.c_str(), values);
  };
  const auto expect = [&](const char* name, const Shape& expected, const Shape& found) {
    expect_shape(reader.where(), (prefix + name).c_str(), expected, found);
  };
  const auto size = [](const std::vector<double>& values) { return static_cast<std::int64_t>(values.size()); };
  const Shape hidden = take("hidden.bias", to.hidden_bias), middle = take("middle.bias", to.middle_bias),
              scores = take("score.bias", to.score_bias);
  const Shape first = take("hidden.weight", to.hidden_weight), second = take("middle.weight", to.middle_weight),
              third = take("score.weight", to.score_weight);
  const std::int64_t h = size(to.hidden_bias), m = size(to.middle_bias), n = size(to.score_bias);
  expect("hidden.bias", {h}, hidden), expect("middle.bias", {m}, middle), expect("score.bias", {n}, scores);
  expect("hidden.weight", {h, first.size() == 2 ? first[1] : 1}, first);
  expect("middle.weight", {m, h}, second);
  expect("score.weight", {n, m > 0 ? m : h}, third);
}

// throws Misfit
RouterWeights read_router(const std::string& text, ArrayReader& reader) {
  const std::string& where = reader.where();
  const auto json = parse_json(text);
  if (!json) throw Misfit(where + "its description " + json.error());
  RouterWeights router;
  int format = 0;
  std::vector<int> layers;
  Fields fields(*json, where, "docs/model_format.md");
  fields.number("format", format);
  if (format != 1) throw Misfit(where + "format: expected 1, found " + std::to_string(format));
  router.model = read_fingerprint(fields);
  fields.list("layers", layers);
  fields.done();
  if (layers.empty() || layers.size() > kMostLayers) {
    throw Misfit(where + "layers: expected 1 to " + std::to_string(kMostLayers) + " entries, found " +
                 std::to_string(layers.size()));
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    HeadRouter& layer = router.layers.emplace_back();
    if (layers[i] == 0) continue;
    read_network(std::to_string(i) + ".task.", reader, layer.task);
    read_network(std::to_string(i) + ".route.", reader, layer.route);
    if (!layer.present()) throw Misfit(where + "layer " + std::to_string(i) + ": expected a score, found none");
  }
  if (const Status sound = validate(router); !sound) throw Misfit(where + without_tag(sound.error()));
  return router;
}

void write_network(const std::string& prefix, const ScoringNetwork& network, StoredContent& to) {
  const std::int64_t h = network.hidden(), m = network.middle(), n = network.scores();
  const auto add = [&](const char* name, const std::vector<double>& values, Shape shape) {
    to.add((prefix + name).c_str(), values, std::move(shape));
  };
  add("hidden.weight", network.hidden_weight, {h, network.features()});
  add("hidden.bias", network.hidden_bias, {h});
  add("middle.weight", network.middle_weight, {m, h});
  add("middle.bias", network.middle_bias, {m});
  add("score.weight", network.score_weight, {n, m > 0 ? m : h});
  add("score.bias", network.score_bias, {n});
}

Status write_router(const RouterWeights& router, StoredContent& to) {
  if (Status sound = validate(router); !sound) return sound;
  if (router.layers.empty() || router.layers.size() > kMostLayers) {
    return Error{"[router] layers: expected 1 to " + std::to_string(kMostLayers) + ", found " +
                 std::to_string(router.layers.size())};
  }
  OrderedJson description = {{"format", 1}, {"model", hexadecimal(router.model)}};
  for (std::size_t i = 0; i < router.layers.size(); ++i) {
    const HeadRouter& layer = router.layers[i];
    description["layers"].push_back(layer.present() ? 1 : 0);
    if (!layer.present()) continue;
    write_network(std::to_string(i) + ".task.", layer.task, to);
    write_network(std::to_string(i) + ".route.", layer.route, to);
  }
  to.text = description.dump();
  return {};
}

constexpr StoredFile<RouterWeights> kRouterFile = {"elastane_router", "router", "a router of attention heads",
                                                   write_router, read_router};

}  // namespace

Result<std::vector<std::byte>> format_router(const RouterWeights& router, std::map<std::string, std::string> metadata) {
  return format(kRouterFile, router, std::move(metadata));
}
Result<RouterWeights> parse_router(std::span<const std::byte> bytes, const std::string& source) {
  return parse(kRouterFile, bytes, source);
}
Status save_router(const std::string& path, const RouterWeights& router, std::map<std::string, std::string> metadata) {
  return save(kRouterFile, path, router, std::move(metadata));
}
Result<RouterWeights> load_router(const std::string& path) { return load(kRouterFile, path); }

bool is_router(std::span<const std::byte> bytes) {
  const auto file = parse_safetensors(bytes, "");
  return file && file->metadata.contains(kRouterFile.key);
}

}  // namespace elastane
