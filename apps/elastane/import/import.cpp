// elastane import WEIGHTS MODEL: makes a model file of weights that PyTorch saved.
#include <fmt/core.h>

#include <filesystem>
#include <map>
#include <stdexcept>

#include "apps/elastane/verbs.h"
#include "elastane/io/import.h"
#include "elastane/io/model_file.h"

namespace elastane::app {
namespace {

struct ImportFlags {
  std::string weights, model, kind = "auto";
  ImportOptions import;
  bool bfloat16 = false, int8 = false, partial = false, dry_run = false;
};

void print(const Import& import, const std::string& path) {
  const ModelConfig& c = import.config;
  fmt::print("{}: {} of {}, width {}, {} in, {} out\n", path, c.blocks.size() == 1 ? "a block" : "blocks",
             block_name(c.blocks[0]), c.width, c.inputs, c.outputs);
  std::size_t longest = 0;
  for (const Placed& p : import.placed) longest = std::max(longest, p.to.size());
  for (const Placed& p : import.placed) {
    fmt::print("  {:<{}}  {:<14} {}\n", p.to, longest, to_string(p.shape),
               p.from.empty() ? p.how : "from " + p.from + (p.how.empty() ? "" : ", " + p.how));
  }
  for (const Unplaced& u : import.unplaced) fmt::print("  no place for {} {}: {}\n", u.name, to_string(u.shape), u.why);
}

ImportKind kind_of(const std::string& name) {
  const std::map<std::string, ImportKind> kinds = {
      {"auto", ImportKind::automatic}, {"mamba", ImportKind::mamba}, {"gru", ImportKind::gru},
      {"lstm", ImportKind::lstm},      {"s4d", ImportKind::s4d},     {"transformer", ImportKind::transformer},
      {"delta", ImportKind::delta}};
  return kinds.at(name);
}

void make_model(ImportFlags options) {
  options.import.kind = kind_of(options.kind);
  if (options.bfloat16 && options.int8) throw std::runtime_error("[import] expected --bfloat16 or --int8, found both");
  if (options.bfloat16) options.import.weights = Precision::bfloat16;
  if (options.int8) options.import.weights = Precision::int8;
  std::error_code none;
  if (std::filesystem::equivalent(options.weights, options.model, none)) {
    throw std::runtime_error("[import] " + options.model + ": expected a file other than the weights; name a new one");
  }
  const Import import = import_file(options.weights, options.import).value();
  print(import, options.weights);
  if (!import.unplaced.empty() && !options.partial) {
    throw std::runtime_error(
        fmt::format("[import] {}: expected a place for every tensor, found none for {}; nothing was written (--partial "
                    "leaves them out)",
                    options.weights, import.unplaced.size()));
  }
  if (options.dry_run) {
    fmt::print("{} would be written\n", options.model);
    return;
  }
  const std::string name = std::filesystem::path(options.weights).filename();
  save_model(options.model, import.config, import.tensors, {{"imported_from", name}}).value();
  fmt::print("{} is written\n", options.model);
}

}  // namespace

void add_import(command_line::Command& program) {
  auto options = std::make_shared<ImportFlags>();
  command_line::Command& verb = program.command(
      "import", "Make a model of weights that PyTorch saved: Mamba, S4D, Llama, delta networks, GRU, LSTM");
  verb.option("WEIGHTS", options->weights,
              "a .safetensors file with PyTorch's names, an index of several, .onnx, or an audio model as .json")
      .required();
  verb.option("MODEL", options->model, "the model file to write").required();
  verb.option("--kind", options->kind, "which weights to use, if the file has several")
      .one_of({"auto", "mamba", "gru", "lstm", "s4d", "transformer", "delta"});
  verb.option("--heads", options->import.heads, "attention heads of a Transformer, or key heads of a delta network")
      .range(1, 1024)
      .hide_default();
  verb.option("--window", options->import.window, "steps that its attention sees").range(1, 1 << 20);
  verb.option("--rotary-base", options->import.rotary_base, "of its rotary positions (rope_theta)").above(1);
  verb.flag("--skip", options->import.skip, "add the input to the output of one recurrent layer");
  verb.option("--inputs", options->import.inputs, "input channels, if no tensor determines them (default: all)")
      .range(1, 1 << 16)
      .hide_default();
  verb.option("--outputs", options->import.outputs, "output channels, likewise").range(1, 1 << 16).hide_default();
  verb.flag("--bfloat16", options->bfloat16, "keep matrices in bfloat16");
  verb.flag("--int8", options->int8, "keep matrices in memory as 8-bit integers, with a scale for each row");
  verb.flag("--partial", options->partial, "leave out tensors that have no place in the model");
  verb.flag("--dry-run", options->dry_run, "print what would go where, and write nothing");
  verb.footer(
      "Examples:\n"
      "  elastane import gru.safetensors model.safetensors\n"
      "  elastane import mamba-130m.safetensors model.safetensors --bfloat16\n"
      "  elastane import block.safetensors model.safetensors --inputs 3 --outputs 1 --dry-run\n"
      "  elastane import model.safetensors.index.json model.safetensors --heads 32 --window 2048\n"
      "  elastane import gru.onnx model.safetensors\n"
      "  elastane import amplifier.json model.safetensors\n\n"
      "In Python: safetensors.torch.save_file(model.state_dict(), \"gru.safetensors\")\n"
      "docs/howto/import.md lists the names that are known and where they go.");
  verb.action([options] {
    make_model(*options);
    return 0;
  });
}

}  // namespace elastane::app
