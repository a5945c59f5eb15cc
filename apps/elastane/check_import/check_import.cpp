// elastane check-import MODEL: compares a model with inputs and outputs that the original program recorded.
#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "apps/elastane/verbs.h"
#include "elastane/core/stream/stream.h"
#include "elastane/io/table.h"

namespace elastane::app {
namespace {

struct CheckOptions {
  std::string model, inputs, outputs;
  double tolerance = 1e-5;
};

Table read_rows(const std::string& path, int columns, const char* what) {
  Table table = read_table(path).value();
  if (table.columns.size() != as_size(columns)) {
    throw std::runtime_error(fmt::format("[check-import] {}: expected {} columns, one per {} of the model, found {}",
                                         path, columns, what, table.columns.size()));
  }
  return table;
}

int check(const CheckOptions& options) {
  const Model model = Model::load(options.model, {.isa = asked_isa()}).value();
  const Table x = read_rows(options.inputs, model.inputs(), "input");
  const Table y = read_rows(options.outputs, model.outputs(), "output");
  if (x.rows != y.rows || x.rows == 0) {
    throw std::runtime_error(
        fmt::format("[check-import] expected as many outputs as inputs, found {} and {} rows", y.rows, x.rows));
  }
  Stream stream(model);
  double largest = 0;
  std::size_t where = 0, beyond = 0;
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::vector<float> row(x.row(r).begin(), x.row(r).end());
    stream.advance(row);
    for (std::size_t i = 0; i < y.columns.size(); ++i) {
      const double expected = y.row(r)[i], scale = std::fmax(1.0, std::fabs(expected));
      const double error = std::fabs(static_cast<double>(stream.output()[i]) - expected) / scale;
      if (!(error <= options.tolerance)) ++beyond;
      if (!(error <= largest)) largest = error, where = r + 1;
    }
  }
  fmt::print("{} steps, {}: largest error {:.2g} (row {}), {} of {} values beyond {:g}\n", x.rows, name(model.isa()),
             largest, where, beyond, x.rows * y.columns.size(), options.tolerance);
  return beyond == 0 ? 0 : 1;
}

}  // namespace

void add_check_import(command_line::Command& program) {
  auto options = std::make_shared<CheckOptions>();
  command_line::Command& verb =
      program.command("check-import", "Compare an imported model with recorded inputs and outputs of the original");
  verb.option("MODEL", options->model, "a model file, made by elastane import").required();
  verb.option("--inputs", options->inputs, "rows of inputs: .csv, .npy or .jsonl").type("FILE").required();
  verb.option("--outputs", options->outputs, "what the original made of them, row by row").type("FILE").required();
  verb.option("--tolerance", options->tolerance, "largest error, relative where outputs are larger than 1").above(0);
  verb.footer(
      "Example:\n"
      "  elastane check-import model.safetensors --inputs x.npy --outputs y.npy\n\n"
      "In Python: numpy.save(\"x.npy\", x[0]) and numpy.save(\"y.npy\", model(x)[0].detach()), x of shape (1, steps, "
      "inputs).\n"
      "Exit code 1: some value is beyond the tolerance.");
  verb.action([options] { return check(*options); });
}

}  // namespace elastane::app
