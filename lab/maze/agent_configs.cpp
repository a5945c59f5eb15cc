#include "lab/maze/agent_configs.h"

#include <cmath>

#include "elastane/io/file.h"
#include "elastane/io/stored_arrays.h"
#include "lab/maze/settings.h"

namespace elastane::maze {
namespace {

constexpr const char *kKey = "elastane_maze", *kPricedKey = "elastane_maze_prices";

// visits every array of a configuration with its name in the file
template <class Config, class Visit>
void each_array(const std::string& name, Config& config, Visit visit) {
  visit(name + ".head.weight", config.head.weight);
  visit(name + ".head.bias", config.head.bias);
  visit(name + ".head.score", config.head.score);
  if (config.gate.kind == Gate::random) visit(name + ".histogram", config.gate.histogram);
  if (config.gate.kind != Gate::learned) return;
  visit(name + ".gate.hidden.weight", config.learned.network.hidden_weight);
  visit(name + ".gate.hidden.bias", config.learned.network.hidden_bias);
  visit(name + ".gate.score.weight", config.learned.network.score_weight);
  visit(name + ".gate.score.bias", config.learned.network.score_bias);
  visit(name + ".gate.quantiles", config.learned.quantiles);
}

auto store_in(std::vector<StoredTensor>& tensors) {
  return [&](const std::string& name, const std::vector<double>& values) {
    tensors.push_back(stored(name.c_str(), values));
  };
}
auto take_from(ArrayReader& reader) {
  return [&](const std::string& name, std::vector<double>& values) { reader.take(name.c_str(), values); };
}

// throws Misfit
void check(const std::string& where, const std::string& name, const AgentConfig& config) {
  const Head& head = config.head;
  if (head.weight.size() != kHeadHidden * kMoveFeatures || head.bias.size() != kHeadHidden ||
      head.score.size() != kHeadHidden) {
    throw Misfit(where + name + ".head: expected " + std::to_string(kHeadHidden) + " x " +
                 std::to_string(kMoveFeatures) + " weights, found other sizes; train it again");
  }
  if (config.gate.kind == Gate::random && config.gate.histogram.size() != kDepth + 1)
    throw Misfit(where + name + ".histogram: expected " + std::to_string(kDepth + 1) + " depths, found another number");
  if (config.gate.kind != Gate::learned) return;
  if (const Status sound = validate(config.learned); !sound) throw Misfit(where + sound.error());
  if (config.learned.depths() != kDepth + 1)
    throw Misfit(where + name + ".gate: expected " + std::to_string(kDepth + 1) + " depths, found another number");
}

// throws Misfit
void expect_key(const Safetensors& file, const char* key, const std::string& where) {
  if (file.metadata.contains(key)) return;
  throw Misfit(where +
               "expected agents of the maze, found another safetensors file; train them with elastane train maze");
}

}  // namespace

AgentConfig untrained_config(const std::string& name) {
  if (name == "esm") return {.gate = {.kind = Gate::learned, .depth = kDepth}};
  if (name == "k0") return {.gate = {.kind = Gate::never, .depth = 0}};
  if (name == "uniform_1") return {.gate = {.kind = Gate::always, .depth = 1}};
  if (name == "random") return {.gate = {.kind = Gate::random, .depth = kDepth}};
  if (name == "kappa") return {.gate = {.kind = Gate::kappa, .depth = kDepth, .threshold = settings().kappa_threshold}};
  if (name == "euclidean") return {.metric = Metric::euclidean, .gate = {.depth = kDepth}};
  if (name == "diagonal") return {.metric = Metric::latent_covariance, .gate = {.depth = kDepth}};
  return {.gate = {.depth = kDepth}};
}

Result<std::vector<std::byte>> format_agent_configs(const AgentConfigs& configs,
                                                    std::map<std::string, std::string> metadata) {
  metadata[kKey] = R"({"format": 1})";
  std::vector<StoredTensor> tensors;
  for (const std::string name : kConfigNames) each_array(name, configs.at(name), store_in(tensors));
  return format_safetensors(metadata, tensors);
}

Result<AgentConfigs> parse_agent_configs(std::span<const std::byte> bytes, const std::string& source) {
  return parse_stored(bytes, source, [](const Safetensors& file, const std::string& from) {
    const std::string where = "[maze] " + from + ": ";
    expect_key(file, kKey, where);
    AgentConfigs configs;
    ArrayReader reader(file, where);
    for (const std::string name : kConfigNames) {
      AgentConfig& config = configs[name] = untrained_config(name);
      each_array(name, config, take_from(reader));
      check(where, name, config);
    }
    reader.done();
    return configs;
  });
}

Result<AgentConfigs> load_agent_configs(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return Error{file.error()};
  return parse_agent_configs(file->bytes(), path);
}

Result<std::vector<std::byte>> format_priced_configs(const std::vector<PricedAgentConfig>& configs,
                                                     std::map<std::string, std::string> metadata) {
  metadata[kPricedKey] = R"({"format": 1})";
  std::vector<double> prices, seeds;
  for (const PricedAgentConfig& each : configs) {
    prices.push_back(each.price);
    seeds.push_back(each.seed);
  }
  std::vector<StoredTensor> tensors = {stored("prices", prices), stored("seeds", seeds)};
  for (std::size_t i = 0; i < configs.size(); ++i) each_array(std::to_string(i), configs[i].config, store_in(tensors));
  return format_safetensors(metadata, tensors);
}

Result<std::vector<PricedAgentConfig>> parse_priced_configs(std::span<const std::byte> bytes,
                                                            const std::string& source) {
  return parse_stored(bytes, source, [](const Safetensors& file, const std::string& from) {
    const std::string where = "[maze] " + from + ": ";
    expect_key(file, kPricedKey, where);
    ArrayReader reader(file, where);
    std::vector<double> prices, seeds;
    reader.take("prices", prices);
    reader.take("seeds", seeds);
    if (prices.size() != seeds.size()) {
      throw Misfit(where + "expected as many seeds as prices, found " + std::to_string(seeds.size()) + " and " +
                   std::to_string(prices.size()));
    }
    std::vector<PricedAgentConfig> configs;
    for (std::size_t i = 0; i < prices.size(); ++i) {
      if (!(prices[i] >= 0) || !(std::abs(seeds[i]) < 1e9)) {
        throw Misfit(where + std::to_string(i) + ": expected a price and a seed, found other values");
      }
      PricedAgentConfig made{prices[i], static_cast<int>(seeds[i]), untrained_config("esm")};
      each_array(std::to_string(i), made.config, take_from(reader));
      check(where, std::to_string(i), made.config);
      configs.push_back(std::move(made));
    }
    reader.done();
    return configs;
  });
}

Result<std::vector<PricedAgentConfig>> load_priced_configs(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return Error{file.error()};
  return parse_priced_configs(file->bytes(), path);
}

}  // namespace elastane::maze
