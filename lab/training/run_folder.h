// The folder of a training run: its options, its progress, its checkpoint and its result.
//
//   run.json                 command, options, model, seed, commit
//   curves.csv               loss, held-out loss, rate, gradient norm and seconds over the steps
//   checkpoint.safetensors   everything that the next step depends on
//   model.safetensors        the best model so far, complete
//
// Files appear by renaming, so each is complete at any time.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "elastane/train/trainer.h"

namespace elastane::lab {

struct CurveRow {
  std::int64_t step = 0;
  double loss = 0;  // mean since the previous row
  double held_out = 0;
  double rate = 0, gradient_norm = 0;
  double seconds = 0;  // of training, interruptions excluded
};

class RunFolder {
 public:
  // Begins a run, or continues one with the same options. `writes`: this process writes the files.
  RunFolder(std::string path, const nlohmann::ordered_json& options, bool resume, bool writes);

  std::string checkpoint_path() const { return path_ + "/checkpoint.safetensors"; }
  std::string model_path() const { return path_ + "/model.safetensors"; }
  const std::string& path() const { return path_; }
  bool has_checkpoint() const;

  // keeps the curves up to a step and returns the seconds until then; later rows are dropped
  double continue_from(std::int64_t step);
  void add(const CurveRow& row);

 private:
  void check_same_options(const std::string& record, const nlohmann::ordered_json& options) const;

  std::string path_;
  bool writes_;
  std::vector<CurveRow> rows_;
};

}  // namespace elastane::lab
