// elastane export MODEL FILE.onnx: one step of a network as a graph that other programs run.
#include <fmt/core.h>

#include <stdexcept>

#include "apps/elastane/verbs.h"
#include "elastane/io/export_onnx.h"
#include "elastane/io/file.h"
#include "elastane/io/model_file.h"

namespace elastane::app {
namespace {

struct ExportFlags {
  std::string model, file;
};

// (streams x 16)
std::string sizes_of(const OnnxValue& value) {
  std::string text = "streams";
  for (std::size_t i = 1; i < value.shape.size(); ++i) text += fmt::format(" x {}", value.shape[i]);
  return "(" + text + ")";
}

void write_graph(const ExportFlags& options) {
  if (!options.file.ends_with(".onnx")) {
    throw std::runtime_error("[export] " + options.file + ": expected a name that ends in .onnx");
  }
  const ModelFile model = read_model(options.model).value();
  const OnnxGraph graph = export_onnx(model.config, model.tensors, options.model).value();
  write_file(options.file, format_onnx(graph)).value();
  fmt::print("{}: one step, {} operators of version {}\n", options.file, graph.nodes.size(), kOnnxOperators);
  for (const OnnxValue& value : graph.inputs) fmt::print("  in   {:<24} {}\n", value.name, sizes_of(value));
  for (const OnnxValue& value : graph.outputs) fmt::print("  out  {:<24} {}\n", value.name, sizes_of(value));
}

}  // namespace

void add_export(command_line::Command& program) {
  auto options = std::make_shared<ExportFlags>();
  command_line::Command& verb = program.command("export", "Write one step of a network as an ONNX graph");
  verb.option("MODEL", options->model, "a model file with blocks gru, lstm, mlp, s4d, mamba or selective").required();
  verb.option("FILE", options->file, "the .onnx file to write").required();
  verb.footer(
      "Example:\n"
      "  elastane export models/lorenz.safetensors lorenz.onnx\n\n"
      "States are inputs and outputs of the graph: zero before the first step, then what the step before returned as\n"
      "NAME.next. The first axis of every tensor counts streams. Corrections and missing channels are not in the "
      "graph.\n"
      "docs/howto/export.md has the whole loop in Python.");
  verb.action([options] {
    write_graph(*options);
    return 0;
  });
}

}  // namespace elastane::app
