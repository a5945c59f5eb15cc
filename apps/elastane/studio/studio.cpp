// elastane studio: a recorded run as a page to look at.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "apps/elastane/feed/row_source.h"
#include "apps/elastane/verbs.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/io/file.h"
#include "elastane/io/json.h"
#include "web/studio_page.h"

namespace elastane::app {
namespace {

constexpr const char* kStudioExamples =
    "Examples:\n"
    "  elastane run --model load.safetensors --input load.csv > run.jsonl\n"
    "  elastane studio run.jsonl\n"
    "  elastane studio run.jsonl --rows load.csv --model load.safetensors -o load.html\n\n"
    "With the rows that the run read, the page shows them beside the forecasts. The studio of a running service is at\n"
    "its address /studio.";

struct StudioOptions {
  std::string input, rows, model, output = "studio.html";
};

// Throws at the first line that a run did not write; one that was not finished is left out.
std::string read_lines(const std::string& path) {
  const auto file = FileContent::read_all(path).value();
  std::string text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  text.resize(text.rfind('\n') + 1);
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    const auto line = parse_json(std::string_view(text).substr(begin, text.find('\n', begin) - begin));
    number += 1;
    if (line && line->is_object() && line->contains("forecast") && line->contains("row")) continue;
    throw std::runtime_error(fmt::format(
        "[studio] {}: line {}: expected a forecast of elastane run, as JSON, found something else", path, number));
  }
  if (number == 0) throw std::runtime_error(fmt::format("[studio] {}: expected forecasts, found none", path));
  return text;
}

// Rows as lines of JSON, with the number that the run gave them; the first one also names the channels. A row that cannot be
// read has a number all the same.
std::string rows_as_lines(const StudioOptions& o) {
  const auto channels = load_forecast_model(o.model).value()->names;
  const command_line::StopSignals stop;
  RowSource source({.input = o.rows, .id = "run", .spool = "", .channels = channels, .format = {}, .skips_bad = true},
                   stop);
  std::string text;
  serve::RowBatch row;
  for (std::uint64_t number = 1; source.next(row); ++number) {
    nlohmann::ordered_json line = {{"row", number}, {"values", row.values}};  // what is missing is null
    if (number == 1) line["channels"] = channels;
    text += line.dump() + "\n";
  }
  return text;
}

}  // namespace

void add_studio(command_line::Command& program) {
  auto options = std::make_shared<StudioOptions>();
  command_line::Command& verb = program.command("studio", "Write a page that shows the forecasts of a recorded run");
  verb.option("input", options->input, "lines of elastane run, as JSON").required().type("FILE");
  verb.option("--rows", options->rows, "the table that the run read").type("FILE").needs("--model");
  verb.option("--model", options->model, "its forecaster, for the names of the columns").type("FILE").needs("--rows");
  verb.option("-o,--output", options->output, "the page").type("FILE");
  verb.footer(kStudioExamples);
  verb.action([options] {
    const std::string rows = options->rows.empty() ? "" : rows_as_lines(*options);
    const std::string page = web::recorded_studio(read_lines(options->input), rows);
    write_file(options->output, std::as_bytes(std::span(page))).value();
    fmt::print("{}\n", options->output);
    return 0;
  });
}

}  // namespace elastane::app
