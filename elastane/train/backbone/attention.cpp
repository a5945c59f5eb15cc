// Twin of elastane/core/backbone/attention.h.   State: keys and values of the last `window` steps, newest last, each
// (batch, window, key heads, size). Keys are turned by their own time.
//
// Queries go in blocks as long as the window, each with the keys it can see, so cost and memory are linear in length.
//
// With head modes both branches come from one score matrix: (r·P_full + (1 − r)·P_stream) V, P the attention weights.
#include "elastane/core/backbone/attention.h"

#include <algorithm>
#include <numbers>

#include "elastane/train/block.h"

namespace elastane::train {
namespace {

using at::Tensor;

// the same modes for every sequence
class FixedModes : public HeadModes {
 public:
  FixedModes(const StreamingMask& mask, Tensor share) : HeadModes(mask), share_(std::move(share)) {}
  Tensor full_share(int, const Tensor&) override { return share_; }

 private:
  Tensor share_;
};

class AttentionTwin : public Block {
 public:
  AttentionTwin(const AttentionConfig& config, int width, Scope weights)
      : w_(std::move(weights)),
        heads_(config.heads),
        kv_heads_(config.kv_heads > 0 ? config.kv_heads : config.heads),
        size_(width / config.heads),
        window_(config.window) {
    set_modes(config);
    if (!config.rotary) return;
    const std::int64_t half = size_ / 2;
    frequency_ = at::pow(config.rotary_base, -at::arange(half, at::kDouble) / static_cast<double>(half));
  }

  BlockState start(std::int64_t batch) const override {
    const Tensor empty = at::zeros({batch, window_, kv_heads_, size_}, w_["q_proj.weight"].options());
    return {empty, empty.clone()};
  }
  int latents() const override { return 0; }

  Tensor forward(const Tensor& u, const Steps& steps, BlockState& state) const override {
    const std::int64_t batch = u.size(0), length = u.size(1);
    const Qkv own = project(u, steps.time);
    // entries that no stream has written yet are left out: when all start from zero, that is most of the window
    const std::int64_t kept = std::min(window_ - 1, steps.position.max().item<std::int64_t>());
    const Tensor keys = at::cat({state[0].narrow(1, window_ - kept, kept), own.k}, 1);
    const Tensor values = at::cat({state[1].narrow(1, window_ - kept, kept), own.v}, 1);
    // entry i < kept was written kept − i steps before the first of ours
    const Tensor age = kept - at::arange(kept + length, at::kLong);
    const Tensor empty = age.unsqueeze(0) > steps.position.unsqueeze(1);  // (batch, entries)
    HeadModes* modes = steps.modes != nullptr ? steps.modes : modes_.get();
    const Tensor share = modes != nullptr ? full_share(*modes, steps, own.raw) : Tensor();

    std::vector<Tensor> o;
    const std::int64_t block = std::max<std::int64_t>(window_, 64);
    for (std::int64_t t = 0; t < length; t += block) {
      const std::int64_t queries = std::min(block, length - t);
      const std::int64_t first = std::max<std::int64_t>(0, t + kept - window_ + 1), seen = t + queries + kept - first;
      const Tensor query = at::arange(t + kept, t + kept + queries, at::kLong);  // which entry its own is
      const Tensor ago = query.unsqueeze(1) - at::arange(first, first + seen, at::kLong).unsqueeze(0);
      const Tensor hidden = ((ago < 0) | (ago >= window_)).unsqueeze(0) | empty.narrow(1, first, seen).unsqueeze(1);
      Branches branches;
      if (share.defined()) {
        branches.unseen = modes->mask().hides(query, at::arange(first, first + seen, at::kLong));
        branches.full = share.narrow(2, t, queries);
      }
      o.push_back(attend(own.q.narrow(1, t, queries), keys.narrow(1, first, seen), values.narrow(1, first, seen),
                         hidden, branches));
    }
    state = {at::cat({state[0], own.k}, 1).narrow(1, length, window_),
             at::cat({state[1], own.v}, 1).narrow(1, length, window_)};
    return at::linear(at::cat(o, 1).reshape({batch, length, heads_ * size_}), w_["o_proj.weight"]);
  }

  // `now` is the step itself: its position counts it already
  Tensor read(const Tensor& u, const Steps& now, const BlockState& state) const override {
    const Qkv own = project(u.unsqueeze(1), now.time);
    const Tensor keys = at::cat({state[0].narrow(1, 0, window_ - 1), own.k}, 1);
    const Tensor values = at::cat({state[1].narrow(1, 0, window_ - 1), own.v}, 1);
    const Tensor age = window_ - at::arange(window_, at::kLong);
    const Tensor hidden = (age.unsqueeze(0) > now.position.unsqueeze(1)).unsqueeze(1);
    const Tensor o = attend(own.q, keys, values, hidden);
    return at::linear(o.reshape({u.size(0), heads_ * size_}), w_["o_proj.weight"]);
  }

  void rewrite(const Tensor& u, const Steps& now, BlockState& state) const override {
    const Qkv own = project(u.unsqueeze(1), now.time);
    state = {at::cat({state[0].narrow(1, 0, window_ - 1), own.k}, 1),
             at::cat({state[1].narrow(1, 0, window_ - 1), own.v}, 1)};
  }

 private:
  struct Qkv {
    Tensor q, k, v;  // (batch, length, heads, size)
    Tensor raw;      // keys before rotation
  };
  // what streaming heads do not see (queries, entries), and r (batch or 1, heads, queries, 1); undefined: all are full
  struct Branches {
    Tensor unseen, full;
  };

  // the configuration's own modes; they stay null where all heads are full
  void set_modes(const AttentionConfig& config) {
    if (std::ranges::all_of(config.modes, [](HeadMode mode) { return mode == HeadMode::full; })) return;
    Tensor share = at::ones({1, 1, kv_heads_});
    for (std::size_t head = 0; head < config.modes.size(); ++head) {
      TORCH_CHECK(config.modes[head] != HeadMode::blocks,
                  "[train] modes: heads that choose their blocks have no twin; train with full or stream");
      if (config.modes[head] == HeadMode::stream) share[0][0][static_cast<std::int64_t>(head)] = 0;
    }
    const StreamingMask mask = {.block = config.block, .sink = config.sink, .local = config.local};
    modes_ = std::make_unique<FixedModes>(mask, share);
  }

  // r of every query: (batch or 1, heads, length, 1)
  Tensor full_share(HeadModes& modes, const Steps& steps, const Tensor& keys) const {
    const std::int64_t length = keys.size(1);
    TORCH_CHECK(steps.position.max().item<std::int64_t>() == 0 && length <= window_,
                "[train] head modes: expected sequences from their beginning that fit the window of ", window_,
                " steps, found ", length, " steps from position ", steps.position.max().item<std::int64_t>());
    Tensor share =
        modes.full_share(steps.attention, keys).to(keys.scalar_type());  // (batch or 1, blocks or 1, KV heads)
    if (share.size(1) > 1) share = share.repeat_interleave(modes.mask().block, 1).narrow(1, 0, length);
    share = share.expand({share.size(0), length, kv_heads_}).repeat_interleave(heads_ / kv_heads_, 2);
    return share.transpose(1, 2).unsqueeze(-1);
  }

  Qkv project(const Tensor& u, const Tensor& time) const {
    const auto split = [&](std::string_view name, std::int64_t heads) {
      return at::linear(u, w_[name]).view({u.size(0), u.size(1), heads, size_});
    };
    Qkv p = {split("q_proj.weight", heads_), split("k_proj.weight", kv_heads_), split("v_proj.weight", kv_heads_), {}};
    p.raw = p.k;
    if (!frequency_.defined()) return p;
    const Tensor angle = at::remainder(time.unsqueeze(-1) * frequency_, 2 * std::numbers::pi).unsqueeze(2);
    const Tensor cosine = at::cos(angle).to(u.scalar_type()), sine = at::sin(angle).to(u.scalar_type());
    p.q = turned(p.q, cosine, sine);
    p.k = turned(p.k, cosine, sine);
    return p;
  }

  // pairs (i, i + size/2)
  static Tensor turned(const Tensor& x, const Tensor& cosine, const Tensor& sine) {
    const auto half = x.chunk(2, -1);
    return at::cat({half[0] * cosine - half[1] * sine, half[1] * cosine + half[0] * sine}, -1);
  }

  // softmax(q·k/√size)·v; hidden (batch or 1, queries, entries)
  Tensor attend(const Tensor& q, Tensor k, Tensor v, const Tensor& hidden, const Branches& branches = {}) const {
    if (heads_ != kv_heads_) {
      k = k.repeat_interleave(heads_ / kv_heads_, 2);
      v = v.repeat_interleave(heads_ / kv_heads_, 2);
    }
    const Tensor scores = at::matmul(q.transpose(1, 2) / std::sqrt(size_), k.permute({0, 2, 3, 1}));
    const Tensor weights = weights_of(scores, hidden.unsqueeze(1), branches);
    return at::matmul(weights, v.transpose(1, 2)).transpose(1, 2);
  }

  static Tensor weights_of(const Tensor& scores, const Tensor& hidden, const Branches& b) {
    const auto over = [&](const Tensor& not_seen) { return at::softmax(scores.masked_fill(not_seen, -HUGE_VAL), -1); };
    if (!b.full.defined()) return over(hidden);
    // r is 0 or 1 where nothing is derived from it: then one branch is enough
    if (!b.full.requires_grad()) return over(hidden | (b.unseen & (b.full < 0.5)));
    return b.full * over(hidden) + (1 - b.full) * over(hidden | b.unseen);
  }

  Scope w_;
  std::int64_t heads_, kv_heads_, size_, window_;
  std::unique_ptr<HeadModes> modes_;  // of the configuration
  Tensor frequency_;                  // radians a unit of time; undefined without rotary positions
};

}  // namespace

std::unique_ptr<Block> twin(const AttentionConfig& config, int width, Scope weights) {
  return std::make_unique<AttentionTwin>(config, width, std::move(weights));
}

}  // namespace elastane::train
