// elastane inspect FILE: shows what a model, a router or a snapshot contains.
#include <fmt/core.h>

#include <cstring>
#include <stdexcept>

#include "apps/elastane/verbs.h"
#include "elastane/core/network/block_summary.h"
#include "elastane/core/stream/snapshot.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/forecast/forecast_snapshot.h"
#include "elastane/io/config_json.h"
#include "elastane/io/file.h"
#include "elastane/io/model_file.h"
#include "elastane/io/router_file.h"
#include "elastane/io/safetensors.h"

namespace elastane::app {
namespace {

void inspect_snapshot(const std::string& path, std::span<const std::byte> bytes) {
  const SnapshotView view = read_snapshot(bytes).value();
  fmt::print("{}: a snapshot, version {}, checksum good\n", path, view.header.version);
  fmt::print("  model     {:016x}\n", view.header.fingerprint);
  fmt::print("  position  {} steps\n", view.header.position);
  fmt::print("  state     {} bytes\n", view.header.state_bytes);
  fmt::print("  output   ");
  for (std::size_t i = 0; i < view.output.size() / sizeof(float); ++i) {
    float value = 0;
    std::memcpy(&value, view.output.data() + i * sizeof(float), sizeof(float));
    fmt::print(" {:.6g}", value);
  }
  fmt::print("\n");
}

void print_blocks(const Model& model) {
  const std::vector<BlockSummary> blocks = summarise_blocks(model);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    fmt::print("  block {:<3} {:<10} {}{}{}\n", i, blocks[i].kind, blocks[i].settings,
               blocks[i].settings.empty() ? "" : "; ", cost_text(blocks[i]));
  }
}

void inspect_model(const std::string& path, std::span<const std::byte> bytes, bool list) {
  const Safetensors stored = parse_safetensors(bytes, path).value();
  const ModelFile file = parse_model(bytes, path).value();
  const Model model = Model::create(file.config, file.tensors, {.isa = asked_isa()}, path).value();
  const ModelConfig& c = file.config;
  fmt::print("{}: a model, complete\n", path);
  fmt::print("  model     {:016x}\n", model.fingerprint());
  fmt::print("  channels  {} in, {} out, width {}\n", c.inputs, c.outputs, c.width);
  print_blocks(model);
  fmt::print("  weights   {} in {} tensors, {}; {} bytes in memory\n", model.parameters(), stored.tensors.size(),
             name(c.weights), model.weight_bytes());
  fmt::print("  state     {} bytes per stream\n", model.state_bytes());
  fmt::print("  kernels   {}\n", name(model.isa()));
  for (const auto& [key, value] : file.metadata) {
    if (key != "elastane") fmt::print("  {:<9} {}\n", key, value);
  }
  if (!list) {
    fmt::print("  (--tensors lists them, --config prints the configuration)\n");
    return;
  }
  for (const StoredTensor& t : stored.tensors) fmt::print("  {:<5} {:<18} {}\n", t.dtype, to_string(t.shape), t.name);
}

void inspect_router(const std::string& path, std::span<const std::byte> bytes) {
  const RouterWeights router = parse_router(bytes, path).value();
  fmt::print("{}: a router of attention heads, complete\n", path);
  fmt::print("  model     {:016x}\n", router.model);
  for (std::size_t i = 0; i < router.layers.size(); ++i) {
    const HeadRouter& layer = router.layers[i];
    if (!layer.present()) {
      fmt::print("  layer {:<3} keeps the modes of the model\n", i);
      continue;
    }
    fmt::print("  layer {:<3} {} features, code of {}, {} key heads; {} multiply-adds per decision\n", i,
               layer.task.features(), layer.task.scores(), layer.route.scores(), layer.macs());
  }
  for (const auto& [key, value] : parse_safetensors(bytes, path).value().metadata) {
    if (key != "elastane_router") fmt::print("  {:<9} {}\n", key, value);
  }
}

struct InspectOptions {
  std::string path;
  bool tensors = false, config = false;
};

void inspect(const InspectOptions& options) {
  const FileContent file = FileContent::open(options.path).value();
  const auto bytes = file.bytes();
  const auto magic = SnapshotHeader().magic;
  if (bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0) {
    inspect_snapshot(options.path, bytes);
  } else if (is_forecast_snapshot(bytes)) {
    inspect_forecast_snapshot(options.path, bytes);
  } else if (is_forecast_model(bytes)) {
    inspect_forecast_model(options.path, bytes, options.tensors);
  } else if (is_router(bytes)) {
    inspect_router(options.path, bytes);
  } else if (options.config) {
    fmt::print("{}\n", config_to_json(parse_model(bytes, options.path).value().config));
  } else {
    inspect_model(options.path, bytes, options.tensors);
  }
}

}  // namespace

void add_inspect(command_line::Command& program) {
  auto options = std::make_shared<InspectOptions>();
  command_line::Command& verb =
      program.command("inspect", "Show what a model, router or snapshot file contains, and whether it is intact");
  verb.option("FILE", options->path, "a .safetensors model or router, or a snapshot").required();
  verb.flag("--tensors", options->tensors, "list every tensor");
  verb.flag("--config", options->config, "print the configuration as JSON and nothing else");
  verb.footer("Example:\n  elastane inspect models/lorenz.safetensors --tensors");
  verb.action([options] {
    inspect(*options);
    return 0;
  });
}

}  // namespace elastane::app
