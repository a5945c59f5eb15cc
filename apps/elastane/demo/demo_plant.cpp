// elastane demo circuit, reactor: a plant whose parameters change midway and change back.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/elastane/demo/demo.h"
#include "apps/elastane/verbs.h"
#include "bench/timing.h"
#include "elastane/io/file.h"
#include "elastane/io/trace.h"
#include "lab/plant/adaptation.h"
#include "lab/plant/circuit.h"
#include "lab/plant/reactor.h"
#include "lab/plant/settings.h"
#include "web/page.h"

namespace elastane::app {
namespace {

using web::Chart, web::Histogram, web::Mark, web::Page, web::Points;

constexpr int kSettle = 200;    // steps before errors count
constexpr int kLearning = 500;  // steps after a change before they count again
constexpr int kBins = 240;      // points of a curve

struct Plant {
  plant::Record record;
  std::string what;                  // what changes
  std::vector<std::string> outputs;  // their names
  std::array<int, 2> changes;        // when it changes, and when it returns
};

Plant make_plant(const DemoOptions& options) {
  const int there = options.steps / 3, back = 2 * options.steps / 3;
  if (options.world == "reactor") {
    reactor::Options world{.steps = options.steps, .changes = {{there, reactor::kPublishedChange}, {back, {}}}};
    return {reactor::simulate(options.seed, world),
            "a stirred tank whose reactions get other activation energies",
            {"concentration of A", "concentration of R"},
            {there, back}};
  }
  const circuit::Parts worn{.resistance = 4, .inductance = 50e-6, .capacitance = 350e-9};
  circuit::Options world{.steps = options.steps, .changes = {{there, worn}, {back, {}}}};
  return {circuit::simulate(options.seed, world),
          "a circuit whose resistor goes from 3 to 4 Ω and whose capacitor goes from 270 to 350 nF",
          {"voltage (measured)", "current (never measured)"},
          {there, back}};
}

// one stream on the record; each prediction is made before its measurement arrives
struct Trajectory {
  std::vector<float> predicted;  // [step][output]
  std::vector<double> micros;
  std::vector<int> depth;
  std::vector<bool> adapted;  // did the adapted stream speak?
};

// the same model three times
struct Streams {
  Trajectory frozen, corrected, guarded;
};

Trajectory run(Stream& stream, const plant::Record& record, bool correcting, TraceWriter* trace) {
  Trajectory made;
  std::vector<float> x(static_cast<std::size_t>(stream.model().inputs())), label(record.outputs);
  const std::vector<double> nominal(x.size() - static_cast<std::size_t>(record.driven()));
  for (int t = 0; t < record.steps(); ++t) {
    record.input_into(t, nominal, x);
    record.label_into(t, label);
    StepReport report;
    made.micros.push_back(bench::micros([&] { stream.advance(x); }));
    made.predicted.insert(made.predicted.end(), stream.output().begin(), stream.output().end());
    made.adapted.push_back(stream.guard().weight > 0.5);
    if (correcting) made.micros.back() += bench::micros([&] { report = stream.observe(label); });
    made.depth.push_back(report.depth);
    if (trace != nullptr) trace->write(stream.position(), stream.time(), report).value();
  }
  return made;
}

// mean squared error over steps [first, last), of all outputs or of one
double error_of(const plant::Record& record, const Trajectory& of, int first, int last, int output = -1) {
  double sum = 0, n = 0;
  for (int t = first; t < last; ++t) {
    for (int i = 0; i < record.outputs; ++i) {
      if (output >= 0 && i != output) continue;
      sum += std::pow(of.predicted[static_cast<std::size_t>(t) * record.outputs + i] - record.output(t)[i], 2);
      n += 1;
    }
  }
  return sum / n;
}

struct Phase {
  const char* name;
  int first, last;
};
std::array<Phase, 4> phases(const Plant& p) {
  const int end = p.record.steps();
  return {{{"as trained", kSettle, p.changes[0]},
           {"just after the change", p.changes[0], p.changes[0] + kLearning},
           {"changed, after 500 steps", p.changes[0] + kLearning, p.changes[1]},
           {"returned, after 500 steps", p.changes[1] + kLearning, end}}};
}

// a curve of means over bins
template <class Value>
Points curve(int steps, Value value) {
  Points points;
  for (int b = 0; b < kBins; ++b) {
    const int first = b * steps / kBins, last = std::max(first + 1, (b + 1) * steps / kBins);
    points.emplace_back(0.5 * (first + last), value(first, last));
  }
  return points;
}

std::vector<Mark> marks_of(const Plant& p) {
  return {{static_cast<double>(p.changes[0]), "changes"}, {static_cast<double>(p.changes[1]), "returns"}};
}

Chart error_chart(const Plant& p, const Streams& streams) {
  const auto errors = [&](const Trajectory& of) {
    return curve(p.record.steps(), [&](int first, int last) { return error_of(p.record, of, first, last); });
  };
  return {.title = "Error of the prediction, before the measurement is there",
          .x_label = "step",
          .y_label = "mean squared error",
          .log_y = true,
          .lines = {{"frozen", "#d64545", errors(streams.frozen)},
                    {"corrected", "#2f7fd1", errors(streams.corrected)},
                    {"guarded", "#1f2933", errors(streams.guarded)}},
          .marks = marks_of(p)};
}

void write_report(const DemoOptions& options, const Plant& p, const Streams& streams,
                  const std::vector<std::vector<std::string>>& rows) {
  const Trajectory& corrected = streams.guarded;
  Page page("Elastane: " + options.world + " that changes midway");
  page.paragraph(
      "One model, three streams of it through " + p.what +
      " and returns. One stream stays frozen, one is corrected by every measurement: a gate spends "
      "micro-steps where they reduce the loss enough. In the third a guard decides which of the two is heard.");
  page.table({"mean squared error", "frozen", "corrected", "guarded"}, rows);
  const int steps = p.record.steps();
  page.chart(error_chart(p, streams));
  const auto depth = [&](int first, int last) {
    double sum = 0;
    for (int t = first; t < last; ++t) sum += corrected.depth[t];
    return sum / (last - first);
  };
  page.chart({.title = "Micro-steps: where compute was spent",
              .x_label = "step",
              .y_label = "mean K",
              .lines = {{"K", "#2f7fd1", curve(steps, depth)}},
              .marks = marks_of(p)});
  Histogram depths{.title = "Share of steps with K micro-steps", .x_label = "K"};
  for (int k = 0; k <= plant::kDepth; ++k) {
    const auto count = std::ranges::count(corrected.depth, k);
    depths.bars.emplace_back(std::to_string(k), static_cast<double>(count) / steps);
  }
  page.histogram(depths);
  Histogram latency = web::histogram_of(corrected.micros, 12, 0.99);
  latency.title = "Time of a guarded step";
  latency.x_label = "microseconds; the last bar is all beyond the 99th percentile";
  page.histogram(latency);
  const std::string html = page.html();
  write_file(options.report, std::as_bytes(std::span(html))).value();
  fmt::print("The page is {}.\n", options.report);
}

// prints the table, and returns its rows
std::vector<std::vector<std::string>> print_errors(const Plant& p, const Streams& streams) {
  fmt::print("| mean squared error | frozen | corrected | guarded |\n| --- | --: | --: | --: |\n");
  std::vector<std::vector<std::string>> rows;
  for (const Phase& phase : phases(p)) {
    std::vector<std::string> row = {phase.name};
    for (const Trajectory* of : {&streams.frozen, &streams.corrected, &streams.guarded}) {
      row.push_back(fmt::format("{:.5f}", error_of(p.record, *of, phase.first, phase.last)));
    }
    fmt::print("| {} | {} | {} | {} |\n", row[0], row[1], row[2], row[3]);
    rows.push_back(row);
  }
  for (int i = 0; i < p.record.outputs; ++i) {
    const Phase changed = phases(p)[2];
    fmt::print("{}{}: {:.5f} frozen, {:.5f} guarded", i == 0 ? "\nWhile changed, " : "; ", p.outputs[i],
               error_of(p.record, streams.frozen, changed.first, changed.last, i),
               error_of(p.record, streams.guarded, changed.first, changed.last, i));
  }
  return rows;
}

// the first step from `event` on in which the right one is heard, counted from there
std::string delay(const Trajectory& of, int event, bool adapted) {
  for (int t = event; t < static_cast<int>(of.adapted.size()); ++t) {
    if (of.adapted[t] == adapted) return std::to_string(t - event);
  }
  return "no";
}

void print_cost(const Plant& p, const Streams& streams, Isa isa) {
  const Trajectory& guarded = streams.guarded;
  double spent = 0, idle = 0;
  for (const int k : guarded.depth) spent += k, idle += k == 0 ? 1 : 0;
  const auto n = static_cast<double>(guarded.depth.size());
  fmt::print(
      ".\n\nAfter the change the guard lets the adapted stream be heard within {} steps, after the return the frozen ",
      delay(guarded, p.changes[0], true));
  fmt::print("one within {}.\n", delay(guarded, p.changes[1], false));
  fmt::print("Micro-steps: {:.2f} per step; {:.0f} % of the steps had none.\n", spent / n, 100 * idle / n);
  const bench::Quantiles a = bench::quantiles(streams.frozen.micros), b = bench::quantiles(streams.corrected.micros),
                         c = bench::quantiles(guarded.micros);
  fmt::print("One step, p50 and p99: frozen {:.2f} and {:.2f} µs, corrected {:.1f} and {:.1f} µs, guarded {:.1f} and ",
             a.p50, a.p99, b.p50, b.p99, c.p50);
  fmt::print("{:.1f} µs ({} kernels).\n", c.p99, name(isa));
}

void write_json(const std::string& path, const Plant& p, const Streams& streams) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Phase& phase : phases(p)) {
    const auto error = [&](const Trajectory& of) { return error_of(p.record, of, phase.first, phase.last); };
    rows.push_back({{"phase", phase.name},
                    {"frozen", error(streams.frozen)},
                    {"corrected", error(streams.corrected)},
                    {"guarded", error(streams.guarded)}});
  }
  const std::string text = rows.dump(1) + "\n";
  write_file(path, std::as_bytes(std::span(text))).value();
}

}  // namespace

void demo_plant(const DemoOptions& options) {
  const Model model = Model::load(options.model, {.isa = asked_isa()}).value();
  const Plant p = make_plant(options);
  if (model.outputs() != p.record.outputs || model.inputs() <= p.record.driven()) {
    throw std::runtime_error(fmt::format("[demo] {}: expected a model of the {}, made by elastane train plant",
                                         options.model, options.world));
  }
  std::optional<TraceWriter> trace;
  if (!options.trace.empty()) trace.emplace(TraceWriter::open(options.trace).value());
  StreamOptions adapting = plant::adaptation(
      model, p.record.driven(), options.world == "reactor" ? plant::settings().reactor : plant::settings().circuit);
  adapting.corrector->gate = plant::gate();
  StreamOptions alone = adapting;
  alone.guard.kind = GuardKind::off;
  Stream still(model), moving(model, alone), guarded(model, adapting);
  const Streams streams = {.frozen = run(still, p.record, false, nullptr),
                           .corrected = run(moving, p.record, true, nullptr),
                           .guarded = run(guarded, p.record, true, trace ? &*trace : nullptr)};
  if (trace) trace->close().value();

  fmt::print("A model of {} weights predicts {},\nat step {}, and back at step {}. Only inputs are given to it.\n",
             model.parameters(), p.what, p.changes[0], p.changes[1]);
  fmt::print(
      "One stream stays frozen, one is corrected by each measurement, after its prediction; in the third a guard\n");
  fmt::print("decides by their errors so far which of the two is heard.\n\n");
  const std::vector<std::vector<std::string>> rows = print_errors(p, streams);
  print_cost(p, streams, model.isa());
  if (!options.json.empty()) write_json(options.json, p, streams);
  if (!options.figure.empty()) {
    const std::string svg = draw(error_chart(p, streams)) + "\n";
    write_file(options.figure, std::as_bytes(std::span(svg))).value();
  }
  if (!options.report.empty()) write_report(options, p, streams, rows);
}

}  // namespace elastane::app
