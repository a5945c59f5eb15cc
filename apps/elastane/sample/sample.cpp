// elastane sample: prints a table to try the forecasting verbs on.
#include "lab/series/sample.h"

#include <fmt/core.h>

#include "apps/elastane/verbs.h"

namespace elastane::app {

void add_sample(command_line::Command& program) {
  auto options = std::make_shared<series::SampleOptions>();
  command_line::Command& verb =
      program.command("sample", "Print a sample table: the hourly load of a town whose habits change");
  verb.option("--rows", options->rows, "rows, one per hour").range(1, 10'000'000);
  verb.option("--change", options->change, "the row at which habits change");
  verb.option("--seed", options->seed, "equal seeds give equal tables");
  verb.footer("Example:\n  elastane sample --seed 3 > load.csv");
  verb.action([options] {
    fmt::print("{}", series::sample_table(*options));
    return 0;
  });
}

}  // namespace elastane::app
