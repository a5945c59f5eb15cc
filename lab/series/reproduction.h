// The tables of `elastane reproduce series`: forecasts under drift and at rest.
//
//   drift       four published series, with the splits of DSOF (ICLR 2025)
//   repeated    their held-out rows, ten times: nothing new to learn
//   synthetic   streams whose changes are known, at rest and with a change
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace elastane::series {

struct ReproductionOptions {
  std::string data;  // folder that holds the published series as series/*.csv; "": they are skipped
  std::vector<std::string> parts = {"drift", "repeated", "synthetic"};
  std::vector<std::string> series;  // published series by name; empty: all
  std::vector<int> horizons = {1, 24, 48};
  std::vector<std::string> methods;  // under drift, by name; empty: all
  bool no_guard = false;             // forecasters without a guard of their input
  int seeds = 3;                     // of the synthetic streams
  std::uint64_t first_seed = 1;
};

// the names that `series` may hold
std::vector<std::string> published_names();

// Passes the tables to `print` line by line, as Markdown, and returns all rows as a JSON list. Throws, with a message for
// the user, if a table cannot be read.
std::string reproduce(const ReproductionOptions& options, const std::function<void(std::string_view line)>& print);

}  // namespace elastane::series
