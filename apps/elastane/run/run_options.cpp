#include "apps/elastane/run/run_options.h"

#include <filesystem>
#include <map>
#include <stdexcept>

#include "apps/elastane/verbs.h"

namespace elastane::app {
namespace {

const std::map<std::string, RowFormat> kFormats = {{"jsonl", RowFormat::jsonl}, {"csv", RowFormat::csv}};
const std::map<std::string, Gate> kGates = {{"always", Gate::always}, {"gain", Gate::gain}, {"never", Gate::never}};
const std::map<std::string, StartMode> kStarts = {
    {"auto", StartMode::automatic}, {"warm", StartMode::warm}, {"cold", StartMode::cold}};

// an option whose values have names
template <class T>
void add_choice(CLI::App& verb, const char* option, T& to, const std::map<std::string, T>& names, const char* help) {
  std::string all, fallback;
  for (const auto& [name, value] : names) {
    all += (all.empty() ? "" : "|") + name;
    if (value == to) fallback = name;
  }
  verb.add_option_function<std::string>(
          option, [&to, &names](const std::string& name) { to = names.at(name); }, help)
      ->check(CLI::IsMember(names))
      ->type_name(all)
      ->default_str(fallback);
}

constexpr const char* kFooter =
    "Examples:\n"
    "  elastane run --model load.safetensors --input load.csv > forecasts.jsonl\n"
    "  tail -n +1 -f load.csv | elastane run --model load.safetensors | jq -c '[.row, .forecast[0]]'\n"
    "  elastane run --model load.safetensors --input load.csv --snapshot load.snap --resume >> forecasts.jsonl\n\n"
    "Input: separated values (with a header, or numbers only) or JSON lines. Columns are found by the names of the\n"
    "model, in any order; other columns are ignored. Without names they are used by position. If rows have times, "
    "gaps\n"
    "between them are missing rows; otherwise rows are evenly spaced. A column unique_id makes one series per id.\n\n"
    "Output: one line per input row, written at once. The fields of JSON lines: row (from 1); id and time, if there "
    "are\n"
    "any; forecast, lower and upper, with one list per row ahead and one number per target in it; depth (corrections\n"
    "tried); accepted (true if the model was corrected); micros; drift (the alarm is on); late and bad, where true.\n\n"
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
    "SIGINT and SIGTERM end the run after the current row, with a snapshot; the exit code is then 130 or 143.";

void add_learning(CLI::App& verb, RunOptions& o) {
  ForecasterOptions& f = o.stream.forecaster;
  verb.add_option("--metric", o.metric, "how corrections are scaled")
      ->check(CLI::IsMember({"kalman", "latent_covariance", "exact", "euclidean"}))
      ->capture_default_str();
  add_choice(verb, "--gate", f.gate.kind, kGates, "when to correct; gain: where the expected gain exceeds the price");
  verb.add_option("--price", f.gate.price, "price of a correction with --gate gain, in units of the loss")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  verb.add_flag("--no-correction", o.no_correction, "use the model as it was trained; do not learn from the stream");
  verb.add_option("--budget-us", o.budget, "microseconds per row for learning (default: no limit)")
      ->check(CLI::PositiveNumber);
  verb.add_option("--coverage", f.interval.coverage, "share of values that the intervals should contain")
      ->check(CLI::Range(0.01, 0.999))
      ->capture_default_str();
}

}  // namespace

void add_run_options(CLI::App& verb, RunOptions& o) {
  verb.add_option("--model", o.model, "forecaster, made by elastane train series")->required()->type_name("FILE");
  verb.add_option("--input", o.input, "rows (default: standard input)")->type_name("FILE");
  verb.add_option("--input-format", o.input_format,
                  "format of the rows; auto: by the extension of the file, or else by the first line")
      ->check(CLI::IsMember({"auto", "csv", "jsonl"}))
      ->capture_default_str();
  add_choice(verb, "--format,--output-format", o.output_format, kFormats, "format of the forecasts");
  add_learning(verb, o);
  add_choice(verb, "--start", o.stream.start, kStarts,
             "warm: continue where training ended; auto: only if the first row follows soon after");
  verb.add_option("--late", o.stream.late, "accept rows that arrive up to N ticks late")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{100'000}))
      ->capture_default_str();
  verb.add_flag("--strict", o.stream.strict, "stop at the first invalid row, with exit code 1");
  verb.add_option("--most-series", o.stream.most_series,
                  "maximum number of series; rows of further series are rejected")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI::Option* snapshot = verb.add_option("--snapshot", o.snapshot, "file for the state of the run")->type_name("FILE");
  verb.add_option("--every", o.every, "rows between snapshots; another is written at the end")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62))
      ->needs(snapshot)
      ->type_name("ROWS")
      ->capture_default_str();
  verb.add_flag("--resume", o.resume, "continue from the snapshot, if it exists")->needs(snapshot);
  verb.add_flag("--replayed", o.replayed, "standard input starts again from its first row");
  verb.add_flag("--quiet", o.quiet, "suppress statistics; invalid rows are still reported");
  verb.footer(kFooter);
}

void complete(RunOptions& o) {
  RowStreamOptions& s = o.stream;
  s.forecaster.metric = parse_metric(o.metric).value();
  s.forecaster.adapt = !o.no_correction;
  s.forecaster.isa = asked_isa();
  if (o.budget > 0) s.budget = Budget::micros(o.budget);
  s.source = o.input == "-" ? "stdin" : o.input;
  const std::string extension = std::filesystem::path(o.input).extension();
  if (extension == ".npy") {
    throw std::runtime_error("[run] " + o.input +
                             ": expected rows as lines of text, found a NumPy array; write it as .csv");
  }
  const bool csv = extension == ".csv" || extension == ".tsv" || extension == ".txt";
  const bool jsonl = extension == ".jsonl" || extension == ".ndjson";
  if (o.input_format == "csv" || (o.input_format == "auto" && csv)) s.format = RowFormat::csv;
  if (o.input_format == "jsonl" || (o.input_format == "auto" && jsonl)) s.format = RowFormat::jsonl;
}

}  // namespace elastane::app
