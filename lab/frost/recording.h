// A recorded recursion over cells: what every iteration answers, and when each cell has its last answer.
#pragma once

#include <vector>

#include "elastane/io/model_file.h"
#include "lab/benchmark/recording.h"
#include "lab/frost/episode.h"

namespace elastane::frost {

struct CellsStep {
  benchmark::Moment moment;           // depth: cells that changed their answer; loss: bound before and after
  std::vector<std::uint8_t> classes;  // [cell]
  std::vector<double> level;          // of every cell, 0 to 1: how large its largest |h| is, on a logarithmic scale
};

struct CellsAgent {
  benchmark::Caption caption;
  std::vector<CellsStep> steps;  // iterations
  std::vector<int> settled;      // the iteration that gave a cell its last answer [cell]
  bool certified = false;
};

// Episodes 0, 2, … are grids, the others parities. Agents: the recursion with its certificate, and cut at half its depth
struct CellsRecording final : benchmark::Recording {
  using Recording::Recording;
  std::vector<benchmark::Caption> captions() const override { return benchmark::captions_of(agents); }
  Status validate() const override;
  std::string json() const override;
  std::vector<std::string> scripts() const override { return {"frost"}; }
  std::string figure() const override;

  Episode cells;
  std::vector<CellsAgent> agents;
};

Result<CellsRecording> record(const std::string& models, const benchmark::RecordingRequest& request);
CellsRecording record(const ModelFile& file, Task task, int size, const benchmark::RecordingRequest& request);

}  // namespace elastane::frost
