// Where the states of a deep network go: what FROST's table of cosines shows, and what it does not.
#pragma once

#include "lab/images/training_networks.h"

namespace elastane::images {

inline constexpr int kShownDepths[] = {1, 3, 6, 9, 12, 15};  // FROST's table
inline constexpr int kScoredDepths[] = {1, 2, 4, 8, 16};

// means over images; −1 where the network has no such depth, or the number is not finite
struct Geometry {
  std::vector<double> cosine;    // of h_t and h_T                    at kShownDepths
  std::vector<double> distance;  // ‖h_t − h_3T‖/‖h_3T‖              at kShownDepths
  std::vector<double> norm;      // ‖h‖                              at 1, T and 3T
  std::vector<double> accuracy;  //                                  at kScoredDepths
  double accuracy_at_3t = -1;

  std::vector<double> values() const;  // all of the above but the last
};

class GeometrySums {
 public:
  explicit GeometrySums(int depth);
  void add(const DeepNetwork& network, const std::vector<at::Tensor>& states, const at::Tensor& labels);
  Geometry mean() const;

 private:
  int depth_;
  double count_ = 0;
  Geometry sums_;
};

}  // namespace elastane::images
