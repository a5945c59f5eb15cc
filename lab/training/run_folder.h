// The folder of a training run: what was asked for, how it went, where it stands, and what came out.
//
//   run.json                 command, options, model, seed, commit
//   curves.csv               loss, held-out loss, rate, gradient norm and seconds over the steps
//   checkpoint.safetensors   everything that the next step depends on
//   model.safetensors        the best model so far, complete
//
// Files appear by renaming, so each is whole at any time.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "elastane/train/trainer.h"

namespace elastane::lab {

struct CurveRow {
  std::int64_t step = 0;
  double loss = 0;  // mean since the row before
  double held_out = 0;
  double rate = 0, gradient_norm = 0;
  double seconds = 0;  // of training, over all sittings
};

class RunFolder {
 public:
  // Begins a run, or goes on with one of the same options. `writes`: this process is the one that does.
  RunFolder(std::string path, const nlohmann::ordered_json& options, bool resume, bool writes);

  std::string checkpoint_path() const { return path_ + "/checkpoint.safetensors"; }
  std::string model_path() const { return path_ + "/model.safetensors"; }
  const std::string& path() const { return path_; }
  bool has_checkpoint() const;

  // curves up to a step, and seconds until then; what came later is forgotten
  double go_on_from(std::int64_t step);
  void add(const CurveRow& row);

 private:
  std::string path_;
  bool writes_;
  std::vector<CurveRow> rows_;
};

}  // namespace elastane::lab
