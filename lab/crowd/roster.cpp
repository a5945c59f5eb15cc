#include "lab/crowd/roster.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "experiments/crowdnav/settings.h"

namespace elastane::crowd {
namespace {

using OrderedJson = nlohmann::ordered_json;  // the order of the data is the order of the table

RosterEntry corrected(const std::string& name, const CorrectedOptions& options) {
  validate(options).value();
  return {name, [options](std::size_t people) { return std::make_unique<CorrectedAgent>(options, people); }};
}

std::optional<Reference> reference_of(const OrderedJson& agent) {
  if (!agent.contains("reference")) return std::nullopt;
  const OrderedJson& there = agent["reference"];
  Reference reference{.success = there.at("success").get<double>()};
  if (there.contains("collision")) reference.collision = there["collision"].get<double>();
  if (there.contains("time")) reference.time = there["time"].get<double>();
  return reference;
}

RosterEntry entry_of(const OrderedJson& agent, const Budget& budget) {
  const auto name = agent.at("name").get<std::string>(), kind = agent.at("kind").get<std::string>();
  if (kind == "straight") {
    return {name, [](std::size_t) { return std::make_unique<StraightAgent>(); }, reference_of(agent)};
  }
  if (kind == "orca") {
    const auto safety = agent.at("safety").get<double>();
    return {name, [safety](std::size_t people) { return std::make_unique<OrcaAgent>(safety, people); },
            reference_of(agent)};
  }
  CorrectedOptions options;
  options.budget = budget;
  const OrderedJson changed = agent.value("changed", OrderedJson::object());
  for (const auto& [option, value] : changed.items()) {
    set_option(options, option, value.get<double>());
  }
  return corrected(name, options);
}

// without trailing zeros
std::string short_number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

void set_option(CorrectedOptions& options, const std::string& name, double value) {
  const std::pair<const char*, double*> numbers[] = {
      {"margin", &options.weights.margin}, {"margin growth", &options.weights.margin_growth},
      {"people", &options.weights.people}, {"beyond", &options.weights.beyond},
      {"loyalty", &options.loyalty},       {"smoothness", &options.weights.smoothness},
      {"collision", &options.collision},   {"safe", &options.weights.safe},
  };
  const std::pair<const char*, int*> whole_numbers[] = {
      {"depth", &options.depth}, {"starts", &options.starts}, {"knots", &options.shape.knots}, {"wait", &options.wait}};
  for (const auto& [known, option] : numbers) {
    if (name == known) return void(*option = value);
  }
  for (const auto& [known, option] : whole_numbers) {
    if (name == known) return void(*option = static_cast<int>(value));
  }
  if (name == "reciprocal") return void(options.forecast.reciprocal = value != 0);
  throw std::runtime_error("[crowd] unknown option \"" + name + "\" in experiments/crowdnav/settings/roster.json");
}

std::vector<RosterEntry> roster(const Budget& budget) {
  std::vector<RosterEntry> all;
  const OrderedJson data = OrderedJson::parse(experiments::crowdnav::roster_json);
  for (const OrderedJson& agent : data.at("agents")) all.push_back(entry_of(agent, budget));
  return all;
}

std::vector<RosterEntry> dense_roster() {
  std::vector<RosterEntry> all;
  const OrderedJson data = OrderedJson::parse(experiments::crowdnav::dense_json);
  for (const OrderedJson& agent : data.at("agents")) all.push_back(entry_of(agent, Budget::none()));
  return all;
}

std::vector<RosterEntry> tried_settings() {
  std::vector<RosterEntry> all = {corrected("as it is", {})};
  const OrderedJson data = OrderedJson::parse(experiments::crowdnav::roster_json);
  for (const auto& [name, values] : data.at("tried").items()) {
    for (const double value : values) {
      CorrectedOptions options;
      set_option(options, name, value);
      all.push_back(corrected(name + " " + short_number(value), options));
    }
  }
  return all;
}

}  // namespace elastane::crowd
