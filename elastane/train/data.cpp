#include "elastane/train/data.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "elastane/core/base/random.h"

namespace elastane::train {

using at::Tensor;

Status check(const Dataset& data, const ModelConfig& config, std::string_view name) {
  std::int64_t targets = 0;
  for (const Series& s : data) {
    const bool fits = s.x.dim() == 2 && s.target.dim() == 2 && s.x.size(1) == config.inputs &&
                      s.target.size(1) == config.outputs && s.x.size(0) == s.target.size(0) &&
                      (!s.dt.defined() || (s.dt.dim() == 1 && s.dt.size(0) == s.x.size(0)));
    if (!fits) {
      return Error{"[data] " + std::string(name) + ": expected series of " + std::to_string(config.inputs) +
                   " inputs and " + std::to_string(config.outputs) + " targets a row"};
    }
    if (s.dt.defined() != data.front().dt.defined()) {
      return Error{"[data] " + std::string(name) + ": expected time steps for all series, or for none"};
    }
    if (s.dt.defined() && !(at::isfinite(s.dt) & (s.dt > 0)).all().item<bool>()) {
      return Error{"[data] " + std::string(name) + ": expected time steps above 0"};
    }
    targets += at::isfinite(s.target).sum().item<std::int64_t>();
  }
  if (targets == 0) {
    return Error{"[data] " + std::string(name) + ": expected at least one row with a target, found none; " +
                 "is everything missing, or shorter than the horizon?"};
  }
  return {};
}

Sampler::Sampler(const Dataset& data, const SamplerOptions& options)
    : data_(&data), options_(options), order_(data.size()), lanes_(static_cast<std::size_t>(options.batch)) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (options.classes > 1) {
    std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return data[i].length(); });
  }
  std::int64_t places = 0;
  for (const std::size_t i : order_) {
    places += std::max<std::int64_t>(1, data[i].length() - options.length + 1);
    ends_.push_back(places);
  }
  seek(0);
}

void Sampler::restart(std::size_t index) {
  Lane& lane = lanes_[index];
  const auto begun = static_cast<std::uint64_t>(lane.begun);
  Random random(options_.seed * 0x9E3779B97F4A7C15ULL + index, begun * 4);
  double share = random.uniform();
  if (options_.classes > 1) {
    const auto classes = static_cast<int>(options_.classes);
    const int drawn = Random(options_.seed ^ 0x636C6173735F5F5FULL, begun).below(classes);  // the same in all lanes
    share = (drawn + share) / classes;
  }
  const auto place = static_cast<std::int64_t>(share * static_cast<double>(ends_.back()));
  const auto found = static_cast<std::size_t>(std::ranges::upper_bound(ends_, place) - ends_.begin());
  lane.series = order_[found];
  lane.at = place - (found > 0 ? ends_[found - 1] : 0);
  lane.taken = 0;
  lane.begun += 1;
}

void Sampler::move_on() {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    lane.at += options_.length;
    lane.taken += 1;
    if (lane.taken > options_.carry || lane.at >= (*data_)[lane.series].length()) restart(i);
  }
}

void Sampler::seek(std::int64_t step) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i] = {};
    restart(i);
  }
  for (std::int64_t k = 0; k < step; ++k) move_on();
  moved_ = true;
}

// what is behind the end is missing
Series Sampler::piece(const Lane& lane, std::int64_t length) const {
  const Series& series = (*data_)[lane.series];
  const std::int64_t rows = std::min(length, series.length() - lane.at);
  const auto cut = [&](const Tensor& t, double filling) {
    const Tensor part = t.narrow(0, lane.at, rows);
    if (rows == length) return part;
    std::vector<std::int64_t> shape = t.sizes().vec();
    shape[0] = length - rows;
    return at::cat({part, at::full(shape, filling, t.options())}, 0);
  };
  Series found = {cut(series.x, NAN), cut(series.target, NAN), series.dt.defined() ? cut(series.dt, 1.0) : Tensor()};
  const std::int64_t unjudged = std::min(length, options_.warm_up - lane.taken * options_.length);
  if (unjudged > 0) {
    found.target = found.target.clone();
    found.target.narrow(0, 0, unjudged).fill_(NAN);
  }
  return found;
}

Batch Sampler::next(std::int64_t first, std::int64_t count) {
  if (!moved_) move_on();
  moved_ = false;
  std::vector<Tensor> x, target, dt;
  Batch batch;
  batch.fresh = at::empty({count}, at::kBool);
  // as long as the longest piece of all lanes, also those of other processes
  std::int64_t length = options_.length;
  if (options_.classes > 1) {
    std::int64_t longest = 0;
    for (const Lane& lane : lanes_) longest = std::max(longest, (*data_)[lane.series].length() - lane.at);
    length = std::min(length, longest);
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const Lane& lane = lanes_[static_cast<std::size_t>(first + i)];
    const Series part = piece(lane, length);
    batch.fresh.data_ptr<bool>()[i] = lane.taken == 0;
    x.push_back(part.x);
    target.push_back(part.target);
    if (part.dt.defined()) dt.push_back(part.dt);
  }
  batch.inputs.x = at::stack(x, 0);
  batch.target = at::stack(target, 0);
  if (!dt.empty()) batch.inputs.dt = at::stack(dt, 0);
  return batch;
}

}  // namespace elastane::train
