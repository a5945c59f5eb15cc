// elastane sample: prints a table to try the forecasting verbs on.
#include "lab/series/sample.h"

#include <fmt/core.h>

#include "apps/elastane/verbs.h"

namespace elastane::app {

void add_sample(CLI::App& app) {
  auto options = std::make_shared<series::SampleOptions>();
  CLI::App* verb = app.add_subcommand("sample", "Print a sample table: the hourly load of a town whose habits change");
  verb->add_option("--rows", options->rows, "rows, one per hour")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  verb->add_option("--change", options->change, "the row at which habits change")->capture_default_str();
  verb->add_option("--seed", options->seed, "equal seeds give equal tables")->capture_default_str();
  verb->footer("Example:\n  elastane sample --seed 3 > load.csv");
  verb->callback([options] { fmt::print("{}", series::sample_table(*options)); });
}

}  // namespace elastane::app
