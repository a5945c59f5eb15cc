#include "elastane/train/routed_model.h"

#include <algorithm>
#include <vector>

namespace elastane::train {

using at::Tensor;

namespace {

Tensor labelled(const Tensor& target) { return at::isfinite(target).all(-1); }  // (N, length)

// the mean of values (N, length) over labels
Tensor over_labels(const Tensor& values, const Tensor& known) {
  return at::where(known, values, at::zeros({}, values.options())).sum(-1) / known.sum(-1).clamp_min(1);
}

}  // namespace

RouterData RouterData::rows(const Tensor& index) const {
  return {x.index_select(0, index), target.index_select(0, index), task.index_select(0, index)};
}

Tensor routed_logits(const SequenceModel& model, const Tensor& x, HeadModes* modes) {
  return model.forward({.x = x, .present = {}, .dt = {}}, model.start(x.size(0)), modes).y;
}

Tensor dense_logits(const SequenceModel& model, const Tensor& x) {
  const at::NoGradGuard no_grad;
  std::vector<Tensor> parts;
  for (std::int64_t at = 0; at < x.size(0); at += kRoutedRows) {
    parts.push_back(routed_logits(model, x.narrow(0, at, std::min(kRoutedRows, x.size(0) - at)), nullptr));
  }
  return at::cat(parts, 0);
}

Tensor label_divergence(const Tensor& dense, const Tensor& logits, const Tensor& target) {
  const Tensor p = at::log_softmax(dense, -1), q = at::log_softmax(logits, -1);
  return over_labels((p.exp() * (p - q)).sum(-1), labelled(target));
}

Tensor label_loss(const Tensor& logits, const Tensor& target) {
  const Tensor wanted = at::where(at::isfinite(target), target, at::zeros({}, target.options()));
  return over_labels(-(wanted * at::log_softmax(logits, -1)).sum(-1), labelled(target));
}

Tensor label_hits(const Tensor& logits, const Tensor& target) {
  return ((logits.argmax(-1) == at::nan_to_num(target).argmax(-1)) & labelled(target)).sum(-1);
}

Tensor label_count(const Tensor& target) { return labelled(target).sum(-1); }

void freeze(const SequenceModel& model) {
  for (Tensor weight : model.weights().values()) weight.requires_grad_(false);
}

}  // namespace elastane::train
