#include "lab/recall/glass_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elastane::recall {

GlassAttention::GlassAttention(const AttentionConfig& config, int width, const Look& look, std::vector<Reading> before)
    : config_(config), width_(width), size_(width / config.heads), look_(look), before_(std::move(before)) {}

// pairs (i, i + size/2), by the time of the step, which counts from 1
void GlassAttention::turn(std::vector<double>& rows) const {
  const int half = size_ / 2, steps = static_cast<int>(rows.size()) / width_;
  for (int t = 0; t < steps; ++t) {
    for (int head = 0; head < config_.heads; ++head) {
      double* x = rows.data() + static_cast<std::ptrdiff_t>(t) * width_ + head * size_;
      for (int i = 0; i < half; ++i) {
        const double angle = (t + 1) * std::pow(config_.rotary_base, -static_cast<double>(i) / half);
        const double c = std::cos(angle), s = std::sin(angle), a = x[i], b = x[i + half];
        x[i] = a * c - b * s, x[i + half] = b * c + a * s;
      }
    }
  }
}

// mean of the first block, mean of the last ones, maximum so far; after each whole block
void GlassAttention::pool(const std::vector<double>& keys) {
  const int block = look_.layout.block, blocks = reading_.length / block;
  const auto channels = static_cast<std::size_t>(width_);
  std::vector<double> most(channels, -std::numeric_limits<double>::infinity()), first, last;
  for (int b = 0; b < blocks; ++b) {
    std::vector<double> mean(channels, 0.0);
    for (int t = b * block; t < (b + 1) * block; ++t) {
      for (std::size_t c = 0; c < channels; ++c) {
        const double key = keys[static_cast<std::size_t>(t) * channels + c];
        mean[c] += key / block, most[c] = std::max(most[c], key);
      }
    }
    if (b == 0) first = last = mean;
    for (std::size_t c = 0; c < channels; ++c) last[c] = 0.5 * (last[c] + mean[c]);
    reading_.first.insert(reading_.first.end(), first.begin(), first.end());
    reading_.last.insert(reading_.last.end(), last.begin(), last.end());
    reading_.most.insert(reading_.most.end(), most.begin(), most.end());
  }
}

double GlassAttention::block_score(int head, int block, int t, const double* q, const std::vector<double>& keys) const {
  const int begin = block * look_.layout.block, end = std::min(begin + look_.layout.block, t + 1);
  const auto key = [&](int s, int c) { return keys[static_cast<std::size_t>(s) * width_ + head * size_ + c]; };
  if (look_.rule == BlockRule::nearest) return block;
  double score = look_.rule == BlockRule::exact ? -std::numeric_limits<double>::infinity() : 0;
  if (look_.rule == BlockRule::exact) {
    for (int s = begin; s < end; ++s) {
      double product = 0;
      for (int c = 0; c < size_; ++c) product += q[c] * key(s, c);
      score = std::max(score, product);
    }
    return score;
  }
  for (int c = 0; c < size_; ++c) {
    double low = key(begin, c), high = low, sum = 0;
    for (int s = begin; s < end; ++s)
      low = std::min(low, key(s, c)), high = std::max(high, key(s, c)), sum += key(s, c);
    score += look_.rule == BlockRule::mean ? q[c] * sum / (end - begin) : std::max(q[c] * low, q[c] * high);
  }
  return score;
}

// marks the blocks that query t of a head reads
void GlassAttention::choose(int head, int t, const double* q, const std::vector<double>& keys) {
  const Layout& layout = look_.layout;
  const int own = t / layout.block;
  const bool full = !look_.is_full || look_.is_full({static_cast<int>(before_.size()), head, own, reading_, before_});
  std::vector<std::pair<double, int>> others;
  for (int b = 0; b <= own; ++b) {
    const bool streamed = b * layout.block < layout.sink || b > own - layout.local / layout.block;
    reading_.read[reading_.at(head, t, b)] = full || streamed ? 1 : 0;
    if (!full && !streamed && look_.extra > 0) others.emplace_back(-block_score(head, b, t, q, keys), b);
  }
  const auto count = std::min<std::size_t>(others.size(), static_cast<std::size_t>(look_.extra));
  std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count), others.end());
  for (std::size_t i = 0; i < count; ++i) reading_.read[reading_.at(head, t, others[i].second)] = 1;
}

std::vector<double> GlassAttention::attend(std::vector<double> q, std::vector<double> k, const std::vector<double>& v) {
  const int length = static_cast<int>(q.size()) / width_, block = look_.layout.block,
            blocks = (length + block - 1) / block;
  reading_ = {.heads = config_.heads, .length = length, .blocks = blocks, .channels = width_};
  const std::size_t cells = reading_.at(config_.heads, 0, 0);
  reading_.mass.assign(cells, 0.0F), reading_.read.assign(cells, 0);
  pool(k);
  if (config_.rotary) turn(q), turn(k);
  std::vector<double> o(q.size(), 0.0), weight(static_cast<std::size_t>(length));
  for (int head = 0; head < config_.heads; ++head) {
    for (int t = 0; t < length; ++t) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t) * width_ + head * size_;
      choose(head, t, q.data() + at, k);
      double most = -std::numeric_limits<double>::infinity(), sum = 0;
      for (int s = 0; s <= t; ++s) {
        weight[s] = -std::numeric_limits<double>::infinity();
        if (reading_.read[reading_.at(head, t, s / block)] == 0) continue;
        double product = 0;
        for (int c = 0; c < size_; ++c)
          product += q[at + c] * k[static_cast<std::ptrdiff_t>(s) * width_ + head * size_ + c];
        weight[s] = product / std::sqrt(size_), most = std::max(most, weight[s]);
      }
      for (int s = 0; s <= t; ++s) sum += weight[s] = std::exp(weight[s] - most);
      for (int s = 0; s <= t; ++s) {
        if (weight[s] == 0) continue;
        reading_.mass[reading_.at(head, t, s / block)] += static_cast<float>(weight[s] / sum);
        for (int c = 0; c < size_; ++c)
          o[at + c] += weight[s] / sum * v[static_cast<std::ptrdiff_t>(s) * width_ + head * size_ + c];
      }
    }
  }
  return o;
}

}  // namespace elastane::recall
