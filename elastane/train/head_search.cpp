#include "elastane/train/head_search.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <set>

namespace elastane::train {
namespace {

using at::Tensor;

// KL of every sequence with its own heads (N, heads)
Tensor divergence_of(const SequenceModel& model, const RouterData& data, const Tensor& dense, const Tensor& heads,
                     const StreamingMask& mask) {
  std::vector<Tensor> parts;
  for (std::int64_t at = 0; at < data.size(); at += kRoutedRows) {
    const std::int64_t rows = std::min(kRoutedRows, data.size() - at);
    GivenModes modes(mask, heads.narrow(0, at, rows), model.attention_blocks());
    const Tensor y = routed_logits(model, data.x.narrow(0, at, rows), &modes);
    parts.push_back(label_divergence(dense.narrow(0, at, rows), y, data.target.narrow(0, at, rows)));
  }
  return at::cat(parts, 0);
}

// one more full head for each of these sequences: the best one
void add_best_head(const SequenceModel& model, const RouterData& data, const Tensor& dense, const StreamingMask& mask,
                   Tensor& full, Tensor& divergence) {
  std::vector<Tensor> tried;
  for (std::int64_t head = 0; head < full.size(1); ++head) {
    Tensor with = full.clone();
    with.select(1, head).fill_(true);
    const Tensor found = divergence_of(model, data, dense, with, mask);
    tried.push_back(at::where(full.select(1, head), at::full_like(found, HUGE_VAL), found));
  }
  const auto [least, head] = at::stack(tried, 1).min(1);
  full.scatter_(1, head.unsqueeze(1), true);
  divergence = least;
}

class Subsets {
 public:
  Subsets(const SequenceModel& model, const RouterData& data, const Tensor& dense, const StreamingMask& mask)
      : model_(model), data_(data), dense_(dense), mask_(mask), groups_(data.task.max().item<std::int64_t>() + 1) {}

  SubsetScore score(std::uint64_t full) const {
    std::vector<Tensor> hits, nats;
    GivenModes modes(mask_, heads_of(full, head_count(model_)), model_.attention_blocks());
    for (std::int64_t at = 0; at < data_.size(); at += kRoutedRows) {
      const std::int64_t rows = std::min(kRoutedRows, data_.size() - at);
      const Tensor y = routed_logits(model_, data_.x.narrow(0, at, rows), &modes);
      const Tensor target = data_.target.narrow(0, at, rows);
      hits.push_back(label_hits(y, target));
      nats.push_back(label_divergence(dense_.narrow(0, at, rows), y, target));
    }
    SubsetScore found{.full = full, .hits = {}, .divergence = {}};
    const Tensor all_hits = at::cat(hits, 0), all_nats = at::cat(nats, 0), count = label_count(data_.target);
    for (std::int64_t group = 0; group < groups_; ++group) {
      const Tensor rows = (data_.task == group).nonzero().squeeze(1);
      found.hits.push_back(mean_hits(all_hits.index_select(0, rows), count.index_select(0, rows)));
      found.divergence.push_back(all_nats.index_select(0, rows).mean().item<double>());
    }
    return found;
  }

 private:
  const SequenceModel& model_;
  const RouterData& data_;
  const Tensor& dense_;
  StreamingMask mask_;
  std::int64_t groups_;
};

std::set<std::uint64_t> subsets_up_to(int heads, int most) {
  std::set<std::uint64_t> found;
  for (std::uint64_t full = 0; full < (1ULL << heads); ++full) {
    if (std::popcount(full) <= most) found.insert(full);
  }
  return found;
}

bool is_better(const SubsetScore& a, const SubsetScore& b) {
  return a.mean_hits() != b.mean_hits() ? a.mean_hits() > b.mean_hits() : a.mean_divergence() < b.mean_divergence();
}

// the best of `count` heads over all groups, and for each group by its divergence: from where a greedy search continues
std::set<std::uint64_t> leaders(const std::vector<SubsetScore>& scores, int count) {
  std::set<std::uint64_t> found;
  const SubsetScore* all = best_static(scores, count);
  if (all == nullptr) return found;
  found.insert(all->full);
  for (std::size_t group = 0; group < all->divergence.size(); ++group) {
    const SubsetScore* best = all;
    for (const SubsetScore& s : scores) {
      if (s.count() == count && s.divergence[group] < best->divergence[group]) best = &s;
    }
    found.insert(best->full);
  }
  return found;
}

}  // namespace

int SubsetScore::count() const { return std::popcount(full); }
double SubsetScore::mean_hits() const {
  return std::accumulate(hits.begin(), hits.end(), 0.0) / static_cast<double>(hits.size());
}
double SubsetScore::mean_divergence() const {
  return std::accumulate(divergence.begin(), divergence.end(), 0.0) / static_cast<double>(divergence.size());
}

HeadExamples search_examples(const SequenceModel& model, const RouterData& data, const Tensor& dense,
                             const ExampleSearch& search, const SearchProgress& progress) {
  const at::NoGradGuard no_grad;
  const int heads = head_count(model), most = search.most_full > 0 ? search.most_full : heads / 2;
  HeadExamples found = {at::zeros({data.size(), heads}, at::kBool), {}};
  found.divergence = divergence_of(model, data, dense, found.full, search.mask);
  for (int count = 0; count < most; ++count) {
    const Tensor open = (found.divergence >= search.epsilon).nonzero().squeeze(1);
    if (progress) progress(static_cast<double>(count + 1) / (most + 1));
    if (open.numel() == 0) break;
    Tensor full = found.full.index_select(0, open), divergence = found.divergence.index_select(0, open);
    add_best_head(model, data.rows(open), dense.index_select(0, open), search.mask, full, divergence);
    found.full.index_copy_(0, open, full);
    found.divergence.index_copy_(0, open, divergence);
  }
  return found;
}

std::vector<SubsetScore> search_subsets(const SequenceModel& model, const RouterData& data, const Tensor& dense,
                                        const SubsetSearch& search, const SearchProgress& progress) {
  const at::NoGradGuard no_grad;
  const int heads = head_count(model), most = std::min(search.most, heads);
  const Subsets subsets(model, data, dense, search.mask);
  std::vector<SubsetScore> scores;
  const std::set<std::uint64_t> first = subsets_up_to(heads, std::min(search.exhaustive, most));
  for (const std::uint64_t full : first) {
    scores.push_back(subsets.score(full));
    if (progress) progress(0.8 * static_cast<double>(scores.size()) / static_cast<double>(first.size()));
  }
  for (int count = search.exhaustive; count < most; ++count) {
    std::set<std::uint64_t> next;
    for (const std::uint64_t leader : leaders(scores, count)) {
      for (int head = 0; head < heads; ++head) next.insert(leader | (1ULL << head));
    }
    for (const std::uint64_t full : next) {
      if (std::popcount(full) == count + 1) scores.push_back(subsets.score(full));
    }
    if (progress) progress(0.8 + 0.2 * (count + 1 - search.exhaustive) / (most - search.exhaustive));
  }
  std::ranges::stable_sort(scores, {}, &SubsetScore::count);
  return scores;
}

const SubsetScore* best_static(const std::vector<SubsetScore>& scores, int count) {
  const SubsetScore* best = nullptr;
  for (const SubsetScore& s : scores) {
    if (s.count() == count && (best == nullptr || is_better(s, *best))) best = &s;
  }
  return best;
}

const SubsetScore* fewest_for(const std::vector<SubsetScore>& scores, std::size_t group, double dense_hits,
                              double share) {
  const SubsetScore* best = nullptr;
  for (const SubsetScore& s : scores) {
    if (s.hits[group] < share * dense_hits) continue;
    const bool fewer = best == nullptr || s.count() < best->count();
    const bool closer = best != nullptr && s.count() == best->count() && s.divergence[group] < best->divergence[group];
    if (fewer || closer) best = &s;
  }
  return best;
}

int head_count(const SequenceModel& model) {
  int heads = 0;
  for (const BlockConfig& block : model.config().blocks) {
    if (const auto* attention = std::get_if<AttentionConfig>(&block.kind)) {
      heads += attention->kv_heads > 0 ? attention->kv_heads : attention->heads;
    }
  }
  return heads;
}

Tensor heads_of(std::uint64_t full, int heads) {
  Tensor chosen = at::zeros({1, heads}, at::kBool);
  for (int head = 0; head < heads; ++head) chosen.data_ptr<bool>()[head] = ((full >> head) & 1U) != 0;
  return chosen;
}

double mean_hits(const Tensor& hits, const Tensor& count) {
  return static_cast<double>(hits.sum().item<std::int64_t>()) /
         static_cast<double>(std::max<std::int64_t>(1, count.sum().item<std::int64_t>()));
}

}  // namespace elastane::train
