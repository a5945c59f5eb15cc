#include "elastane/io/import.h"

#include "elastane/io/placer.h"

namespace elastane {

Result<Import> import_model(std::span<const std::byte> bytes, const std::string& source, const ImportOptions& options) {
  const auto file = parse_safetensors(bytes, source);
  if (!file) return Error{file.error()};
  const auto refuse = [&](const std::string& why) { return Error{"[import] " + source + ": " + why}; };
  if (file->metadata.contains("elastane")) {
    return refuse("expected weights of another program, found a model of ours; load it as it is");
  }
  Placer placer(*file, source);
  const bool mamba = has_mamba(placer), recurrent = has_recurrent(placer);
  if (mamba && recurrent && options.kind == ImportKind::automatic) {
    return refuse("expected one kind of blocks, found Mamba and recurrent ones; say which with --kind");
  }
  const bool wants_mamba = options.kind == ImportKind::mamba || (options.kind == ImportKind::automatic && mamba);
  if (wants_mamba ? !mamba : !recurrent) {
    const std::string found = file->tensors.empty() ? "no tensors" : file->tensors[0].name + " and others";
    return refuse(std::string("expected tensors of ") +
                  (options.kind == ImportKind::automatic ? "Mamba (A_log), GRU or LSTM (weight_hh_l0)"
                   : wants_mamba                         ? "Mamba (A_log)"
                                                         : "GRU or LSTM (weight_hh_l0)") +
                  ", found " + found + "; docs/howto/import.md lists the names");
  }
  ModelConfig config = wants_mamba ? import_mamba(placer, options) : import_recurrent(placer, options);
  config.weights = options.weights;
  return placer.finish(std::move(config));
}

}  // namespace elastane
