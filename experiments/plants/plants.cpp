// Plants that change in mid-stream: is a corrected stream as good as a model of the changed plant, and back when it
// returns?
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/plants/protocol.h"
#include "experiments/plants/published.h"
#include "lab/plant/circuit.h"
#include "lab/plant/reactor.h"

namespace elastane {
namespace {

using Json = nlohmann::ordered_json;
using plant::Record;

constexpr double kSensorNoise = 0.02;  // of simulated runs to learn from
constexpr int kCircuitPhase = 4000;    // steps before a change, and before the return

struct Options {
  std::string models = "models", json, markdown;
  int seeds = 5;
  int reactor_phase = 12'000;  // steps before a change, and before the return
};

// a change of the source's table, with what it found: frozen, recursive, extended Kalman filter, retrained
struct Published {
  circuit::Parts parts;
  const char* figures;
};
const Published kSweep[] = {{{4, 50e-6, 350e-9}, ".93 → .97"},
                            {{4, 60e-6, 550e-9}, ".80 → .95, .68, .98"},
                            {{10, 60e-6, 550e-9}, ".66 → .91, .85, .99"},
                            {{10, 60e-6, 1050e-9}, ".36 → .76, .81, .99"},
                            {{10, 75e-6, 1050e-9}, ".32 → .73, .75, .99"}};
const char* const kReactorFigures = ".50, −.74 → .99, .99";

class Report {
 public:
  template <class... T>
  void print(fmt::format_string<T...> format, T&&... values) {
    const std::string line = fmt::format(format, std::forward<T>(values)...);
    fmt::print("{}", line);
    std::fflush(stdout);
    text_ += line;
  }

  void row(const std::string& table, const std::string& name, const std::vector<Outcome>& runs,
           const std::string& figures) {
    const auto mean = [&](Scores Outcome::*part, int i) {
      double sum = 0;
      for (const Outcome& run : runs) sum += (run.*part)[i] / static_cast<double>(runs.size());
      return sum;
    };
    const auto worst = [&](int i) {
      return std::ranges::min(runs, {}, [&](const Outcome& run) { return run.eval[i]; }).eval[i];
    };
    const auto two = [&](Scores Outcome::*part) { return fmt::format("{:.3f}, {:.3f}", mean(part, 0), mean(part, 1)); };
    double micros = 0;
    for (const Outcome& run : runs) micros += run.micros / static_cast<double>(runs.size());
    print("| {} | {} | {} | {} | {} | {} | {:.3f}, {:.3f} | {} | {:.0f} |\n", name, runs.size(),
          two(&Outcome::transfer_frozen), two(&Outcome::transfer), two(&Outcome::eval_frozen), two(&Outcome::eval),
          worst(0), worst(1), figures, micros);
    for (const Outcome& run : runs) {
      rows.push_back({{"table", table},
                      {"name", name},
                      {"transfer_frozen", run.transfer_frozen},
                      {"transfer", run.transfer},
                      {"eval_frozen", run.eval_frozen},
                      {"eval", run.eval},
                      {"micros", run.micros},
                      {"c", run.c}});
    }
  }

  void heading(const std::string& text) {
    print("\n{}\n\n", text);
    print(
        "| change | runs | frozen, transfer | corrected, transfer | frozen, eval | corrected, eval | worst | published "
        "|"
        " µs |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  }

  Json rows = Json::array();
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

Case circuit_case(const circuit::Parts& parts, std::uint64_t seed) {
  const circuit::Options options{.steps = 5000, .changes = {{0, parts}}, .bandwidth = 100e3};
  return {{with_noise(circuit::simulate(2 * seed, options), kSensorNoise, seed)},
          {circuit::simulate(2 * seed + 1, options)}};
}

Case reactor_case(const reactor::Chemistry& chemistry, std::uint64_t seed) {
  const reactor::Options options{.steps = 1024, .changes = {{0, chemistry}}};
  Case runs;
  for (std::uint64_t i = 0; i < 15; ++i) {
    runs.transfer.push_back(with_noise(reactor::simulate(1000 * seed + i, options), kSensorNoise, 1000 * seed + i));
    runs.eval.push_back(reactor::simulate(1000 * seed + 500 + i, options));
  }
  return runs;
}

std::string name_of(const circuit::Parts& parts) {
  return fmt::format("R {:.0f}, L₀ {:.0f}, C {:.0f}", parts.resistance, 1e6 * parts.inductance,
                     1e9 * parts.capacitance);
}

void run_circuit(const Model& model, int seeds, Report& report) {
  const StreamOptions options = plant::adaptation(model, 1, plant::kCircuit);
  report.heading("Circuit: R² of v (measured) and i (never measured) in free run");
  if (published::found()) {
    const Case given{published::circuit("transfer").value(), published::circuit("eval").value()};
    report.row("circuit", "published split, " + name_of(kSweep[0].parts), {adapt(model, options, given)},
               kSweep[0].figures);
  }
  const auto simulated = [&](const std::string& name, const char* figures, auto parts) {
    std::vector<Outcome> runs;
    for (int s = 1; s <= seeds; ++s) {
      runs.push_back(adapt(model, options, circuit_case(parts(s), static_cast<std::uint64_t>(s))));
    }
    report.row("circuit", name, runs, figures);
  };
  for (const Published& row : kSweep) {
    simulated("simulated, " + name_of(row.parts), row.figures, [&](int) { return row.parts; });
  }
  simulated("simulated, any of the range", "", [](int s) {
    Random random(static_cast<std::uint64_t>(s), 1ULL << 45U);
    return circuit::random_parts(random);
  });
}

reactor::Chemistry any_chemistry(int s) {
  Random random(static_cast<std::uint64_t>(s), 1ULL << 45U);
  return reactor::random_chemistry(random);
}

Case published_reactor(bool as_in_training) {
  return {published::reactor("transfer", as_in_training).value(), published::reactor("eval", as_in_training).value()};
}

void run_reactor(const Model& model, int seeds, Report& report) {
  const StreamOptions options = plant::adaptation(model, 4, plant::kReactor);
  report.heading("Reactor: R² of A and R in free run from their first values, mean over runs");
  if (published::found()) {
    report.row("reactor", "published split, in the units of training", {adapt(model, options, published_reactor(true))},
               kReactorFigures);
    plant::AdaptationOptions with_gain = plant::kReactor;
    with_gain.noise = 0.2, with_gain.sensor_spread = 0.3;  // the starts are in wrong units too, so believe less
    report.row("reactor", "published split as it is, gains of the sensors learned",
               {adapt(model, plant::adaptation(model, 4, with_gain), published_reactor(false))}, kReactorFigures);
  }
  std::vector<Outcome> same, any;
  for (int s = 1; s <= seeds; ++s) {
    same.push_back(adapt(model, options, reactor_case(reactor::kPublishedChange, static_cast<std::uint64_t>(s))));
    any.push_back(adapt(model, options, reactor_case(any_chemistry(s), static_cast<std::uint64_t>(s))));
  }
  report.row("reactor", "simulated, the published change", same, kReactorFigures);
  report.row("reactor", "simulated, any of the range", any, "");
}

// the same inputs three times
std::vector<float> thrice(const std::vector<float>& once) {
  std::vector<float> all;
  for (int i = 0; i < 3; ++i) all.insert(all.end(), once.begin(), once.end());
  return all;
}

void run_return(const Model& model, const StreamOptions& options, const std::string& name, int seeds,
                const std::function<Record(int)>& simulate, Report& report) {
  Returned sum;
  double largest = 0;
  for (int s = 1; s <= seeds; ++s) {
    const Record truth = simulate(s);
    const Returned r = come_back(model, options, truth, with_noise(truth, kSensorNoise, static_cast<std::uint64_t>(s)));
    sum.before += r.before / seeds, sum.changed += r.changed / seeds, sum.after += r.after / seeds;
    sum.frozen += r.frozen / seeds, sum.frozen_changed += r.frozen_changed / seeds;
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
  report.print("| {} | {} | {:.3g} | {:.3g} | {:.3g} | {:.3g} | {:.3g} | {:+.1f} % | {:+.1f} % |\n", name, seeds,
               sum.frozen, sum.frozen_changed, sum.before, sum.changed, sum.after, 100 * (sum.after / sum.before - 1),
               100 * (largest - 1));
}

void run_returns(const Model& of_circuit, const Model& of_reactor, int seeds, int reactor_phase, Report& report) {
  report.print(
      "\nChange and return: mean squared error of free runs of 200 steps, forked late in each of three phases of equal "
      "inputs\n\n"
      "| plant | seeds | frozen | frozen, changed | corrected | corrected, changed | corrected, returned | return | "
      "worst "
      "seed |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  run_return(
      of_circuit, plant::adaptation(of_circuit, 1, plant::kCircuit),
      fmt::format("circuit, {} steps a phase", kCircuitPhase), seeds,
      [](int s) {
        const circuit::Change changes[] = {{kCircuitPhase, kSweep[s % 5].parts}, {2 * kCircuitPhase, {}}};
        const auto once = circuit::source(7000 + static_cast<std::uint64_t>(s), {.steps = kCircuitPhase});
        return circuit::respond(thrice(once), changes);
      },
      report);
  run_return(
      of_reactor, plant::adaptation(of_reactor, 4, plant::kReactor),
      fmt::format("reactor, {} steps a phase", reactor_phase), seeds,
      [=](int s) {
        const reactor::Change changes[] = {{reactor_phase, s == 1 ? reactor::kPublishedChange : any_chemistry(s)},
                                           {2 * reactor_phase, {}}};
        const auto once = reactor::drives(7000 + static_cast<std::uint64_t>(s), {.steps = reactor_phase});
        return reactor::respond(thrice(once), {.a = 0.5, .r = 0.3}, changes);
      },
      report);
}

// coordinates that any network has, for one that was trained on the nominal plant alone
StreamOptions generic() {
  StreamOptions options = {.corrector = CorrectorOptions{}, .noise = {0.1F}};
  options.corrector->trust.radius = 10, options.corrector->trust.largest = 1e3;
  PersistentOptions& persistent = options.latent.persistent;
  persistent.coordinates = {.output_gain = true,
                            .output_bias = true,
                            .readout_rank = 2,
                            .input_gain = true,
                            .input_bias = true,
                            .time_scale = true};
  persistent.latent_variance = 1e-5, persistent.variance = 1e-2, persistent.noise = 1e-8;
  return options;
}

void run_nominal(const Model& of_circuit, const Model& of_reactor, Report& report) {
  if (!published::found()) return;
  report.print("Nominal plants, frozen, R² in free run on the published splits:");
  for (const char* split : {"train", "test"}) {
    const Scores c = free_scores(Stream(of_circuit), published::circuit(split).value());
    const Scores r = free_scores(Stream(of_reactor), published::reactor(split, true).value());
    report.print(" {} circuit {:.4f}, {:.4f}, reactor {:.4f}, {:.4f};", split, c[0], c[1], r[0], r[1]);
    report.rows.push_back({{"table", "nominal splits"}, {"name", split}, {"circuit", c}, {"reactor", r}});
  }
  report.print(" outputs in the order of the tables.\n");
}

void run_like_for_like(const std::string& models, int seeds, Report& report) {
  if (!published::found()) return;
  report.heading(
      "Like for like with the source: trained on the nominal plant alone, generic coordinates (input gain and bias, "
      "time-scale, read-out)");
  const Model of_circuit = Model::load(models + "/circuit_nominal.safetensors").value(),
              of_reactor = Model::load(models + "/reactor_nominal.safetensors").value();
  const Case circuit{published::circuit("transfer").value(), published::circuit("eval").value()};
  report.row("nominal", "circuit, published split", {adapt(of_circuit, generic(), circuit)}, kSweep[0].figures);
  for (const Published& row : kSweep) {
    std::vector<Outcome> runs;
    for (int s = 1; s <= seeds; ++s) {
      runs.push_back(adapt(of_circuit, generic(), circuit_case(row.parts, static_cast<std::uint64_t>(s))));
    }
    report.row("nominal", "circuit, simulated, " + name_of(row.parts), runs, row.figures);
  }
  report.row("nominal", "reactor, published split as it is", {adapt(of_reactor, generic(), published_reactor(false))},
             kReactorFigures);
}

void run_all(const Options& options) {
  Report report;
  const Model of_circuit = Model::load(options.models + "/circuit.safetensors").value(),
              of_reactor = Model::load(options.models + "/reactor.safetensors").value();
  if (!published::found()) {
    fmt::print(
        stderr,
        "plants: [data] expected plant/rlc and plant/cstr in {}, found none; rows of the published split are left "
        "out, set ELASTANE_DATA to have them\n",
        published::folder());
  }
  run_nominal(of_circuit, of_reactor, report);
  run_circuit(of_circuit, options.seeds, report);
  run_reactor(of_reactor, options.seeds, report);
  run_returns(of_circuit, of_reactor, options.seeds, options.reactor_phase, report);
  run_like_for_like(options.models, options.seeds, report);
  if (!options.json.empty()) std::ofstream(options.json) << report.rows.dump(1) << "\n";
  if (!options.markdown.empty()) std::ofstream(options.markdown) << report.text();
}

}  // namespace
}  // namespace elastane

int main(int count, char** arguments) {
  CLI::App app("Plants that change in mid-stream, and streams that learn what became of them.", "plants");
  elastane::Options options;
  app.add_option("--models", options.models, "folder of the models")->capture_default_str();
  app.add_option("--seeds", options.seeds, "of every simulated row")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--reactor-phase", options.reactor_phase, "steps of each of the three phases of a return")
      ->check(CLI::Range(400, 1'000'000))
      ->capture_default_str();
  app.add_option("--json", options.json, "write the rows here too");
  app.add_option("--markdown", options.markdown, "write the tables here too");
  app.footer("Example: plants --seeds 10 --json rows.json");
  CLI11_PARSE(app, count, arguments);
  try {
    elastane::run_all(options);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plants: {}\n", error.what());
    return 1;
  }
}
