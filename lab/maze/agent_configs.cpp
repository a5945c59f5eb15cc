#include "lab/maze/agent_configs.h"

#include <cmath>

#include "elastane/io/stored_file.h"
#include "lab/maze/settings.h"

namespace elastane::maze {
namespace {

constexpr const char* kFormat = R"({"format": 1})";

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

void write_config(const std::string& name, const AgentConfig& config, StoredContent& to) {
  each_array(name, config,
             [&](const std::string& array, const std::vector<double>& values) { to.add(array.c_str(), values); });
}

// throws Misfit
void check(const std::string& where, const std::string& name, const AgentConfig& config) {
  const Head& head = config.head;
  if (head.weight.size() != kHeadHidden * kMoveFeatures || head.bias.size() != kHeadHidden ||
      head.score.size() != kHeadHidden) {
    throw Misfit(where + name + ".head: expected " + std::to_string(kHeadHidden) + " x " +
                 std::to_string(kMoveFeatures) + " weights, found other sizes; train it again");
  }
  const std::string depths = std::to_string(kDepth + 1) + " depths, found another number";
  if (config.gate.kind == Gate::random && config.gate.histogram.size() != kDepth + 1)
    throw Misfit(where + name + ".histogram: expected " + depths);
  if (config.gate.kind != Gate::learned) return;
  if (const Status sound = validate(config.learned); !sound) throw Misfit(where + without_tag(sound.error()));
  if (config.learned.depths() != kDepth + 1) throw Misfit(where + name + ".gate: expected " + depths);
}

// throws Misfit
AgentConfig read_config(const std::string& name, AgentConfig config, ArrayReader& reader) {
  each_array(name, config,
             [&](const std::string& array, std::vector<double>& values) { reader.take(array.c_str(), values); });
  check(reader.where(), name, config);
  return config;
}

Status write_configs(const AgentConfigs& configs, StoredContent& to) {
  to.text = kFormat;
  for (const std::string name : kConfigNames) write_config(name, configs.at(name), to);
  return {};
}

AgentConfigs read_configs(const std::string& /*text*/, ArrayReader& reader) {
  AgentConfigs configs;
  for (const std::string name : kConfigNames) configs[name] = read_config(name, untrained_config(name), reader);
  return configs;
}

Status write_priced(const std::vector<PricedAgentConfig>& configs, StoredContent& to) {
  to.text = kFormat;
  std::vector<double> prices, seeds;
  for (const PricedAgentConfig& each : configs) {
    prices.push_back(each.price);
    seeds.push_back(each.seed);
  }
  to.add("prices", std::move(prices));
  to.add("seeds", std::move(seeds));
  for (std::size_t i = 0; i < configs.size(); ++i) write_config(std::to_string(i), configs[i].config, to);
  return {};
}

std::vector<PricedAgentConfig> read_priced(const std::string& /*text*/, ArrayReader& reader) {
  std::vector<double> prices, seeds;
  reader.take("prices", prices);
  reader.take("seeds", seeds);
  if (prices.size() != seeds.size()) {
    throw Misfit(reader.where() + "expected as many seeds as prices, found " + std::to_string(seeds.size()) + " and " +
                 std::to_string(prices.size()));
  }
  std::vector<PricedAgentConfig> configs;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    const std::string name = std::to_string(i);
    if (!(prices[i] >= 0) || !(std::abs(seeds[i]) < 1e9))
      throw Misfit(reader.where() + name + ": expected a price and a seed, found other values");
    configs.push_back({prices[i], static_cast<int>(seeds[i]), read_config(name, untrained_config("esm"), reader)});
  }
  return configs;
}

constexpr StoredFile<AgentConfigs> kFile = {"elastane_maze", "maze", "agents of the maze (elastane train maze)",
                                            write_configs, read_configs};
constexpr StoredFile<std::vector<PricedAgentConfig>> kPricedFile = {
    "elastane_maze_prices", "maze", "priced agents of the maze (elastane train maze --network prices)", write_priced,
    read_priced};

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
  return format(kFile, configs, std::move(metadata));
}
Result<AgentConfigs> parse_agent_configs(std::span<const std::byte> bytes, const std::string& source) {
  return parse(kFile, bytes, source);
}
Result<AgentConfigs> load_agent_configs(const std::string& path) { return load(kFile, path); }

Result<std::vector<std::byte>> format_priced_configs(const std::vector<PricedAgentConfig>& configs,
                                                     std::map<std::string, std::string> metadata) {
  return format(kPricedFile, configs, std::move(metadata));
}
Result<std::vector<PricedAgentConfig>> parse_priced_configs(std::span<const std::byte> bytes,
                                                            const std::string& source) {
  return parse(kPricedFile, bytes, source);
}
Result<std::vector<PricedAgentConfig>> load_priced_configs(const std::string& path) { return load(kPricedFile, path); }

}  // namespace elastane::maze
