#include "elastane/io/import.h"

#include <algorithm>
#include <array>

#include "elastane/io/placer.h"

namespace elastane {
namespace {

// what a file of each kind is recognised by, and how it is read
struct Importer {
  std::array<ImportKind, 2> kinds;
  const char* sign;
  bool (*is_there)(const Placer& placer);
  ModelConfig (*import)(Placer& placer, const ImportOptions& options);
};
constexpr Importer kImporters[] = {
    {{ImportKind::mamba, ImportKind::mamba}, "Mamba (A_log)", has_mamba, import_mamba},
    {{ImportKind::delta, ImportKind::delta}, "a delta network (k_conv1d.weight)", has_delta, import_delta},
    {{ImportKind::gru, ImportKind::lstm}, "GRU or LSTM (weight_hh_l0)", has_recurrent, import_recurrent},
    {{ImportKind::s4d, ImportKind::s4d}, "S4D (kernel.log_A_real)", has_s4d, import_s4d},
    {{ImportKind::transformer, ImportKind::transformer},
     "a Transformer (self_attn.q_proj.weight)",
     has_transformer,
     import_transformer},
};

}  // namespace

Result<Import> import_model(std::span<const std::byte> bytes, const std::string& source, const ImportOptions& options) {
  const auto file = parse_safetensors(bytes, source);
  if (!file) return Error{file.error()};
  const auto refuse = [&](const std::string& why) { return Error{"[import] " + source + ": " + why}; };
  if (file->metadata.contains("elastane")) {
    return refuse("expected weights of another program, found a model of ours; load it as it is");
  }
  Placer placer(*file, source);
  const Importer* importer = nullptr;
  for (const Importer& each : kImporters) {
    const bool is_asked = std::ranges::find(each.kinds, options.kind) != each.kinds.end();
    if (!each.is_there(placer) || (options.kind != ImportKind::automatic && !is_asked)) continue;
    if (importer != nullptr) {
      return refuse(std::string("expected one kind of blocks, found ") + importer->sign + " and " + each.sign +
                    "; say which with --kind");
    }
    importer = &each;
  }
  if (importer == nullptr) {
    std::string expected;
    for (const Importer& each : kImporters) {
      const bool is_asked = std::ranges::find(each.kinds, options.kind) != each.kinds.end();
      if (options.kind != ImportKind::automatic && !is_asked) continue;
      expected += (expected.empty() ? "" : ", ") + std::string(each.sign);
    }
    const std::string found = file->tensors.empty() ? "no tensors" : file->tensors[0].name + " and others";
    return refuse("expected tensors of " + expected + ", found " + found + "; docs/howto/import.md lists the names");
  }
  ModelConfig config = importer->import(placer, options);
  config.weights = options.weights;
  return placer.finish(std::move(config));
}

}  // namespace elastane
