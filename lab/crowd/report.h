// The tables of crowdnav as they are printed, and their rows as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lab/crowd/benchmark.h"
#include "lab/crowd/roster.h"

namespace elastane::crowd {

class Report {
 public:
  explicit Report(bool with_reference) : with_reference_(with_reference) {}

  void print(const std::string& text);  // to stdout, and kept
  void heading();
  void row(const RosterEntry& entry, const Results& results);
  void comparison_heading();
  void comparison_row(const std::string& first, const std::string& second, const Comparison& comparison);

  const std::string& text() const { return text_; }
  // what every further row says besides, as {"setting": "circle", "people": 10}
  void set_case(const nlohmann::ordered_json& fields) { case_ = fields; }

  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  nlohmann::ordered_json comparisons = nlohmann::ordered_json::array();

 private:
  nlohmann::ordered_json case_ = nlohmann::ordered_json::object();
  bool with_reference_;  // columns with the figures of the reference program
  std::string text_;
};

}  // namespace elastane::crowd
