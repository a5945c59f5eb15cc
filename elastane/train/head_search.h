// Searches for the heads that must be full: for one sequence (a router's examples), and for all (the best static choice).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "elastane/train/routed_model.h"

namespace elastane::train {

struct ExampleSearch {
  StreamingMask mask = {};
  double epsilon = 0.01;  // nats per label that may be lost, and the cost of a full head
  int most_full = 0;      // 0: half of the heads
  int candidates = 24;    // subsets that the searched sequences are tried with
  int searched = 240;     // sequences for which subsets are searched; the others are tried with those that won
};

// For each sequence: from all heads streaming, the head that lowers KL(dense ‖ routed) most is made full, until the
// divergence is below epsilon; then the head that is missed least is dropped, if it stays there. Different sequences find
// different subsets that do the same, so the subsets that were found most often, none and all are tried with every
// searched sequence. Those that are the cheapest of one sequence in 100, none and all are tried with the others.
struct HeadExamples {
  at::Tensor candidates;  // (M, heads of all layers), bool
  at::Tensor cost;        // (N, M), KL(dense ‖ routed) + epsilon · full heads
  at::Tensor full;        // (N, heads of all layers), bool: the candidate of least cost
  at::Tensor divergence;  // (N), with these heads
};
using SearchProgress = std::function<void(double share)>;
HeadExamples search_examples(const SequenceModel& model, const RouterData& data, const at::Tensor& dense,
                             const ExampleSearch& search, const SearchProgress& progress = {});

// what one choice of heads does with every group of sequences; groups are the values of RouterData::task
struct SubsetScore {
  std::uint64_t full = 0;                // bit per head
  std::vector<double> hits, divergence;  // share of labels, mean nats; per group

  int count() const;
  double mean_hits() const;
  double mean_divergence() const;
};

// Every subset of up to `exhaustive` full heads, then greedily beyond, from the best so far of one head fewer; at most
// `most` full heads. Sorted by the number of heads.
struct SubsetSearch {
  StreamingMask mask = {};
  int exhaustive = 3, most = 8;
};
std::vector<SubsetScore> search_subsets(const SequenceModel& model, const RouterData& data, const at::Tensor& dense,
                                        const SubsetSearch& search, const SearchProgress& progress = {});

// of `count` full heads the one with most hits over all groups, by divergence if equal; null if there is none
const SubsetScore* best_static(const std::vector<SubsetScore>& scores, int count);
// the fewest full heads with at least `share` of the dense hits in a group, by divergence if equal
const SubsetScore* fewest_for(const std::vector<SubsetScore>& scores, std::size_t group, double dense_hits,
                              double share);

int head_count(const SequenceModel& model);                         // KV heads of all attention blocks
at::Tensor heads_of(std::uint64_t full, int heads);                 // (1, heads), bool
double mean_hits(const at::Tensor& hits, const at::Tensor& count);  // share of all labels

}  // namespace elastane::train
