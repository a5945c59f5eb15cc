// elastane run: rows in, forecasts out, one line each, as they come.
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "apps/elastane/run/forecast_lines.h"
#include "apps/elastane/run/line_source.h"
#include "apps/elastane/run/run_options.h"
#include "apps/elastane/run/run_report.h"
#include "apps/elastane/verbs.h"
#include "elastane/io/forecast_file.h"

namespace elastane::app {
namespace {

void say(const std::string& text) { fmt::print(stderr, "elastane run: {}\n", text); }

// whole lines at once, so that readers of a pipe never see half of one; false: nobody reads any more
bool write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {  // others may have made the pipe so
      pollfd wait = {STDOUT_FILENO, POLLOUT, 0};
      ::poll(&wait, 1, -1);
      continue;
    }
    if (count < 0 && errno == EPIPE) return false;
    if (count < 0) throw std::runtime_error(fmt::format("[run] stdout: cannot write: {}", std::strerror(errno)));
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

class Run {
 public:
  explicit Run(const RunOptions& options)
      : options_(options),
        model_(load_forecast_model(options.model).value()),
        stream_(model_, options.stream),
        resumed_(resume()),
        lines_(options.output_format, *model_, !resumed_),
        before_(stream_.rows()) {}

  // the exit code
  int operator()() {
    std::signal(SIGPIPE, SIG_IGN);  // a reader that left is told by write
    const command_line::StopSignals stop;
    LineSource source(options_.input, stop);
    if (!options_.quiet) say(describe_alarm(*model_));
    try {
      if (!follow(source) || (stop.caught() == 0 && !end())) return 0;
    } catch (const std::exception&) {
      save();  // of all that was written before
      throw;
    }
    save();
    if (!options_.quiet) say(describe_run(stream_, times_, options_.stream.forecaster.interval.coverage, before_));
    return stop.caught() == 0 ? 0 : 128 + stop.caught();
  }

 private:
  bool resume() {
    if (!options_.resume || !std::filesystem::exists(options_.snapshot)) return false;
    const bool again = options_.input != "-" || options_.replayed;
    stream_.restore(load_forecast_snapshot(options_.snapshot).value(),
                    again ? RowStream::Input::again : RowStream::Input::continued);
    return true;
  }

  // false: nobody reads any more
  bool follow(LineSource& source) {
    std::string_view line;
    while (source.next(line)) {
      if (!stream_.feed(line)) continue;
      if (!publish()) return false;
      if ((stream_.rows() - before_) % options_.every == 0) save();
    }
    return true;
  }

  bool end() {
    if (stream_.finish() && !publish()) return false;
    if (stream_.rows_to_skip() > 0) {
      throw std::runtime_error(fmt::format("[run] {}: expected the {} rows that the snapshot has seen, found {}",
                                           options_.stream.source, before_, before_ - stream_.rows_to_skip()));
    }
    if (stream_.rows() == 0)
      throw std::runtime_error(fmt::format("[run] {}: expected rows, found none", options_.stream.source));
    text_.clear();
    lines_.finish(stream_, text_);
    return write_out(text_);
  }

  // the line of the last row
  bool publish() {
    const RowOutcome& outcome = stream_.outcome();
    if (!outcome.note.empty()) say(outcome.note);
    if (!outcome.bad.empty()) say(fmt::format("row {}: {}; counts as missing", outcome.row, outcome.bad));
    if (outcome.report.elapsed > 0) times_.add(outcome.report.elapsed);
    text_.clear();
    lines_.append(stream_, text_);
    return write_out(text_);
  }

  void save() {
    if (options_.snapshot.empty() || !stream_.has_begun() || stream_.rows_to_skip() > 0) return;
    save_forecast_snapshot(options_.snapshot, stream_.snapshot()).value();
  }

  const RunOptions& options_;
  SharedForecastModel model_;
  RowStream stream_;
  bool resumed_;
  ForecastLines lines_;
  std::uint64_t before_;
  TimeHistogram times_;
  std::string text_;
};

}  // namespace

void add_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "Forecast a stream: a row in, a line out");
  add_run_options(*verb, *options);
  verb->callback([options] {
    complete(*options);
    if (const int code = Run(*options)(); code != 0) std::exit(code);
  });
}

}  // namespace elastane::app
