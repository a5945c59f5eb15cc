// elastane demo: the shipped model on a noisy Lorenz attractor, step by step, with a sensor that drops out.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "apps/elastane/timing.h"
#include "apps/elastane/verbs.h"
#include "elastane/core/base/random.h"
#include "elastane/core/stream.h"
#include "elastane/io/file.h"
#include "elastane/io/model_file.h"

namespace elastane::app {
namespace {

constexpr int kAhead = 5;        // steps the model looks ahead
constexpr double kStep = 0.02;   // seconds
constexpr double kNoise = 0.05;  // of the observations
constexpr int kSettle = 50;      // steps before errors count

using Point = std::array<double, 3>;

// dx/dt of Lorenz 1963
Point slope(const Point& p) { return {10 * (p[1] - p[0]), p[0] * (28 - p[2]) - p[1], p[0] * p[1] - 8.0 / 3 * p[2]}; }

Point moved(const Point& p, const Point& d, double h) { return {p[0] + h * d[0], p[1] + h * d[1], p[2] + h * d[2]}; }

Point runge_kutta(const Point& p) {
  const Point a = slope(p), b = slope(moved(p, a, kStep / 2)), c = slope(moved(p, b, kStep / 2)),
              d = slope(moved(p, c, kStep));
  Point next = p;
  for (int i = 0; i < 3; ++i) next[i] += kStep / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  return next;
}

// the attractor in the model's units
std::vector<Point> attractor(std::uint64_t seed, int steps) {
  Random random(seed);
  Point p = {random.uniform(-10, 10), random.uniform(-10, 10), random.uniform(15, 35)};
  for (int t = 0; t < 500; ++t) p = runge_kutta(p);
  std::vector<Point> path;
  for (int t = 0; t < steps; ++t, p = runge_kutta(p)) path.push_back({p[0] / 10, p[1] / 10, (p[2] - 25) / 10});
  return path;
}

struct Trace {
  std::vector<Point> truth;                    // at t
  std::vector<std::array<float, 3>> seen;      // noisy, NaN where the sensor was out
  std::vector<std::array<float, 3>> forecast;  // of t + kAhead, made at t
  std::vector<double> micros;
};

// the sensor of x is out for 10 steps in every 400
bool dropped(int t) { return t % 400 >= 300 && t % 400 < 310; }

Trace run(Stream& stream, std::uint64_t seed, int steps) {
  Trace trace{.truth = attractor(seed, steps + kAhead), .seen = {}, .forecast = {}, .micros = {}};
  Random random(seed, 1'000'000);
  for (int t = 0; t < steps; ++t) {
    std::array<float, 3> x{};
    for (std::size_t i = 0; i < 3; ++i) x[i] = static_cast<float>(trace.truth[t][i] + kNoise * random.normal());
    if (dropped(t)) x[0] = std::numeric_limits<float>::quiet_NaN();
    trace.seen.push_back(x);
    trace.micros.push_back(micros([&] { stream.advance(x); }));
    trace.forecast.push_back({stream.output()[0], stream.output()[1], stream.output()[2]});
  }
  return trace;
}

struct Errors {
  double model = 0, persistence = 0, model_dropped = 0, persistence_dropped = 0;
};

Errors errors(const Trace& trace) {
  Errors e;
  double n = 0, n_dropped = 0;
  std::array<float, 3> last{};
  for (std::size_t t = 0; t < trace.seen.size(); ++t) {
    for (std::size_t i = 0; i < 3; ++i) last[i] = std::isfinite(trace.seen[t][i]) ? trace.seen[t][i] : last[i];
    if (t < kSettle) continue;
    double model = 0, persistence = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double truth = trace.truth[t + kAhead][i];
      model += std::pow(trace.forecast[t][i] - truth, 2) / 3;
      persistence += std::pow(last[i] - truth, 2) / 3;
    }
    e.model += model;
    e.persistence += persistence;
    n += 1;
    if (!dropped(static_cast<int>(t))) continue;
    e.model_dropped += model;
    e.persistence_dropped += persistence;
    n_dropped += 1;
  }
  return {e.model / n, e.persistence / n, e.model_dropped / n_dropped, e.persistence_dropped / n_dropped};
}

// a snapshot in mid-stream, and the same steps again from it
bool restores_exactly(const Model& model, const Trace& trace) {
  Stream stream(model);
  const std::size_t half = trace.seen.size() / 2;
  for (std::size_t t = 0; t < half; ++t) stream.advance(trace.seen[t]);
  std::vector<std::byte> saved(stream.snapshot_bytes());
  stream.snapshot(saved).value();
  Stream other(model);
  other.restore(saved).value();
  for (std::size_t t = half; t < trace.seen.size(); ++t) other.advance(trace.seen[t]);
  return std::memcmp(other.output().data(), trace.forecast.back().data(), sizeof(trace.forecast.back())) == 0;
}

// x over time in the terminal: the truth as a line of dots, the forecast where it differs
void plot(const Trace& trace, int first, int width) {
  constexpr int kHeight = 15;
  std::vector<std::string> grid(kHeight, std::string(static_cast<std::size_t>(width), ' '));
  const auto row = [](double v) {
    return std::clamp(static_cast<int>(std::lround((1.9 - v) / 3.8 * (kHeight - 1))), 0, kHeight - 1);
  };
  for (int c = 0; c < width; ++c) {
    const int t = first + c;
    grid[row(trace.forecast[t - kAhead][0])][c] = 'o';
    grid[row(trace.truth[t][0])][c] = '.';
    if (dropped(t)) grid[kHeight - 1][c] = '#';
  }
  for (const std::string& line : grid) fmt::print("  |{}\n", line);
  fmt::print("  x over time:  . truth   o forecast made {} steps before, where it differs   # sensor of x out\n\n",
             kAhead);
}

std::string polyline(const std::vector<std::pair<double, double>>& points, const char* style) {
  std::string text = "<polyline fill=\"none\" " + std::string(style) + " points=\"";
  for (const auto& [x, y] : points) text += fmt::format("{:.1f},{:.1f} ", x, y);
  return text + "\"/>\n";
}

// the same as a figure
void draw(const Trace& trace, int first, int count, const std::string& path) {
  const double w = 900, h = 260, left = 40, top = 34;
  const auto at = [&](int t, double v) {
    return std::pair(left + (w - left - 10) * (t - first) / count, top + (h - top - 30) * (1.9 - v) / 3.8);
  };
  std::vector<std::pair<double, double>> truth, forecast, seen;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      w, h);
  std::string dots;
  for (int t = first; t < first + count; ++t) {
    truth.push_back(at(t, trace.truth[t][0]));
    forecast.push_back(at(t, trace.forecast[t - kAhead][0]));
    if (dropped(t)) {
      const auto [x, y] = at(t, 0);
      out += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"#f3d9d9\"/>\n", x, top,
                         (w - left - 10) / count, h - top - 30);
    } else {
      const auto [x, y] = at(t, trace.seen[t][0]);
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.4\"/>\n", x, y);
    }
  }
  out += "<g fill=\"#9aa5b1\">\n" + dots + "</g>\n";
  out += polyline(truth, "stroke=\"#1f2933\" stroke-width=\"1.6\"");
  out += polyline(forecast, "stroke=\"#d64545\" stroke-width=\"1.6\" stroke-dasharray=\"5 3\"");
  out += fmt::format(
      "<text x=\"{}\" y=\"20\" fill=\"#1f2933\">Lorenz x: <tspan font-weight=\"bold\">truth</tspan>, "
      "<tspan fill=\"#9aa5b1\">noisy observations</tspan>, <tspan fill=\"#d64545\">forecast made {} steps "
      "before</tspan>; "
      "shaded: the sensor is out</text>\n",
      left, kAhead);
  out += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"#52606d\">step {} to {}</text>\n</svg>\n", left, h - 8, first,
                     first + count);
  write_file(path, std::as_bytes(std::span(out))).value();
}

}  // namespace

void add_demo(CLI::App& app) {
  struct Options {
    std::string model = "models/lorenz.safetensors", figure;
    int steps = 20000;
    std::uint64_t seed = 1;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("demo", "Stream the shipped model and say what it did");
  verb->add_option("--model", options->model, "the Lorenz model")->capture_default_str();
  verb->add_option("--steps", options->steps, "steps to stream")
      ->check(CLI::Range(1000, 10'000'000))
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "of the attractor and its noise")->capture_default_str();
  verb->add_option("--figure", options->figure, "also draw it to this SVG file");
  verb->footer("Example:\n  elastane demo --seed 3 --figure lorenz.svg");
  verb->callback([options] {
    const Model model = Model::load(options->model, {.isa = asked_isa()}).value();
    if (model.inputs() != 3 || model.outputs() != 3)
      throw std::runtime_error("[demo] expected the Lorenz model, with 3 channels in and out");
    Stream stream(model);
    const Trace trace = run(stream, options->seed, options->steps);
    const Errors e = errors(trace);
    const Quantiles q = quantiles(trace.micros);

    fmt::print("A model of {} weights watches a noisy Lorenz attractor and forecasts it {} steps ahead.\n",
               model.parameters(), kAhead);
    fmt::print("For 10 steps in every 400 the sensor of x is out; the stream carries on.\n\n");
    plot(trace, 250, 110);
    fmt::print("| mean squared error over {} steps | model | last value repeated |\n| --- | --: | --: |\n",
               options->steps);
    fmt::print("| all steps | {:.5f} | {:.5f} |\n", e.model, e.persistence);
    fmt::print("| while the sensor is out | {:.5f} | {:.5f} |\n\n", e.model_dropped, e.persistence_dropped);
    fmt::print("One step: p50 {:.2f} µs, p99 {:.2f} µs, max {:.1f} µs ({} kernels); state {} bytes.\n", q.p50, q.p99,
               q.max, name(model.isa()), model.state_bytes());
    fmt::print("Snapshot in mid-stream, restored, continued: {}.\n",
               restores_exactly(model, trace) ? "every bit of the last output is the same" : "THE OUTPUT DIFFERS");
    if (!options->figure.empty()) draw(trace, 230, 400, options->figure);
  });
}

}  // namespace elastane::app
