// elastane demo lorenz: the shipped model on a noisy Lorenz attractor, step by step, with a sensor that drops out and a
// world that becomes faster midway.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "apps/elastane/demo/demo.h"
#include "apps/elastane/verbs.h"
#include "bench/timing.h"
#include "elastane/core/stream/stream.h"
#include "elastane/io/file.h"
#include "elastane/io/model_file.h"
#include "elastane/io/trace.h"
#include "lab/lorenz/lorenz.h"

namespace elastane::app {
namespace {

using lorenz::kAhead;
using lorenz::Point;
constexpr int kSettle = 50;      // steps before errors count
constexpr double kFaster = 1.4;  // speed of the world after the change
constexpr int kLearning = 1000;  // steps after the change before errors count

using Reading = std::array<float, 3>;

struct Run {
  int change = 0;                 // step from which on the world runs faster
  std::vector<Point> truth;       // at t
  std::vector<Reading> seen;      // noisy, NaN where the sensor was out
  std::vector<Reading> frozen;    // forecast of t + kAhead, made at t
  std::vector<Reading> adapting;  // the same, from a stream that learns from past outcomes
  std::vector<double> micros;     // of a step of the frozen stream
  std::vector<double> learning_micros;
};

// the sensor of x is out for 10 steps in every 400
bool dropped(int t) { return t % 400 >= 300 && t % 400 < 310; }

Reading reading(std::span<const float> y) { return {y[0], y[1], y[2]}; }

// What a stream learns with: the read-out's last layer as persistent coordinates. The outcome of a
// forecast arrives kAhead steps later, so labels are late and history must reach that far back.
StreamOptions adapting_options() {
  StreamOptions options;
  options.history = kAhead + 1;
  options.noise = {0.1F};
  options.corrector = CorrectorOptions{};
  options.corrector->trust.radius = 2;
  options.corrector->trust.largest = 100;
  options.latent.persistent.coordinates.readout_rank = 3;
  options.latent.persistent.latent_variance = 1e-5;
  options.latent.persistent.noise = 1e-6;
  return options;
}

Run run(const Model& model, std::uint64_t seed, int steps, TraceWriter* trace) {
  Run run{.change = steps / 2,
          .truth = lorenz::path(seed, {.steps = steps + kAhead, .change = steps / 2, .pace = kFaster})};
  Stream frozen(model), adapting(model, adapting_options());
  for (int t = 0; t < steps; ++t) {
    Reading x = lorenz::seen(run.truth[t], seed, t);
    if (dropped(t)) x[0] = std::numeric_limits<float>::quiet_NaN();
    run.seen.push_back(x);
    run.micros.push_back(bench::micros([&] { frozen.advance(x); }));
    run.learning_micros.push_back(bench::micros([&] {
      if (t >= kAhead) {
        const std::uint64_t then = adapting.position() - kAhead + 1;
        const StepReport report = adapting.observe(x, then);
        if (trace != nullptr) trace->write(then, adapting.time(), report).value();
      }
      adapting.advance(x);
    }));
    run.frozen.push_back(reading(frozen.output()));
    run.adapting.push_back(reading(adapting.output()));
  }
  return run;
}

struct Errors {
  double frozen = 0, adapting = 0, persistence = 0;
};

// mean squared errors of forecasts made from step `first` up to `last`, where `counts`
template <class Counts>
Errors errors(const Run& run, int first, int last, Counts counts) {
  Errors e;
  double n = 0;
  Reading latest{};
  for (int t = 0; t < last; ++t) {
    for (std::size_t i = 0; i < 3; ++i) latest[i] = std::isfinite(run.seen[t][i]) ? run.seen[t][i] : latest[i];
    if (t < first || !counts(t)) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const double truth = run.truth[t + kAhead][i];
      e.frozen += std::pow(run.frozen[t][i] - truth, 2);
      e.adapting += std::pow(run.adapting[t][i] - truth, 2);
      e.persistence += std::pow(latest[i] - truth, 2);
      n += 1;
    }
  }
  return {e.frozen / n, e.adapting / n, e.persistence / n};
}

// a snapshot midway, and the same steps again from it
bool restores_exactly(const Model& model, const Run& run) {
  Stream stream(model);
  const std::size_t half = run.seen.size() / 2;
  for (std::size_t t = 0; t < half; ++t) stream.advance(run.seen[t]);
  std::vector<std::byte> saved(stream.snapshot_bytes());
  stream.snapshot(saved).value();
  Stream other(model);
  other.restore(saved).value();
  for (std::size_t t = half; t < run.seen.size(); ++t) other.advance(run.seen[t]);
  return std::memcmp(other.output().data(), run.frozen.back().data(), sizeof(run.frozen.back())) == 0;
}

// x over time in the terminal: the truth as a line of dots, forecasts where they differ from it
void plot(const Run& run, int first, int width) {
  constexpr int kHeight = 15;
  std::vector<std::string> grid(kHeight, std::string(static_cast<std::size_t>(width), ' '));
  const auto row = [](double v) {
    return std::clamp(static_cast<int>(std::lround((1.9 - v) / 3.8 * (kHeight - 1))), 0, kHeight - 1);
  };
  for (int c = 0; c < width; ++c) {
    const int t = first + c;
    grid[row(run.frozen[t - kAhead][0])][c] = 'o';
    grid[row(run.adapting[t - kAhead][0])][c] = '*';
    grid[row(run.truth[t][0])][c] = '.';
  }
  for (const std::string& line : grid) fmt::print("  |{}\n", line);
  fmt::print("  x over time, forecasts made {} steps before:  . truth   o frozen   * adapting\n\n", kAhead);
}

std::string polyline(const std::vector<std::pair<double, double>>& points, const char* style) {
  std::string text = "<polyline fill=\"none\" " + std::string(style) + " points=\"";
  for (const auto& [x, y] : points) text += fmt::format("{:.1f},{:.1f} ", x, y);
  return text + "\"/>\n";
}

// the same as a figure
class Figure {
 public:
  Figure(const Run& run, int first, int count) : run_(run), first_(first), count_(count) {}

  std::string svg() const {
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" "
        "font-size=\"13\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
        kWidth, kHeight);
    return out + observations() + change() + lines() + labels() + "</svg>\n";
  }

 private:
  static constexpr double kWidth = 900, kHeight = 260, kLeft = 40, kTop = 34;
  using Place = std::pair<double, double>;

  Place at(int t, double v) const {
    return {kLeft + (kWidth - kLeft - 10) * (t - first_) / count_, kTop + (kHeight - kTop - 30) * (1.9 - v) / 3.8};
  }

  // dots, and shades where the sensor is out
  std::string observations() const {
    std::string shades, dots;
    for (int t = first_; t < first_ + count_; ++t) {
      const auto [x, y] = at(t, dropped(t) ? 0 : run_.seen[t][0]);
      if (dropped(t)) {
        shades += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"#f3d9d9\"/>\n", x,
                              kTop, (kWidth - kLeft - 10) / count_, kHeight - kTop - 30);
      } else {
        dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.4\"/>\n", x, y);
      }
    }
    return shades + "<g fill=\"#9aa5b1\">\n" + dots + "</g>\n";
  }

  std::string change() const {
    if (first_ >= run_.change || run_.change >= first_ + count_) return "";
    return fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#52606d\" stroke-dasharray=\"2 3\"/>\n",
        at(run_.change, 0).first, kTop, kHeight - 30);
  }

  std::string lines() const {
    std::vector<Place> truth, frozen, adapting;
    for (int t = first_; t < first_ + count_; ++t) {
      truth.push_back(at(t, run_.truth[t][0]));
      frozen.push_back(at(t, run_.frozen[t - kAhead][0]));
      adapting.push_back(at(t, run_.adapting[t - kAhead][0]));
    }
    return polyline(truth, "stroke=\"#1f2933\" stroke-width=\"1.6\"") +
           polyline(frozen, "stroke=\"#d64545\" stroke-width=\"1.4\" stroke-dasharray=\"5 3\"") +
           polyline(adapting, "stroke=\"#2f7fd1\" stroke-width=\"1.6\" stroke-dasharray=\"5 3\"");
  }

  std::string labels() const {
    return fmt::format(
               "<text x=\"{}\" y=\"20\" fill=\"#1f2933\">Lorenz x: <tspan font-weight=\"bold\">truth</tspan>, "
               "<tspan fill=\"#9aa5b1\">noisy observations</tspan>; forecasts made {} steps before: "
               "<tspan fill=\"#d64545\">frozen</tspan>, <tspan fill=\"#2f7fd1\">adapting</tspan>; shaded: a sensor is "
               "out</text>\n",
               kLeft, kAhead) +
           fmt::format(
               "<text x=\"{}\" y=\"{}\" fill=\"#52606d\">step {} to {}; at step {} the world began to run {} times "
               "as fast</text>\n",
               kLeft, kHeight - 8, first_, first_ + count_, run_.change, kFaster);
  }

  const Run& run_;
  int first_, count_;
};

void print_errors(const Run& r, int steps) {
  fmt::print("| mean squared error | frozen | adapting | last value repeated |\n| --- | --: | --: | --: |\n");
  const auto row = [&](const char* name, const Errors& e) {
    fmt::print("| {} | {:.5f} | {:.5f} | {:.5f} |\n", name, e.frozen, e.adapting, e.persistence);
  };
  const auto all = [](int) { return true; };
  row("as trained", errors(r, kSettle, r.change - kAhead, all));
  row("while the sensor is out", errors(r, kSettle, r.change - kAhead, dropped));
  row("after the change, 1000 steps to learn", errors(r, r.change + kLearning, steps, all));
}

}  // namespace

void demo_lorenz(const DemoOptions& options) {
  const Model model = Model::load(options.model, {.isa = asked_isa()}).value();
  if (model.inputs() != 3 || model.outputs() != 3)
    throw std::runtime_error("[demo] expected the Lorenz model, with 3 channels in and out");
  std::optional<TraceWriter> trace;
  if (!options.trace.empty()) trace.emplace(TraceWriter::open(options.trace).value());
  const Run r = run(model, options.seed, options.steps, trace ? &*trace : nullptr);
  if (trace) trace->close().value();

  fmt::print("A model of {} weights watches a noisy Lorenz attractor and forecasts it {} steps ahead.\n",
             model.parameters(), kAhead);
  fmt::print("For 10 steps in every 400 the sensor of x is out. From step {} on the world runs {} times as fast.\n",
             r.change, kFaster);
  fmt::print("One stream stays frozen; the other learns from the outcome of each forecast, {} steps later.\n\n",
             kAhead);
  plot(r, r.change + kLearning, 110);
  print_errors(r, options.steps);
  const bench::Quantiles q = bench::quantiles(r.micros), learning = bench::quantiles(r.learning_micros);
  fmt::print("\nOne step: p50 {:.2f} µs, p99 {:.2f} µs ({} kernels); state {} bytes.\n", q.p50, q.p99,
             name(model.isa()), model.state_bytes());
  fmt::print("One step with its late label ({} steps taken again, {} corrections): p50 {:.1f} µs, p99 {:.1f} µs.\n",
             kAhead, kAhead, learning.p50, learning.p99);
  fmt::print("Snapshot midway, restored, continued: {}.\n",
             restores_exactly(model, r) ? "every bit of the last output is the same" : "THE OUTPUT DIFFERS");
  if (options.figure.empty()) return;
  const std::string svg = Figure(r, r.change - 100, 400).svg();
  write_file(options.figure, std::as_bytes(std::span(svg))).value();
}

}  // namespace elastane::app
