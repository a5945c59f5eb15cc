// Trains a router by examples: subsets of full heads that keep what the dense model says, found by search.
//
//   L₁ = −log Σ_S p(S)·exp(−(c_S − c_best)/ε)       p(S) = Π_h σ(±logit_h),  c_S = KL(dense ‖ S) + ε·|S|
//   L₂ = Σ_S q(S)·(c_S − c_best)                    q(S) = p(S)/Σ p over the subsets that were tried
//
// L₁: any subset that is nearly as cheap as the best one is right, so the router settles on subsets that it can tell apart
// by its features. Then its own decisions are followed, for whole sequences and block by block, because the keys of later
// layers depend on them, and L₂ is added: a head that is missing costs more than one that is idle. In the end one offset of
// all logits is chosen by the cost on sequences that the router was not fitted to.
#pragma once

#include "elastane/train/router_training.h"

namespace elastane::train {

// pooled keys of every layer, under the modes given for each sequence: (N, blocks, F) each, in double
std::vector<at::Tensor> features_under(const SequenceModel& model, const at::Tensor& x, const at::Tensor& full,
                                       const RouterTraining& training);

// a router with random weights for such features
RouterNetwork new_network(const SequenceModel& model, const std::vector<at::Tensor>& features,
                          const RouterTraining& training, Random& random);

// −log of the weight of good subsets, per row; logits (rows, heads), cost (rows, candidates)
at::Tensor subset_loss(const at::Tensor& logits, const at::Tensor& candidates, const at::Tensor& cost, double epsilon);

// L₂ per row
at::Tensor expected_cost(const at::Tensor& logits, const at::Tensor& candidates, const at::Tensor& cost);

// KL(dense ‖ routed) + ε · full heads, mean over sequences, of the decisions for the whole sequence and block by block
double routed_cost(const SequenceModel& model, const RouterData& data, const at::Tensor& dense,
                   const TrainedRouter& router, double epsilon);

TrainedRouter train_by_examples(const SequenceModel& model, const RouterData& data, const at::Tensor& dense,
                                const RouterTraining& training);

double cosine(double done);  // from 1 to 0
at::Tensor drawn_rows(std::int64_t count, int batch, Random& random);

}  // namespace elastane::train
