#include "apps/elastane/run/run_network.h"

#include <fmt/core.h>

#include <csignal>
#include <stdexcept>

#include "apps/elastane/run/line_sink.h"
#include "apps/elastane/run/line_source.h"
#include "apps/elastane/verbs.h"
#include "command_line/messages.h"
#include "elastane/core/stream/stream.h"
#include "elastane/io/row_reader.h"

namespace elastane::app {
namespace {

void check_options(const command_line::Command& verb, const std::string& model) {
  for (const char* option :
       {"--metric", "--gate", "--price", "--no-correction", "--budget-us", "--coverage", "--start", "--late",
        "--time-format", "--no-guard", "--most-series", "--snapshot", "--every", "--resume", "--replayed"}) {
    if (verb.was_given(option)) {
      throw std::runtime_error(
          fmt::format("[run] {}: is for forecasters, and {} is a network; leave it out", option, model));
    }
  }
}

std::string line_of(std::uint64_t row, std::span<const float> y, RowFormat format) {
  std::string line = format == RowFormat::csv ? fmt::format("{}", row) : fmt::format("{{\"row\":{},\"output\":[", row);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (format == RowFormat::csv || i > 0) line += ',';
    line += fmt::format("{}", y[i]);
  }
  return line + (format == RowFormat::csv ? "\n" : "]}\n");
}

std::string header_of(int outputs) {
  std::string line = "row";
  for (int i = 0; i < outputs; ++i) line += fmt::format(",y{}", i);
  return line + "\n";
}

RowFormat format_of(const RunOptions& options, std::string_view line) {
  if (options.stream.format) return *options.stream.format;
  const std::size_t first = line.find_first_not_of(" \t");
  return first != line.npos && (line[first] == '{' || line[first] == '[') ? RowFormat::jsonl : RowFormat::csv;
}

}  // namespace

int run_network(const RunOptions& options, const command_line::Command& verb) {
  check_options(verb, options.model);
  const Model model = Model::load(options.model, {.isa = asked_isa()}).value();
  Stream stream(model);
  std::signal(SIGPIPE, SIG_IGN);
  command_line::StopSignals stop;
  LineSource source(options.input, stop);
  LineSink sink(stop);
  std::optional<RowReader> reader;
  TableRow row;
  std::vector<float> x(as_size(model.inputs()));
  std::string_view line;
  auto state = LineSink::Result::written;
  std::string text;
  if (options.lines() == RowFormat::csv) state = sink.write(text = header_of(model.outputs()));
  while (state == LineSink::Result::written && source.next(line)) {
    if (!reader)
      reader.emplace(format_of(options, line), options.stream.source, TableOptions{.strict = options.stream.strict});
    if (!reader->feed(line, row).value()) continue;
    if (row.values.size() != x.size()) {
      throw std::runtime_error(fmt::format("[run] {}: expected {} inputs per row, found {} columns of numbers",
                                           options.stream.source, x.size(), row.values.size()));
    }
    std::ranges::copy(row.values, x.begin());
    stream.advance(x);
    state = sink.write(text = line_of(stream.position(), stream.output(), options.lines()));
  }
  if (stop.caught() != 0) return 128 + stop.caught();
  if (state != LineSink::Result::written) return 128 + SIGPIPE;
  if (stream.position() == 0) {
    throw std::runtime_error(fmt::format("[run] {}: expected rows, found none", options.stream.source));
  }
  return 0;
}

}  // namespace elastane::app
