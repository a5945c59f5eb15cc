// The tables of the plants as they are printed, and their rows as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/plant/protocol.h"

namespace elastane::plant {

class Report {
 public:
  void print(const std::string& text);  // to stdout, and kept
  void heading(const std::string& text);
  // one row for all runs of a change; `published`: what the source reports
  void row(const std::string& table, const std::string& name, const std::vector<Outcome>& runs,
           const std::string& published);

  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace elastane::plant
