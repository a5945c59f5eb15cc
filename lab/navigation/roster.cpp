#include "lab/navigation/roster.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "experiments/navigation/settings.h"
#include "lab/benchmark/claims_json.h"

namespace elastane::navigation {
namespace {

using OrderedJson = nlohmann::ordered_json;  // the order of the lists is the order of the settings
using Parameters = std::map<std::string, double>;

// as short as possible
std::string short_number(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

// "K {depth}" with the parameters put in
std::string filled(std::string text, const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    const std::string field = "{" + name + "}";
    if (const std::size_t at = text.find(field); at != std::string::npos)
      text.replace(at, field.size(), short_number(value));
  }
  return text;
}

// every combination of the varied lists, the last list varying fastest
std::vector<Parameters> combinations(const OrderedJson& agent) {
  std::vector<Parameters> all(1);
  const OrderedJson fixed = agent.value("fixed", OrderedJson::object()),
                    varied = agent.value("varied", OrderedJson::object());
  for (const auto& [name, value] : fixed.items()) all[0][name] = value.get<double>();
  for (const auto& [name, values] : varied.items()) {
    std::vector<Parameters> next;
    for (const Parameters& before : all) {
      for (const double value : values) {
        next.push_back(before);
        next.back()[name] = value;
      }
    }
    all = std::move(next);
  }
  return all;
}

AgentConfig config_of(const OrderedJson& agent, const Parameters& parameters) {
  AgentConfig config;
  config.kind = agent.at("kind").get<std::string>();
  config.policy = agent.value("policy", config.policy);
  config.metric = agent.value("metric", config.metric);
  config.second_order = agent.value("retraction", "first_order") == std::string("second_order");
  config.parameters = parameters;
  return config;
}

// a horizon of 1 is not mentioned
std::string text_of(const OrderedJson& agent, const Parameters& parameters) {
  std::string text = filled(agent.value("text", std::string()), parameters);
  const auto horizon = parameters.find("horizon");
  const bool corrects = agent.contains("metric");
  if (corrects && horizon != parameters.end() && horizon->second > 1) text += ", H " + short_number(horizon->second);
  return text;
}

const char* name_of(Mode mode) { return kModeNames[static_cast<int>(mode)]; }

// Tuning did not look at these modes: the settings for a crate apply, or those for wind where an agent needs wind.
Mode tuned_mode(const OrderedJson& agent, Mode mode) {
  if (mode == Mode::windy && agent.contains("modes")) return Mode::drifting;
  return mode == Mode::still || mode == Mode::windy || mode == Mode::lost ? Mode::dragged : mode;
}

int chosen_of(const OrderedJson& agent, Mode mode) {
  return agent.contains("chosen") ? agent["chosen"].at(name_of(tuned_mode(agent, mode))).get<int>() : 0;
}

bool takes_part(const OrderedJson& agent, Mode mode) {
  if (!agent.contains("modes")) return true;
  for (const OrderedJson& name : agent["modes"]) {
    if (name == name_of(mode)) return true;
  }
  return false;
}

RosterEntry entry_of(const OrderedJson& agent, Mode mode) {
  RosterEntry entry;
  entry.card = {.name = agent.at("name").get<std::string>(),
                .what = agent.at("what").get<std::string>(),
                .settings = "",
                .published = benchmark::parse_published(agent.value("published", OrderedJson::object()))};
  entry.oracle = agent.at("kind") == "oracle";
  if (entry.oracle) return entry;
  for (const Parameters& parameters : combinations(agent)) {
    entry.tried.push_back({text_of(agent, parameters), agent_maker(config_of(agent, parameters))});
  }
  entry.chosen = chosen_of(agent, mode);
  entry.card.settings = entry.setting().text;
  return entry;
}

}  // namespace

std::vector<RosterEntry> roster(Mode mode) {
  std::vector<RosterEntry> all;
  const OrderedJson data = OrderedJson::parse(experiments::navigation::roster_json);
  for (const OrderedJson& agent : data.at("agents")) {
    if (takes_part(agent, mode)) all.push_back(entry_of(agent, mode));
  }
  return all;
}

std::vector<RosterEntry> budget_grid() {
  std::vector<RosterEntry> all;
  const OrderedJson data = OrderedJson::parse(experiments::navigation::roster_json);
  const OrderedJson& agent = data.at("grid");
  for (const Parameters& parameters : combinations(agent)) {
    RosterEntry entry;
    entry.card.name = filled(agent.at("name").get<std::string>(), parameters);
    entry.card.what = agent.at("what").get<std::string>();
    entry.tried = {{"", agent_maker(config_of(agent, parameters))}};
    all.push_back(std::move(entry));
  }
  return all;
}

std::vector<benchmark::Claim> claims(Mode mode) {
  return benchmark::parse_claims(OrderedJson::parse(experiments::navigation::claims_json).at(name_of(mode)).dump());
}

}  // namespace elastane::navigation
