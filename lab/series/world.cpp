#include "lab/series/world.h"

#include <cstdio>
#include <memory>

#include "elastane/io/file.h"
#include "lab/data_folder.h"
#include "lab/series/reproduction.h"
#include "lab/series/rough_reproduction.h"

namespace elastane::series {
namespace {

struct Files {
  ReproductionOptions options;
  std::string json, markdown;
};

void write_text(const std::string& path, const std::string& text) {
  if (!path.empty()) write_file(path, std::as_bytes(std::span(text))).value();
}

int reproduce_tables(const Files& files) {
  std::string tables;
  const std::string rows = reproduce(files.options, [&](std::string_view line) {
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fflush(stdout);
    tables += line;
  });
  write_text(files.json, rows);
  write_text(files.markdown, tables);
  return 0;
}

void declare(command_line::Command& command) {
  auto files = std::make_shared<Files>();
  ReproductionOptions& o = files->options;
  o.data = lab::data_folder();
  command.option("--data", o.data, "folder that holds the published series as series/*.csv (default: $ELASTANE_DATA)")
      .type("DIR")
      .hide_default();
  command.option("--part", o.parts, "tables to make").one_of({"drift", "repeated", "synthetic"});
  command.option("--series", o.series, "published series to use (default: all)").one_of(published_names());
  command.option("--horizon", o.horizons, "rows ahead").range(1, 10'000);
  command.option("--methods", o.methods, "methods under drift, by their names in the table (default: all)");
  command.flag("--no-guard", o.no_guard, "forecasters without a guard of their input");
  command.option("--seeds", o.seeds, "number of synthetic streams of each kind").range(1, 1000);
  command.option("--first-seed", o.first_seed, "seed of the first synthetic stream");
  command.option("--json", files->json, "also write the rows to this file").type("FILE");
  command.option("--markdown", files->markdown, "also write the tables to this file").type("FILE");
  command.footer("Example:\n  elastane reproduce series --data DIR --horizon 24 --json rows.json");
  command.action([files] { return reproduce_tables(*files); });
}

}  // namespace

lab::World world() {
  return {.name = "series",
          .what = "forecasts of published and synthetic series, under drift and at rest",
          .reproductions = {{.name = "series",
                             .what = "forecasts under drift and at rest, against baselines",
                             .cost = "40 minutes on one core",
                             .declare = declare},
                            {.name = "rough_series",
                             .what = "forecasts of streams with spikes, jumps, changes of unit, stuck sensors, gaps",
                             .cost = "10 minutes on one core",
                             .declare = declare_rough_series},
                            {.name = "quiet_series",
                             .what = "what adapting costs, and what intervals cover, where nothing happens",
                             .cost = "2 minutes on one core",
                             .declare = declare_quiet_series}}};
}

}  // namespace elastane::series
