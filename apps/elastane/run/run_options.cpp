#include "apps/elastane/run/run_options.h"

#include <filesystem>
#include <stdexcept>

#include "apps/elastane/evaluate/series_options.h"
#include "apps/elastane/verbs.h"

namespace elastane::app {
namespace {

constexpr const char* kRunExamples =
    "Examples:\n"
    "  elastane run --model load.safetensors --input load.csv > forecasts.jsonl\n"
    "  tail -n +1 -f load.csv | elastane run --model load.safetensors | jq -c '[.row, .forecast[0]]'\n"
    "  elastane run --model load.safetensors --input load.csv --snapshot load.snap --resume >> forecasts.jsonl\n"
    "  elastane run --model network.safetensors --input inputs.csv --format csv\n\n"
    "With a network every row is one step; a line has its row and the outputs. Options about learning, series and\n"
    "snapshots are for forecasters.\n\n"
    "Input: separated values (with a header, or numbers only) or JSON lines. Columns are found by the names of the\n"
    "model, in any order; other columns are ignored. Without names they are used by position. If rows have times, "
    "gaps\n"
    "between them are missing rows; otherwise rows are evenly spaced. A column unique_id makes one series per id.\n\n"
    "Output: one line per input row, written at once. The fields of JSON lines: row (from 1); id and time, if there "
    "are\n"
    "any; forecast, lower and upper, with one list per row ahead and one number per target in it; anomaly (a "
    "p-value:\n"
    "the chance of errors as large as this row's if nothing is wrong); learned (corrections that the row brought); "
    "micros\n"
    "(time taken); drift (what has changed: level, scale, season or dynamics; null: nothing). Where true: unusual "
    "(the\n"
    "p-value is below --false-alarms), refused (a value is held until later rows confirm it), stuck (a sensor repeats "
    "its\n"
    "value), changed (a level or unit changed), cold (fewer rows than a season are known), late, bad.\n\n"
    "Invalid rows (too many or too few fields, text instead of a number, a time that is not later) are reported on\n"
    "stderr and count as missing. Their line has \"bad\" and the latest forecast of their series, or null if the "
    "series\n"
    "is not known.\n\n"
    "Snapshots hold the state of every series and the number of rows consumed. --resume continues from the snapshot, "
    "if\n"
    "it exists. With --input, the file is read again from the start and those rows are skipped. Standard input is\n"
    "expected to hold later rows only, with or without the header, unless --replayed is given. The lines are those of "
    "a\n"
    "run without interruption, except for micros and for what depends on --budget-us. After a crash, rows since the "
    "last\n"
    "snapshot are forecast again, with the same numbers: where a row number repeats, drop one of the lines.\n\n"
    "SIGINT and SIGTERM end the run after the current row, with a snapshot; the exit code is then 130 or 143, and 141 "
    "if\n"
    "the reader of the output has left. FILE.lock keeps a second run away from a snapshot.";

void add_learning(command_line::Command& verb, RunOptions& o) {
  ForecasterOptions& f = o.stream.forecaster;
  add_learning_options(verb, o.learning);
  verb.option("--budget-us", o.budget, "microseconds per row for learning (default: no limit)").above(0).hide_default();
  verb.option("--false-alarms", o.false_alarms, "alarms per 1,000 rows if nothing is wrong").range(0.01, 100);
  verb.option("--coverage", f.interval.coverage, "share of values that the intervals should contain")
      .range(0.01, 0.999);
}

void add_snapshots(command_line::Command& verb, RunOptions& o) {
  verb.option("--snapshot", o.snapshot, "file for the state of the run").type("FILE");
  verb.option("--every", o.every, "rows between snapshots; another is written at the end")
      .at_least(1)
      .needs("--snapshot")
      .type("ROWS");
  verb.flag("--resume", o.resume, "continue from the snapshot, if it exists").needs("--snapshot");
  verb.flag("--replayed", o.replayed, "standard input starts again from its first row");
}

RowStreamOptions& set_format(RunOptions& o) {
  std::filesystem::path name = o.input;
  if (name.extension() == ".gz") name = name.stem();
  const std::string extension = name.extension();
  if (extension == ".npy") {
    throw std::runtime_error("[run] " + o.input +
                             ": expected rows as lines of text, found a NumPy array; write it as .csv");
  }
  const bool csv = extension == ".csv" || extension == ".tsv" || extension == ".txt";
  const bool jsonl = extension == ".jsonl" || extension == ".ndjson";
  if (o.input_format == "csv" || (o.input_format == "auto" && csv)) o.stream.format = RowFormat::csv;
  if (o.input_format == "jsonl" || (o.input_format == "auto" && jsonl)) o.stream.format = RowFormat::jsonl;
  return o.stream;
}

}  // namespace

void add_run_options(command_line::Command& verb, RunOptions& o) {
  verb.option("--model", o.model,
              "forecaster, made by elastane train series; or a network, through which rows are streamed")
      .required()
      .type("FILE");
  verb.option("--input", o.input, "rows (default: standard input)").type("FILE").hide_default();
  verb.option("--input-format", o.input_format,
              "format of the rows; auto: by the extension of the file, or else by the first line")
      .one_of({"auto", "csv", "jsonl"});
  verb.option("--format,--output-format", o.output_format, "format of the forecasts").one_of({"csv", "jsonl"});
  add_learning(verb, o);
  verb.option("--start", o.start, "warm: continue where training ended; auto: only if the first row follows soon after")
      .one_of({"auto", "cold", "warm"});
  verb.option("--late", o.stream.late,
              "accept rows that arrive up to N ticks late; one that is d ticks late is replayed with up to 8 d rows")
      .range(0, 100'000);
  add_time_format(verb, o.time_format);
  verb.flag("--strict", o.stream.strict, "stop at the first invalid row, with exit code 1");
  verb.option("--most-series", o.stream.most_series, "maximum number of series; rows of further series are rejected")
      .at_least(1);
  add_snapshots(verb, o);
  verb.option("--report", o.page, "also write a page with forecasts, alarms, errors and times").type("FILE.html");
  verb.flag("--quiet", o.quiet, "suppress statistics; invalid rows are still reported");
  verb.footer(kRunExamples);
}

void complete(RunOptions& o) {
  RowStreamOptions& s = set_format(o);
  s.source = o.input == "-" ? "stdin" : o.input;
  set_learning(o.learning, s.forecaster);
  s.forecaster.alarm.rate = o.false_alarms / 1000;
  s.style.order = date_order(o.time_format);
  s.forecaster.isa = asked_isa();
  s.start = o.start == "warm" ? StartMode::warm : o.start == "cold" ? StartMode::cold : StartMode::automatic;
  if (o.budget > 0) s.budget = Budget::micros(o.budget);
}

}  // namespace elastane::app
