// A classifier of images whose depth is elastic: encoder, one recursion, linear head; and what it does in the engine.
#pragma once

#include "elastane/io/model_file.h"
#include "lab/benchmark/depth_rows.h"
#include "lab/images/episode.h"

namespace elastane::images {

inline constexpr int kDepth = 16;  // T

struct ClassifierShape {
  int features = 0, width = 64;
  RecursionForm form = RecursionForm::contraction;
  double lipschitz = 0.9, hurst = 0.8;
  int depth = kDepth;
};
// cold starts at a fixed depth, without a halting rule: what is trained
ModelConfig classifier_config(const ClassifierShape& shape);

// the same weights at a fixed depth
Model at_depth(const ModelFile& file, int depth);

int class_of(std::span<const float> outputs);

// The same model with the rule `margin`: it stops once no class can overtake the best one any more. Its classes are those
// of the head. `file` has the configuration above
ModelFile with_proven_classes(const ModelFile& file);

// Every image until its class is proven, at most T iterations: accuracy, depth, violations (proven classes that differ
// after 1,000 iterations), cases (proven), multiply-adds, time. Throws what the user should read
benchmark::DepthRow test_proven(const ModelFile& file, const ImageSet& test);

}  // namespace elastane::images
