// A frozen model under head modes: what it answers, and how far that is from what all heads together answer.
#pragma once

#include <ATen/ATen.h>

#include "elastane/train/head_modes.h"
#include "elastane/train/sequence_model.h"

namespace elastane::train {

// sequences of one length with labels
struct RouterData {
  //                 meaning                                                   shape
  at::Tensor x;       // inputs                                                (N, length, inputs)
  at::Tensor target;  // one-hot or probabilities; not finite: no label        (N, length, outputs)
  at::Tensor task;    // which kind of sequence, from 0                        (N), int64

  std::int64_t size() const { return x.size(0); }
  RouterData rows(const at::Tensor& index) const;
};

// logits (N, length, outputs); `modes` null: all heads are full. With derivatives if those are on; all rows at once
at::Tensor routed_logits(const SequenceModel& model, const at::Tensor& x, HeadModes* modes);
// the same in parts, without derivatives
at::Tensor dense_logits(const SequenceModel& model, const at::Tensor& x);

// per sequence, over its labels: KL(dense ‖ routed), cross-entropy, and the number of labels whose largest logit is right
at::Tensor label_divergence(const at::Tensor& dense, const at::Tensor& logits, const at::Tensor& target);  // (N), nats
at::Tensor label_loss(const at::Tensor& logits, const at::Tensor& target);                                 // (N), nats
at::Tensor label_hits(const at::Tensor& logits, const at::Tensor& target);                                 // (N), int64
at::Tensor label_count(const at::Tensor& target);                                                          // (N), int64

inline constexpr std::int64_t kRoutedRows = 64;  // sequences that are run at once

// weights that are not learned need no gradients
void freeze(const SequenceModel& model);

}  // namespace elastane::train
