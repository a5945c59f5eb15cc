// When to stop: rules over what every depth of many examples gave, and the thresholds that they need.
//
// A rule gives every depth of every example a score, and stops at the first one above its threshold, else at the last.
// Thresholds are chosen on held-out examples: the one of least mean depth whose accuracy is still the wanted one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace elastane::images {

// what every depth of many examples gave
struct Trajectories {
  int depth = 0, classes = 0;
  std::vector<float> logits;         // [example][depth][class]
  std::vector<float> change, size;   // ‖h_t − h_{t−1}‖ and ‖h_t‖ [example][depth]
  std::vector<std::uint8_t> labels;  // [example]

  int examples() const { return static_cast<int>(labels.size()); }
  std::size_t at(int example, int t) const {  // t from 0
    return static_cast<std::size_t>(example) * static_cast<std::size_t>(depth) + static_cast<std::size_t>(t);
  }
  int answer(int example, int t) const;
  double margin(int example, int t) const;  // of the two best classes
};

using Scores = std::vector<float>;  // [example][depth]

Scores margin_scores(const Trajectories& t);
Scores confidence_scores(const Trajectories& t);  // the probability of the best class
Scores still_scores(const Trajectories& t);       // −‖Δ‖: the certificate, before it is multiplied by a constant
Scores relative_scores(const Trajectories& t);    // −‖Δ‖/‖h‖
Scores patience_scores(const Trajectories& t);    // depths for which the answer has not changed

struct Outcome {
  double accuracy = 0, mean_depth = 0;
  std::vector<double> depth;  // [example]
};
Outcome stopped(const Trajectories& t, const Scores& scores, double threshold);
Outcome uniform(const Trajectories& t, int depth);

// the largest threshold that is worth its depth, of 256 quantiles of the scores; infinite: only full depth is enough
double choose_threshold(const Trajectories& held_out, const Scores& scores, double wanted_accuracy);
int choose_depth(const Trajectories& held_out, double wanted_accuracy);  // for all alike
// the q-quantile of all scores, as FROST has it
double quantile(Scores scores, double q);

// the first depth from which on the answer is that of the last [example]
std::vector<double> ready_depths(const Trajectories& t);

}  // namespace elastane::images
