#include "lab/images/training_geometry.h"

#include <cmath>

namespace elastane::images {
namespace {

using at::Tensor;

double sum_of(const Tensor& values) { return values.to(at::kDouble).sum().item<double>(); }

double right(const DeepNetwork& network, const Tensor& h, const Tensor& labels) {
  return sum_of(network.logits(h).argmax(1) == labels);
}

double mean_of(double sum, double count) { return count > 0 && std::isfinite(sum) && sum >= 0 ? sum / count : -1; }

}  // namespace

std::vector<double> Geometry::values() const {
  std::vector<double> all;
  for (const std::vector<double>* part : {&cosine, &distance, &norm, &accuracy}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  return all;
}

GeometrySums::GeometrySums(int depth) : depth_(depth) {
  sums_.cosine.resize(std::size(kShownDepths));
  sums_.distance.resize(std::size(kShownDepths));
  sums_.norm.resize(3);
  sums_.accuracy.resize(std::size(kScoredDepths));
  sums_.accuracy_at_3t = 0;
}

void GeometrySums::add(const DeepNetwork& network, const std::vector<Tensor>& states, const Tensor& labels) {
  const at::NoGradGuard guard;
  const auto deepest = static_cast<int>(states.size());
  const auto at = [&](int t) { return states[static_cast<std::size_t>(t - 1)]; };
  const Tensor last = at(depth_), far = at(deepest);
  const Tensor far_size = far.norm(2, 1) + 1e-30;
  for (std::size_t i = 0; i < std::size(kShownDepths); ++i) {
    if (kShownDepths[i] > depth_) {
      sums_.cosine[i] = sums_.distance[i] = NAN;
      continue;
    }
    const Tensor h = at(kShownDepths[i]);
    sums_.cosine[i] += sum_of((h * last).sum(1) / (h.norm(2, 1) * last.norm(2, 1) + 1e-30));
    sums_.distance[i] += sum_of((h - far).norm(2, 1) / far_size);
  }
  for (std::size_t i = 0; i < std::size(kScoredDepths); ++i) {
    sums_.accuracy[i] += kScoredDepths[i] <= depth_ ? right(network, at(kScoredDepths[i]), labels) : NAN;
  }
  sums_.norm[0] += sum_of(at(1).norm(2, 1));
  sums_.norm[1] += sum_of(last.norm(2, 1));
  sums_.norm[2] += deepest > depth_ ? sum_of(far.norm(2, 1)) : NAN;
  sums_.accuracy_at_3t += deepest > depth_ ? right(network, far, labels) : NAN;
  count_ += static_cast<double>(labels.size(0));
}

Geometry GeometrySums::mean() const {
  Geometry mean = sums_;
  for (std::vector<double>* part : {&mean.cosine, &mean.distance, &mean.norm, &mean.accuracy}) {
    for (double& value : *part) value = mean_of(value, count_);
  }
  mean.accuracy_at_3t = mean_of(mean.accuracy_at_3t, count_);
  return mean;
}

}  // namespace elastane::images
