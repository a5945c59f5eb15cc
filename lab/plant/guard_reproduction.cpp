#include "lab/plant/guard_reproduction.h"

#include <fmt/core.h>

#include <fstream>
#include <memory>

#include "lab/plant/guarded_run.h"
#include "lab/plant/report.h"
#include "lab/plant/settings.h"

namespace elastane::plant {
namespace {

struct GuardTable {
  std::string models = "models", json, markdown, kind = "switch";
  int seeds = 8;
  std::uint64_t seed =
      921;  // the first; 1 to 8, 301 to 308, 401 to 408, 501 to 508, 901 to 908 and 1001 to 1016 were looked at before
  double price = 1e-3;
  bool prices = false;
};

constexpr double kNoise[] = {0.05, 0.03};  // σ of the sensors of circuit and reactor, where they are noisy
constexpr const char* kPlants[] = {"circuit", "reactor"};

StreamOptions stream_options(const Model& model, const std::string& plant, const GuardTable& options, double price) {
  const bool reactor = plant == "reactor";
  StreamOptions stream = adaptation(model, reactor ? 4 : 1, reactor ? settings().reactor : settings().circuit);
  stream.corrector->gate = gate(price);
  stream.guard.kind = options.kind == "mixture" ? GuardKind::mixture : GuardKind::switched;
  return stream;
}

struct Means {
  PhaseErrors rest, first, changed, returned;
  double delay = 0, delay_back = 0, switches = 0;
  std::array<double, 3> p50 = {};

  void add(const GuardedOutcome& run, double share) {
    const auto sum = [share](PhaseErrors& to, const PhaseErrors& from) {
      to.frozen += share * from.frozen, to.corrected += share * from.corrected, to.guarded += share * from.guarded;
    };
    sum(rest, run.rest), sum(first, run.first), sum(changed, run.changed), sum(returned, run.returned);
    delay += share * run.delay, delay_back += share * run.delay_back, switches += share * run.switches;
    for (std::size_t i = 0; i < p50.size(); ++i) p50[i] += share * run.p50[i];
  }
};

nlohmann::ordered_json as_json(const PhaseErrors& e) {
  return {{"frozen", e.frozen}, {"corrected", e.corrected}, {"guarded", e.guarded}};
}

Means run_seeds(const Model& model, const StreamOptions& stream, const GuardTable& options, GuardedCase given,
                Report& report, double price) {
  Means means;
  for (int s = 0; s < options.seeds; ++s) {
    given.seed = options.seed + static_cast<std::uint64_t>(s);
    const GuardedOutcome run = run_guarded(model, stream, given);
    means.add(run, 1.0 / options.seeds);
    report.rows.push_back({{"plant", given.plant},
                           {"change", kCourseNames[static_cast<int>(given.course)]},
                           {"noise", given.noise},
                           {"price", price},
                           {"seed", given.seed},
                           {"rest", as_json(run.rest)},
                           {"first_500", as_json(run.first)},
                           {"changed", as_json(run.changed)},
                           {"returned", as_json(run.returned)},
                           {"delay", run.delay},
                           {"delay_back", run.delay_back},
                           {"switches", run.switches},
                           {"p50_us", run.p50}});
  }
  return means;
}

double above(double value, double of) { return 100 * (value / of - 1); }

void print_guard(const GuardedCase& given, const Means& m, Report& report) {
  report.print(fmt::format(
      "| {} | {} | {:.2f} | {:.6f} | {:+.1f} % | {:+.1f} % | {:.5f} | {:.5f} | {:+.1f} % | {:.5f} | {:.5f} | {:+.1f} % "
      "| {:+.1f} % | {:+.1f} % | {:.0f}, {:.0f} | {:.1f} | {:.1f}, {:.1f}, {:.1f} |\n",
      given.plant, kCourseNames[static_cast<int>(given.course)], given.noise, m.rest.frozen,
      above(m.rest.corrected, m.rest.frozen), above(m.rest.guarded, m.rest.frozen), m.first.frozen, m.first.corrected,
      above(m.first.guarded, m.first.better()), m.changed.frozen, m.changed.corrected,
      above(m.changed.guarded, m.changed.better()), above(m.returned.corrected, m.returned.frozen),
      above(m.returned.guarded, m.returned.frozen), m.delay, m.delay_back, m.switches, m.p50[0], m.p50[1], m.p50[2]));
}

int run_guard_table(const GuardTable& options) {
  Report report;
  report.print(
      "Mean squared errors over all outputs, of predictions before each measurement. Rest: against frozen; first 500 "
      "steps\n"
      "and whole changed phase: against the better of the two; returned, from 300 steps on: against frozen.\n\n"
      "| plant | change | sensor noise | rest: frozen | corrected | guarded | first 500: frozen | corrected | guarded "
      "| "
      "changed: frozen | corrected | guarded | returned: corrected | guarded | delay there, back | switches | p50 µs: "
      "frozen, corrected, guarded |\n"
      "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  const std::vector<double> prices =
      options.prices ? std::vector<double>{0, 1e-4, 1e-3, 1e-2, 5e-2, 2e-1} : std::vector<double>{options.price};
  for (const double price : prices) {
    if (options.prices) report.print(fmt::format("| **price {:g}** | | | | | | | | | | | | | | | | |\n", price));
    for (int plant = 0; plant < 2; ++plant) {
      const Model model = Model::load(options.models + "/" + kPlants[plant] + ".safetensors").value();
      const StreamOptions stream = stream_options(model, kPlants[plant], options, price);
      for (int course = 0; course < (options.prices ? 1 : kCourses); ++course) {
        for (const double noise : {0.0, kNoise[plant]}) {
          const GuardedCase given{.plant = kPlants[plant], .course = static_cast<Course>(course), .noise = noise};
          print_guard(given, run_seeds(model, stream, options, given, report, price), report);
        }
      }
    }
  }
  if (!options.json.empty()) std::ofstream(options.json) << report.rows.dump(1) << "\n";
  if (!options.markdown.empty()) std::ofstream(options.markdown) << report.text();
  return 0;
}

void declare_guard_table(command_line::Command& reproduce) {
  auto options = std::make_shared<GuardTable>();
  reproduce.option("--models", options->models, "folder of the weights").type("DIR");
  reproduce.option("--seeds", options->seeds, "of every row").range(1, 1000);
  reproduce.option("--seed", options->seed, "the first of them");
  reproduce.option("--guard", options->kind, "who is heard").one_of({"switch", "mixture"});
  reproduce.option("--price", options->price, "of a micro-step, in nats").range(0, 1e6);
  reproduce.flag("--prices", options->prices, "compare prices of micro-steps, with abrupt changes, instead of changes");
  reproduce.option("--json", options->json, "write the rows to this file, as a JSON list").type("FILE");
  reproduce.option("--markdown", options->markdown, "write the table to this file").type("FILE");
  reproduce.footer("Example:\n  elastane reproduce guard --seeds 8 --json guard.json");
  reproduce.action([options] { return run_guard_table(*options); });
}

}  // namespace

lab::Reproduction guard_reproduction() {
  return {.name = "guard",
          .what = "Plants that change and return: frozen, corrected, and guarded streams",
          .cost = "1 minute",
          .declare = declare_guard_table};
}

}  // namespace elastane::plant
