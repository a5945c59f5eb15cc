// elastane run: forecasts each row as it arrives, one line per row.
#include <fmt/core.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "apps/elastane/run/line_sink.h"
#include "apps/elastane/run/line_source.h"
#include "apps/elastane/run/run_network.h"
#include "apps/elastane/run/run_options.h"
#include "apps/elastane/run/run_page.h"
#include "apps/elastane/run/run_report.h"
#include "apps/elastane/run/snapshot_lock.h"
#include "apps/elastane/verbs.h"
#include "command_line/messages.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/forecast/forecast_lines.h"
#include "elastane/io/file.h"
#include "elastane/io/safetensors.h"

namespace elastane::app {
namespace {

constexpr std::uint64_t kListed = 20;       // invalid rows that are reported one by one
constexpr std::size_t kBatch = 1 << 15;     // bytes that are written together while more input is there
constexpr std::uint64_t kHopeless = 100;    // rows after which a run ends if most of them are invalid
constexpr int kReaderLeft = 128 + SIGPIPE;  // exit code

void report(const std::string& text) {
  command_line::print_stderr("elastane run: {}\n", command_line::printable(text));
}

class Run {
 public:
  explicit Run(const RunOptions& options)
      : options_(options),
        lock_(options.snapshot),
        model_(load_forecast_model(options.model).value()),
        stream_(model_, options.stream),
        resumed_(resume()),
        lines_(options.lines(), *model_, !resumed_),
        before_(stream_.rows()),
        sink_(stop_) {}

  // the exit code
  int operator()() {
    std::signal(SIGPIPE, SIG_IGN);  // write says when the reader has left
    if (!options_.page.empty()) check_writable(options_.page).value();
    LineSource source(options_.input, stop_);
    if (!options_.quiet) report(describe_alarm(*model_, options_.stream.forecaster.alarm.rate));
    try {
      write_pending();
      if (pending_.empty()) read_rows(source);
      if (pending_.empty() && stop_.caught() == 0) finish_rows();
      write_batch();
    } catch (const std::exception&) {
      save_what_is_left();
      throw;
    }
    save();
    write_page();
    if (!options_.quiet) report(describe_run(stream_, times_, options_.stream.forecaster.interval.coverage, before_));
    if (stop_.caught() != 0) return 128 + stop_.caught();
    if (!pending_.empty()) return kReaderLeft;
    check_valid_rows();
    return 0;
  }

 private:
  bool resume() {
    std::error_code error;
    if (!options_.resume || !std::filesystem::exists(options_.snapshot, error)) {
      if (options_.resume && error) {
        throw std::runtime_error(fmt::format("[snapshot] {}: cannot open: {}", options_.snapshot, error.message()));
      }
      return false;
    }
    const bool is_replayed = options_.input != "-" || options_.replayed;
    const ForecastSnapshot snapshot = load_forecast_snapshot(options_.snapshot).value();
    stream_.restore(snapshot, is_replayed ? RowStream::Input::all_rows : RowStream::Input::later_rows).value();
    pending_ = snapshot.pending;
    return true;
  }

  // a line that an earlier run could not write, after what it wrote of it
  void write_pending() {
    if (!resumed_) return;
    if (sink_.cut_torn_line()) report("the output ended in a part of a line, which was removed");
    write_out(std::exchange(pending_, {}));
  }

  void read_rows(LineSource& source) {
    std::string_view line;
    while (pending_.empty() && source.next(line)) {
      if (source.is_torn() && leaves_torn_line()) return;
      if (!stream_.feed_line(line).value()) {
        if (!source.has_line()) write_batch();
        continue;
      }
      publish();
      // at once, unless more rows are there already
      if (batch_.size() > kBatch || !source.has_line()) write_batch();
      if ((stream_.rows() - before_) % options_.every == 0) save();
      if (stream_.rows() == kHopeless && before_ == 0) check_first_rows();
    }
  }

  // the last line of a file, without a newline, may still be being written
  bool leaves_torn_line() const {
    if (options_.input == "-") return false;
    const bool is_left = !options_.snapshot.empty();
    report(fmt::format("{}: its last line has no newline; {}", options_.stream.source,
                       is_left ? "it is left for the next run" : "it is taken as it is"));
    return is_left;
  }

  void check_valid_rows() const {
    if (stream_.rows() == 0 || stream_.invalid_rows() < stream_.rows()) return;
    throw std::runtime_error(fmt::format("[run] {}: expected rows, found {}, all of them invalid; the last: {}",
                                         options_.stream.source, stream_.rows(), stream_.outcome().invalid));
  }

  // input in which most rows are invalid was not meant to be read like this
  void check_first_rows() const {
    if (2 * stream_.invalid_rows() <= stream_.rows()) return;
    throw std::runtime_error(
        fmt::format("[run] {}: {} of the first {} rows are invalid, so the run stops; the last: {}",
                    options_.stream.source, stream_.invalid_rows(), stream_.rows(), last_invalid_));
  }

  void finish_rows() {
    if (stream_.finish().value()) publish();
    write_batch();
    if (stream_.rows_to_skip() > 0) {
      throw std::runtime_error(fmt::format("[run] {}: expected the {} rows that the snapshot has consumed, found {}",
                                           options_.stream.source, before_, before_ - stream_.rows_to_skip()));
    }
    if (stream_.rows() == 0)
      throw std::runtime_error(fmt::format("[run] {}: expected rows, found none", options_.stream.source));
    text_.clear();
    lines_.finish(stream_, text_);
    if (pending_.empty()) write_out(text_);
  }

  // writes the line of the last row
  void publish() {
    const RowOutcome& outcome = stream_.outcome();
    if (!outcome.note.empty()) report(outcome.note);
    if (!outcome.invalid.empty()) report_invalid(outcome);
    if (outcome.report.elapsed > 0) times_.add(outcome.report.elapsed);
    if (!options_.page.empty()) page_.add(outcome);
    lines_.append_line(stream_, batch_);
  }

  void write_batch() { write_out(std::exchange(batch_, {})); }

  // what is not written stays pending
  void write_out(std::string text) {
    pending_ += text;
    if (!pending_.empty()) sink_.write(pending_);
  }

  // after a failure: the lines of earlier rows, or a snapshot that holds them
  void save_what_is_left() {
    pending_ += std::exchange(batch_, {});
    try {
      write_out({});
    } catch (const std::exception&) {  // they stay pending
    }
    save();
  }

  // the first ones each, then a count at 100, 1,000, …: a log must not grow with the input
  void report_invalid(const RowOutcome& outcome) {
    last_invalid_ = outcome.invalid;
    reported_ += 1;
    if (reported_ <= kListed) report(fmt::format("row {}: {}; counts as missing", outcome.row, outcome.invalid));
    if (reported_ == kListed) report("further invalid rows are counted, not listed");
    if (reported_ < next_count_) return;
    report(fmt::format("{} invalid rows so far; the last, row {}: {}", reported_, outcome.row, outcome.invalid));
    next_count_ *= 10;
  }

  void write_page() const {
    if (options_.page.empty()) return;
    const std::string summary = describe_run(stream_, times_, options_.stream.forecaster.interval.coverage, before_);
    const std::string html = page_.html(*model_, options_.stream.source, summary);
    write_file(options_.page, std::as_bytes(std::span(html))).value();
  }

  // lines first, then the snapshot that counts their rows
  void save() {
    if (options_.snapshot.empty() || stream_.rows() == 0 || stream_.rows_to_skip() > 0) return;
    if (pending_.empty()) write_batch();
    sink_.flush_to_disk();
    ForecastSnapshot snapshot = stream_.snapshot();
    snapshot.pending = pending_ + batch_;
    save_forecast_snapshot(options_.snapshot, snapshot).value();
  }

  const RunOptions& options_;
  SnapshotLock lock_;
  SharedForecastModel model_;
  RowStream stream_;
  std::string pending_;  // lines of rows that are consumed, not yet written
  bool resumed_;
  ForecastLines lines_;
  std::uint64_t before_;
  command_line::StopSignals stop_;
  LineSink sink_;
  TimeHistogram times_;
  RunPage page_;
  std::string text_, batch_;  // batch: lines of rows that are consumed, to be written together
  std::string last_invalid_;
  std::uint64_t reported_ = 0, next_count_ = 100;
};

}  // namespace

void add_run(command_line::Command& program) {
  auto options = std::make_shared<RunOptions>();
  command_line::Command& verb = program.command("run", "Forecast rows as they arrive: one line out per row in");
  add_run_options(verb, *options);
  verb.action([options, &verb] {
    complete(*options);
    const FileContent file = FileContent::open(options->model).value();
    const auto content = parse_safetensors(file.bytes(), options->model);
    if (content && content->metadata.contains("elastane")) return run_network(*options, verb);
    return Run(*options)();
  });
}

}  // namespace elastane::app
