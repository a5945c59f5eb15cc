#include "apps/elastane/run/learning_options.h"

#include "elastane/io/number_text.h"

namespace elastane::app {

void add_learning_options(command_line::Command& verb, LearningOptions& o) {
  verb.option("--learning,--metric", o.learning, "how a row changes the model; kalman: recursive least squares")
      .one_of({"kalman", "latent_covariance", "exact", "euclidean"});
  verb.option("--gate", o.gate, "when to correct; gain: where the expected gain exceeds the price")
      .one_of({"always", "gain", "never"});
  verb.option("--price", o.price, "price of a correction with --gate gain, in units of the loss")
      .at_least(0)
      .only_with("--gate", {"gain"});
  verb.flag("--no-correction", o.no_correction, "use the model as it was trained; do not learn from the rows");
  verb.flag("--no-guard", o.no_guard, "learn from every row at once; do not hold values that cannot be explained");
}

std::vector<std::string> as_arguments(const LearningOptions& o) {
  std::vector<std::string> arguments{"--learning", o.learning, "--gate", o.gate};
  if (o.gate == "gain") arguments.insert(arguments.end(), {"--price", number_text(o.price)});
  if (o.no_correction) arguments.emplace_back("--no-correction");
  if (o.no_guard) arguments.emplace_back("--no-guard");
  return arguments;
}

void set_learning(const LearningOptions& o, ForecasterOptions& forecaster) {
  forecaster.learning = parse_learning(o.learning).value();
  forecaster.gate.kind = o.gate == "gain" ? Gate::gain : o.gate == "never" ? Gate::never : Gate::always;
  forecaster.gate.price = o.price;
  forecaster.adapt = !o.no_correction;
  forecaster.guard = !o.no_guard;
}

}  // namespace elastane::app
