// Trains a classifier of images, and tests every halting rule on what its depths give.
//
// Rows, `size` and `curve` besides what lab/benchmark/depth_rows.h says:
//
//   METHOD            size T      full depth; curve: Geometry, in the order of its members
//   METHOD/RULE       size 95, 98 the threshold of least depth with that percentage of the best depth's accuracy on
//                                 held-out images
//   METHOD/proven     size 100    in the engine, until the class is that of infinite depth
//   METHOD/quantile   size q in ‰ the paper's own threshold: a quantile of all scores on held-out images
//   METHOD/lambda                 curve: λ at 0, ¼, ½, ¾ and the end of training
//
// oracle_depth is the mean depth from which on the answer is that of full depth.
#pragma once

#include "lab/benchmark/depth_rows.h"
#include "lab/images/episode.h"
#include "lab/images/training_networks.h"

namespace elastane::images {

struct ImageTraining {
  Task task = Task::digits;
  Method method;
  std::uint64_t seed = 1;
  int steps = 0, batch = 0, width = 0;  // 0: as the task needs
  double rate = 0;
};

struct TrainedImages {
  std::vector<benchmark::DepthRow> rows;
  std::optional<ModelFile> file;
};
TrainedImages train_images(const ImageTraining& training, const Images& images);

}  // namespace elastane::images
