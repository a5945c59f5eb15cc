#include "lab/plant/training.h"

#include "lab/plant/circuit.h"
#include "lab/plant/reactor.h"

namespace elastane::plant {
namespace {

struct Options {
  lab::TrainingOptions training;
  std::string plant = "circuit";
  bool nominal = false;  // always the same plant, without parameters as inputs
  int runs = 8192;       // to learn from
};

// a run of a plant with known parameters
struct LabelledRun {
  Record record;
  std::vector<double> parameters;  // of every step, as inputs of the model: [steps][n]
};

// half of the plants change during the run, so that a model does not learn that parameters are constant
int changes_at(Random& random, int steps) { return random.sign() > 0 ? random.below(steps) : steps; }

template <class Parameters>
std::vector<double> rows(const Parameters& before, const Parameters& after, int change, int steps) {
  std::vector<double> rows;
  for (int t = 0; t < steps; ++t) {
    const Parameters& now = t < change ? before : after;
    rows.insert(rows.end(), now.begin(), now.end());
  }
  return rows;
}

LabelledRun run_circuit(std::uint64_t seed, int steps, bool nominal) {
  Random random(seed, 1ULL << 40U);
  circuit::Options options{.steps = steps};
  options.deviation = random.uniform(50, 90);
  options.bandwidth = random.uniform(70e3, 110e3);
  if (nominal) return {circuit::simulate(seed, options), {}};
  const circuit::Parts before = circuit::random_parts(random), after = circuit::random_parts(random);
  const int change = changes_at(random, steps);
  options.changes = {{0, before}, {change, after}};
  return {circuit::simulate(seed, options),
          rows(circuit::parameters_of(before), circuit::parameters_of(after), change, steps)};
}

LabelledRun run_reactor(std::uint64_t seed, int steps, bool nominal) {
  Random random(seed, 1ULL << 40U);
  reactor::Options options{.steps = steps};
  options.period = 30 + random.below(51);
  if (nominal) return {reactor::simulate(seed, options), {}};
  const reactor::Chemistry before = reactor::random_chemistry(random), after = reactor::random_chemistry(random);
  const int change = changes_at(random, steps);
  options.changes = {{0, before}, {change, after}};
  return {reactor::simulate(seed, options),
          rows(reactor::parameters_of(before), reactor::parameters_of(after), change, steps)};
}

train::Series series(const LabelledRun& run, int parameters) {
  const Record& record = run.record;
  const at::Tensor x = at::empty({record.steps(), record.driven() + parameters});
  const at::Tensor target = at::empty({record.steps(), record.outputs});
  const std::size_t wide = static_cast<std::size_t>(record.driven() + parameters);
  for (int t = 0; t < record.steps(); ++t) {
    const std::span row(x.data_ptr<float>() + static_cast<std::ptrdiff_t>(t) * wide, wide);
    record.input_into(t, std::span(run.parameters).subspan(static_cast<std::size_t>(t) * parameters, parameters), row);
    for (int i = 0; i < record.outputs; ++i) target.data_ptr<float>()[t * record.outputs + i] = record.output(t)[i];
  }
  return {x, target, {}};
}

lab::TrainingTask task_of(const Options& options) {
  const std::uint64_t seed = options.training.run.seed;
  const bool is_circuit = options.plant == "circuit";
  const int parameters = options.nominal ? 0 : is_circuit ? circuit::kParameters : reactor::kParameters;
  const auto run = [&](std::uint64_t of, int steps) {
    return series(is_circuit ? run_circuit(of, steps, options.nominal) : run_reactor(of, steps, options.nominal),
                  parameters);
  };
  lab::TrainingTask task{.name = options.plant,
                         .config = {.inputs = (is_circuit ? 1 : 4) + parameters, .outputs = 2, .width = 48}};
  task.config.blocks = {BlockConfig{.kind = GruConfig{}, .norm = Norm::none, .residual = false}};
  task.config.norm = Norm::none;
  task.config.head = {.hidden = {48}, .activation = Activation::silu};
  task.options.sampler = {.batch = 64, .length = 192, .carry = 0, .warm_up = 0};
  task.options.schedule = {.steps = 3000, .warm_up = 100};
  task.options.rate = 5e-3;
  task.options.adamw.decay = 0;
  task.options.validate_every = 250;
  // pieces are whole runs, which begin at rest or at the start that the inputs give
  for (int i = 0; i < options.runs; ++i) {
    task.learn.push_back(
        run(seed * 1'000'003 + static_cast<std::uint64_t>(i), static_cast<int>(task.options.sampler.length)));
  }
  for (int i = 0; i < 64; ++i) task.held_out.push_back(run((1ULL << 40U) + static_cast<std::uint64_t>(i), 600));
  task.description = {{"plant", options.plant}, {"nominal", options.nominal}, {"runs", options.runs}};
  return task;
}

}  // namespace

void add_training(lab::TrainingCommands& commands) {
  auto options = std::make_shared<Options>();
  command_line::Command& task = commands.add("plant", "A plant in free run, its parameters among the inputs");
  lab::declare(task, options->training);
  task.option("--plant", options->plant, "which plant").one_of({"circuit", "reactor"});
  task.flag("--nominal", options->nominal, "the nominal plant only, without parameters as inputs");
  task.option("--runs", options->runs, "runs of plants to learn from").range(1, 1e6);
  task.action([=, &commands] { return commands.run(options->training, [=] { return task_of(*options); }); });
}

}  // namespace elastane::plant
