#include "apps/elastane/run/run_options.h"

#include <filesystem>
#include <map>
#include <stdexcept>

#include "apps/elastane/verbs.h"

namespace elastane::app {
namespace {

const std::map<std::string, RowFormat> kFormats = {{"jsonl", RowFormat::jsonl}, {"csv", RowFormat::csv}};
const std::map<std::string, Gate> kGates = {{"always", Gate::always}, {"gain", Gate::gain}, {"never", Gate::never}};
const std::map<std::string, Start> kStarts = {{"auto", Start::automatic}, {"warm", Start::warm}, {"cold", Start::cold}};

// names in place of numbers, in help as well
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
    "Input: separated values (with a header, or numbers only) or JSON lines. Columns are found by the model's names,\n"
    "whatever their order; others are passed over. Without names they are taken by position. Where rows have times,\n"
    "gaps between them are missing rows; without, rows are evenly spaced. A column unique_id keeps one stream an "
    "id.\n\n"
    "Output: one line for every row of the input, written at once. As JSON: row (from 1), id and time (where there "
    "are\n"
    "some), forecast, lower and upper (a list for each row ahead, a number for each target), depth (K: corrections\n"
    "tried), accepted (did they move the model?), micros, drift (the alarm is on), late and bad (where true).\n\n"
    "A bad row (fields too many or few, text for a number, a time that is not later) is told on stderr and counts as\n"
    "missing; its line has the stream's latest forecast, or null if it is not known which stream that is.\n\n"
    "Snapshots hold every stream, and how many rows of the input were consumed. --resume goes on from one if it is\n"
    "there. With --input the file is read again from its beginning and those rows are passed over; the standard input "
    "is\n"
    "expected to hold later rows only (with or without the header), unless --replayed is given. Lines go on as if\n"
    "nothing had happened, but for micros, and for what depends on --budget-us. After a crash, rows since the last\n"
    "snapshot are forecast again, with the same numbers: where row repeats, drop one.\n\n"
    "SIGINT and SIGTERM end a run after the row at hand, with a snapshot; the exit code is 130 or 143.";

void add_learning(CLI::App& verb, RunOptions& o) {
  ForecasterOptions& f = o.stream.forecaster;
  verb.add_option("--metric", o.metric, "how corrections are scaled")
      ->check(CLI::IsMember({"kalman", "latent_covariance", "exact", "euclidean"}))
      ->capture_default_str();
  add_choice(verb, "--gate", f.gate.kind, kGates, "when to correct; gain: where it beats the price");
  verb.add_option("--price", f.gate.price, "of a correction under --gate gain, in units of the loss")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  verb.add_flag("--no-correction", o.no_correction, "the model as it was trained, without learning from the stream");
  verb.add_option("--budget-us", o.budget, "microseconds a row may spend on learning (default: no limit)")
      ->check(CLI::PositiveNumber);
  verb.add_option("--coverage", f.interval.coverage, "share of labels that intervals should hold")
      ->check(CLI::Range(0.01, 0.999))
      ->capture_default_str();
}

}  // namespace

void add_run_options(CLI::App& verb, RunOptions& o) {
  verb.add_option("--model", o.model, "a forecaster, made by elastane train series")->required()->type_name("FILE");
  verb.add_option("--input", o.input, "rows (default: the standard input)")->type_name("FILE");
  verb.add_option("--input-format", o.input_format, "of the rows; auto: by the file's extension, else the first line")
      ->check(CLI::IsMember({"auto", "csv", "jsonl"}))
      ->capture_default_str();
  add_choice(verb, "--format,--output-format", o.output_format, kFormats, "of the forecasts");
  add_learning(verb, o);
  add_choice(verb, "--start", o.stream.start, kStarts,
             "warm: go on where training ended; auto: if the first row comes soon after");
  verb.add_option("--late", o.stream.late, "rows that come up to so many ticks late are put in their place")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{100'000}))
      ->capture_default_str();
  verb.add_flag("--strict", o.stream.strict, "stop at the first bad row, with exit code 1");
  verb.add_option("--most-series", o.stream.most_streams, "ids to keep a stream of; rows of others are bad")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI::Option* snapshot = verb.add_option("--snapshot", o.snapshot, "where to keep the state")->type_name("FILE");
  verb.add_option("--every", o.every, "rows between snapshots; there is one at the end as well")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62))
      ->needs(snapshot)
      ->type_name("ROWS")
      ->capture_default_str();
  verb.add_flag("--resume", o.resume, "go on from the snapshot, if there is one")->needs(snapshot);
  verb.add_flag("--replayed", o.replayed, "the standard input begins where it began the first time");
  verb.add_flag("--quiet", o.quiet, "no figures on stderr; bad rows are still told");
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
