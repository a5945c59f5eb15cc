#include "elastane/train/head_search.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <map>
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

// one head fewer for each of these sequences, if the divergence stays below epsilon: the head that is missed least
void drop_worst_head(const SequenceModel& model, const RouterData& data, const Tensor& dense,
                     const ExampleSearch& search, Tensor& full) {
  std::vector<Tensor> tried;
  for (std::int64_t head = 0; head < full.size(1); ++head) {
    Tensor without = full.clone();
    without.select(1, head).fill_(false);
    Tensor found = at::full({data.size()}, HUGE_VAL);
    const Tensor own = full.select(1, head).nonzero().squeeze(1);
    if (own.numel() > 0) {
      found.index_copy_(
          0, own,
          divergence_of(model, data.rows(own), dense.index_select(0, own), without.index_select(0, own), search.mask));
    }
    tried.push_back(found);
  }
  const auto [least, head] = at::stack(tried, 1).min(1);
  const Tensor kept = full.gather(1, head.unsqueeze(1)) & (least >= search.epsilon).unsqueeze(1);
  full.scatter_(1, head.unsqueeze(1), kept);
}

// the subsets that occur most often, and none and all heads
Tensor frequent_subsets(const Tensor& full, int most) {
  std::map<std::vector<bool>, int> count;
  for (std::int64_t i = 0; i < full.size(0); ++i) {
    const Tensor row = full[i].contiguous();
    ++count[std::vector<bool>(row.data_ptr<bool>(), row.data_ptr<bool>() + row.numel())];
  }
  const auto heads = static_cast<std::size_t>(full.size(1));
  for (const bool all : {false, true}) count[std::vector<bool>(heads, all)] = std::numeric_limits<int>::max();
  std::vector<std::pair<std::vector<bool>, int>> order(count.begin(), count.end());
  std::ranges::stable_sort(order, std::greater(), &std::pair<std::vector<bool>, int>::second);
  order.resize(std::min(order.size(), static_cast<std::size_t>(most)));
  Tensor subsets = at::zeros({static_cast<std::int64_t>(order.size()), full.size(1)}, at::kBool);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t head = 0; head < heads; ++head) {
      subsets.data_ptr<bool>()[i * heads + head] = order[i].first[head];
    }
  }
  return subsets;
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

namespace {

// what each candidate costs each sequence, (N, M)
Tensor costs_of(const SequenceModel& model, const RouterData& data, const Tensor& dense, const ExampleSearch& search,
                const Tensor& candidates, const SearchProgress& progress) {
  std::vector<Tensor> cost;
  for (std::int64_t i = 0; i < candidates.size(0); ++i) {
    const Tensor heads = candidates.narrow(0, i, 1), every = heads.expand({data.size(), heads.size(1)});
    cost.push_back(divergence_of(model, data, dense, every, search.mask).to(at::kDouble) +
                   search.epsilon * heads.sum().item<double>());
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(candidates.size(0)));
  }
  return at::stack(cost, 1);
}

// which candidates are kept: the cheapest of enough sequences, none and all
constexpr int kOneIn = 100;
Tensor winners(const Tensor& candidates, const Tensor& cost) {
  const Tensor wins = at::bincount(std::get<1>(cost.min(1)), {}, candidates.size(0)), heads = candidates.sum(1);
  return ((wins * kOneIn >= cost.size(0)) | (heads == 0) | (heads == candidates.size(1))).nonzero().squeeze(1);
}

// a small subset for each sequence that keeps the divergence below epsilon
Tensor searched_subsets(const SequenceModel& model, const RouterData& data, const Tensor& dense,
                        const ExampleSearch& search, const SearchProgress& progress) {
  const int heads = head_count(model), most = search.most_full > 0 ? search.most_full : heads / 2;
  Tensor full = at::zeros({data.size(), heads}, at::kBool);
  Tensor divergence = divergence_of(model, data, dense, full, search.mask);
  for (int count = 0; count < most; ++count) {
    const Tensor open = (divergence >= search.epsilon).nonzero().squeeze(1);
    if (progress) progress(static_cast<double>(count + 1) / (most + 1));
    if (open.numel() == 0) break;
    Tensor own = full.index_select(0, open), remains = divergence.index_select(0, open);
    add_best_head(model, data.rows(open), dense.index_select(0, open), search.mask, own, remains);
    full.index_copy_(0, open, own);
    divergence.index_copy_(0, open, remains);
  }
  const Tensor several = (full.sum(1) > 1).nonzero().squeeze(1);
  if (several.numel() == 0) return full;
  Tensor own = full.index_select(0, several);
  drop_worst_head(model, data.rows(several), dense.index_select(0, several), search, own);
  return full.index_copy_(0, several, own);
}

}  // namespace

HeadExamples search_examples(const SequenceModel& model, const RouterData& data, const Tensor& dense,
                             const ExampleSearch& search, const SearchProgress& progress) {
  const at::NoGradGuard no_grad;
  const auto part = [&](double from, double to) -> SearchProgress {
    if (!progress) return {};
    return [=](double share) { progress(from + (to - from) * share); };
  };
  const Tensor first = at::arange(std::min<std::int64_t>(data.size(), search.searched), at::kLong);
  const RouterData some = data.rows(first);
  const Tensor some_dense = dense.index_select(0, first);
  const Tensor found = searched_subsets(model, some, some_dense, search, part(0, 0.4));
  const Tensor tried = frequent_subsets(found, search.candidates);
  const Tensor cost = costs_of(model, some, some_dense, search, tried, part(0.4, 0.7)), kept = winners(tried, cost);
  HeadExamples examples{.candidates = tried.index_select(0, kept), .cost = cost.index_select(1, kept)};
  if (first.numel() < data.size()) {
    const Tensor rest = at::arange(first.numel(), data.size(), at::kLong);
    const Tensor more =
        costs_of(model, data.rows(rest), dense.index_select(0, rest), search, examples.candidates, part(0.7, 1));
    examples.cost = at::cat({examples.cost, more}, 0);
  }
  const auto [least, best] = examples.cost.min(1);
  examples.full = examples.candidates.index_select(0, best);
  examples.divergence = least - search.epsilon * examples.full.sum(1);
  return examples;
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
