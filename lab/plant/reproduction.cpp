#include "lab/plant/reproduction.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <memory>

#include "command_line/messages.h"
#include "lab/data_folder.h"
#include "lab/plant/cases.h"
#include "lab/plant/regimes.h"
#include "lab/plant/report.h"
#include "lab/plant/settings.h"

namespace elastane::plant {
namespace {

constexpr int kCircuitPhase = 4000;  // steps before a change, and before the return

struct Options {
  std::string models = "models", data = lab::data_folder(), json, markdown;
  int seeds = 5;
  int reactor_phase = 12'000;  // steps before a change, and before the return
};

// everything that the tables are made of
struct Plants {
  Options options;
  PublishedRuns published;
  Model circuit, reactor;
  Report report;
};

std::string name_of(const circuit::Parts& parts) {
  return fmt::format("R {:.0f}, L₀ {:.0f}, C {:.0f}", parts.resistance, 1e6 * parts.inductance,
                     1e9 * parts.capacitance);
}

std::vector<Outcome> adapt_each_seed(const Model& model, const StreamOptions& options, int seeds,
                                     const std::function<Case(int seed)>& make) {
  std::vector<Outcome> runs;
  for (int seed = 1; seed <= seeds; ++seed) runs.push_back(adapt(model, options, make(seed)));
  return runs;
}

void run_nominal(Plants& plants) {
  if (!plants.published.found()) return;
  Report& report = plants.report;
  report.print("Nominal plants, frozen, R² in free run on the published splits:");
  for (const char* split : {"train", "test"}) {
    const Scores c = free_scores(Stream(plants.circuit), plants.published.circuit(split).value());
    const Scores r = free_scores(Stream(plants.reactor), plants.published.reactor(split, true).value());
    report.print(fmt::format(" {} circuit {:.4f}, {:.4f}, reactor {:.4f}, {:.4f};", split, c[0], c[1], r[0], r[1]));
    report.rows.push_back({{"table", "nominal splits"}, {"name", split}, {"circuit", c}, {"reactor", r}});
  }
  report.print(" outputs in the order of the tables.\n");
}

void run_circuit(Plants& plants) {
  const Model& model = plants.circuit;
  const StreamOptions options = adaptation(model, 1, settings().circuit);
  const std::vector<CircuitChange>& sweep = settings().sweep;
  Report& report = plants.report;
  report.heading("Circuit: R² of v (measured) and i (never measured) in free run");
  if (plants.published.found()) {
    report.row("circuit", "published split, " + name_of(sweep[0].parts),
               {adapt(model, options, published_circuit(plants.published))}, sweep[0].published);
  }
  const int seeds = plants.options.seeds;
  for (const CircuitChange& change : sweep) {
    report.row("circuit", "simulated, " + name_of(change.parts),
               adapt_each_seed(model, options, seeds,
                               [&](int seed) { return circuit_case(change.parts, static_cast<std::uint64_t>(seed)); }),
               change.published);
  }
  report.row(
      "circuit", "simulated, any of the range",
      adapt_each_seed(model, options, seeds,
                      [](int seed) { return circuit_case(drawn_parts(seed), static_cast<std::uint64_t>(seed)); }),
      "");
}

void run_reactor(Plants& plants) {
  const Model& model = plants.reactor;
  const StreamOptions options = adaptation(model, 4, settings().reactor);
  const std::string& figures = settings().reactor_published;
  Report& report = plants.report;
  report.heading("Reactor: R² of A and R in free run from their first values, mean over runs");
  if (plants.published.found()) {
    report.row("reactor", "published split, in the units of training",
               {adapt(model, options, published_reactor(plants.published, true))}, figures);
    report.row(
        "reactor", "published split as it is, gains of the sensors learned",
        {adapt(model, adaptation(model, 4, settings().reactor_sensors), published_reactor(plants.published, false))},
        figures);
  }
  const auto simulated = [&](const std::function<reactor::Chemistry(int)>& chemistry) {
    return adapt_each_seed(model, options, plants.options.seeds,
                           [&](int seed) { return reactor_case(chemistry(seed), static_cast<std::uint64_t>(seed)); });
  };
  report.row("reactor", "simulated, the published change", simulated([](int) { return reactor::kPublishedChange; }),
             figures);
  report.row("reactor", "simulated, any of the range", simulated(drawn_chemistry), "");
}

void run_return(const Model& model, const StreamOptions& options, const std::string& name, int seeds,
                const std::function<Record(int)>& simulate, Report& report) {
  ReturnErrors mean;
  double largest = 0;
  for (int s = 1; s <= seeds; ++s) {
    const Record truth = simulate(s);
    const ReturnErrors r =
        change_and_return(model, options, truth, with_noise(truth, kSensorNoise, static_cast<std::uint64_t>(s)));
    mean.before += r.before / seeds, mean.changed += r.changed / seeds, mean.after += r.after / seeds;
    mean.frozen += r.frozen / seeds, mean.frozen_changed += r.frozen_changed / seeds;
    largest = std::max(largest, r.after / r.before);
    report.rows.push_back({{"table", "return"},
                           {"name", name},
                           {"seed", s},
                           {"before", r.before},
                           {"changed", r.changed},
                           {"after", r.after},
                           {"frozen", r.frozen},
                           {"frozen_changed", r.frozen_changed}});
  }
  report.print(fmt::format("| {} | {} | {:.3g} | {:.3g} | {:.3g} | {:.3g} | {:.3g} | {:+.1f} % | {:+.1f} % |\n", name,
                           seeds, mean.frozen, mean.frozen_changed, mean.before, mean.changed, mean.after,
                           100 * (mean.after / mean.before - 1), 100 * (largest - 1)));
}

void run_returns(Plants& plants) {
  plants.report.print(
      "\nChange and return: mean squared error of free runs of 200 steps, forked late in each of three phases of equal "
      "inputs\n\n| plant | seeds | frozen | frozen, changed | corrected | corrected, changed | corrected, returned | "
      "return | worst seed |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  const int seeds = plants.options.seeds, phase = plants.options.reactor_phase;
  run_return(
      plants.circuit, adaptation(plants.circuit, 1, settings().circuit),
      fmt::format("circuit, {} steps per phase", kCircuitPhase), seeds,
      [](int s) {
        const circuit::Parts& changed = settings().sweep[static_cast<std::size_t>(s) % settings().sweep.size()].parts;
        return returning_circuit(changed, static_cast<std::uint64_t>(s), kCircuitPhase);
      },
      plants.report);
  run_return(
      plants.reactor, adaptation(plants.reactor, 4, settings().reactor),
      fmt::format("reactor, {} steps per phase", phase), seeds,
      [=](int s) {
        const reactor::Chemistry changed = s == 1 ? reactor::kPublishedChange : drawn_chemistry(s);
        return returning_reactor(changed, static_cast<std::uint64_t>(s), phase);
      },
      plants.report);
}

void run_regimes(Plants& plants) {
  plants.report.print(
      "\nRegimes that return: four circuits in turn, each with a context; mean squared error of the measured voltage "
      "in the "
      "first 500 steps of a visit\n\n| | seed | first visit | second | third | second over first |\n| --- | --: | --: "
      "| --: "
      "| --: | --: |\n");
  std::vector<circuit::Parts> regimes;
  for (std::size_t i = 1; i < settings().sweep.size(); ++i) regimes.push_back(settings().sweep[i].parts);
  // the memory was built while looking at seeds 1 to 5
  for (int seed = 11; seed <= 10 + plants.options.seeds; ++seed) {
    const RegimeErrors e = visit_regimes(plants.circuit, regimes, {}, static_cast<std::uint64_t>(seed));
    for (const auto& [name, errors] :
         {std::pair{"with a memory of contexts", &e.with_memory}, {"without", &e.without}}) {
      plants.report.print(fmt::format("| {} | {} | {:.3g} | {:.3g} | {:.3g} | {:.3f} |\n", name, seed, errors->at(0),
                                      errors->at(1), errors->at(2), errors->at(1) / errors->at(0)));
      plants.report.rows.push_back({{"table", "regimes"}, {"name", name}, {"seed", seed}, {"errors", *errors}});
    }
  }
}

StreamOptions generic_options() {
  const GenericSettings& generic = settings().generic;
  StreamOptions options = {.corrector = CorrectorOptions{}, .noise = {static_cast<float>(generic.noise)}};
  options.corrector->trust.radius = 10, options.corrector->trust.largest = 1e3;
  PersistentOptions& persistent = options.latent.persistent;
  persistent.coordinates = {.output_gain = true,
                            .output_bias = true,
                            .readout_rank = generic.readout_rank,
                            .input_gain = true,
                            .input_bias = true,
                            .time_scale = true};
  persistent.latent_variance = generic.latent_variance, persistent.variance = generic.variance;
  persistent.noise = generic.drift_variance;
  return options;
}

void run_like_for_like(Plants& plants) {
  if (!plants.published.found()) return;
  Report& report = plants.report;
  report.heading(
      "Like for like with the source: trained on the nominal plant alone, generic coordinates (input gain and bias, "
      "time-scale, read-out)");
  const std::string& models = plants.options.models;
  const Model circuit = Model::load(models + "/circuit_nominal.safetensors").value(),
              reactor = Model::load(models + "/reactor_nominal.safetensors").value();
  const std::vector<CircuitChange>& sweep = settings().sweep;
  const StreamOptions options = generic_options();
  report.row("nominal", "circuit, published split", {adapt(circuit, options, published_circuit(plants.published))},
             sweep[0].published);
  for (const CircuitChange& change : sweep) {
    report.row("nominal", "circuit, simulated, " + name_of(change.parts),
               adapt_each_seed(circuit, options, plants.options.seeds,
                               [&](int seed) { return circuit_case(change.parts, static_cast<std::uint64_t>(seed)); }),
               change.published);
  }
  report.row("nominal", "reactor, published split as it is",
             {adapt(reactor, options, published_reactor(plants.published, false))}, settings().reactor_published);
}

int run(const Options& options) {
  Plants plants{.options = options,
                .published = PublishedRuns(options.data),
                .circuit = Model::load(options.models + "/circuit.safetensors").value(),
                .reactor = Model::load(options.models + "/reactor.safetensors").value(),
                .report = {}};
  if (!plants.published.found()) {
    command_line::print_stderr(
        "plants: [data] expected plant/rlc and plant/cstr in {}, found none; rows of the published split are "
        "left out. Give --data DIR or set ELASTANE_DATA\n",
        options.data.empty() ? "a folder of public data" : options.data);
  }
  run_nominal(plants);
  run_circuit(plants);
  run_reactor(plants);
  run_returns(plants);
  run_regimes(plants);
  run_like_for_like(plants);
  if (!options.json.empty()) std::ofstream(options.json) << plants.report.rows.dump(1) << "\n";
  if (!options.markdown.empty()) std::ofstream(options.markdown) << plants.report.text();
  return 0;
}

void declare(command_line::Command& reproduce) {
  auto options = std::make_shared<Options>();
  reproduce.option("--models", options->models, "folder of the weights").type("DIR");
  reproduce
      .option("--data", options->data, "folder of public data with plant/rlc and plant/cstr (default: $ELASTANE_DATA)")
      .type("DIR")
      .hide_default();
  reproduce.option("--seeds", options->seeds, "for every simulated row").range(1, 1000);
  reproduce.option("--reactor-phase", options->reactor_phase, "steps of each of the three phases of a return")
      .range(400, 1'000'000);
  reproduce.option("--json", options->json, "write the rows to this file, as a JSON list").type("FILE");
  reproduce.option("--markdown", options->markdown, "write the tables to this file").type("FILE");
  reproduce.footer("Example:\n  elastane reproduce plants --seeds 10 --json plants.json");
  reproduce.action([options] { return run(*options); });
}

}  // namespace

lab::Reproduction plants_reproduction() {
  return {.name = "plants",
          .what = "A circuit and a reactor that change while a stream follows them",
          .cost = "1 minute",
          .declare = declare};
}

}  // namespace elastane::plant
