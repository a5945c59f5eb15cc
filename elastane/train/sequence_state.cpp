#include "elastane/train/sequence_state.h"

#include <algorithm>

#include "elastane/core/network/state.h"
#include "elastane/core/stream/snapshot.h"

namespace elastane::train {
namespace {

using at::Tensor;

// one stream's part of a tensor, as floats
class Values {
 public:
  Values(const Tensor& tensor, std::int64_t row) : kept_(tensor[row].detach().to(at::kFloat).contiguous()) {}
  const float* data() const { return kept_.data_ptr<float>(); }

 private:
  Tensor kept_;
};

// `rows` rows of `n` floats, each padded
void write_planes(const float* from, int rows, int n, float* to) {
  for (int r = 0; r < rows; ++r) std::copy_n(from + r * n, n, to + r * padded(n));
}

struct Writer {
  const BlockState& state;
  std::int64_t row;
  StateView to;

  void operator()(const S4d& b) const {
    write_planes(Values(state[0], row).data(), 2 * b.pairs, b.width, to.dense() + b.slot.dense);
  }
  void operator()(const Mamba& m) const {
    float* dense = to.dense() + m.slot.dense;
    write_planes(Values(state[0], row).data(), m.states, m.inner, dense + m.conv_floats());
    write_taps(Values(state[1], row).data(), m.taps, m.inner, padded(m.inner), dense);
  }
  // the input of `lag` steps ago lies in the slot of its position; `n` floats of it, `stride` to the next slot
  void write_taps(const float* from, int taps, int n, int stride, float* dense) const {
    const std::uint64_t position = to.header().position;
    for (int lag = 0; lag < taps && static_cast<std::uint64_t>(lag) < position; ++lag) {
      const auto slot = static_cast<int>((position - 1 - lag) % taps);
      std::copy_n(from + (taps - 1 - lag) * n, n, dense + slot * stride);
    }
  }
  void operator()(const Gru& g) const {
    write_planes(Values(state[0], row).data(), 1, g.hidden, to.dense() + g.slot.dense);
  }
  void operator()(const Lstm& l) const {
    write_planes(Values(state[0], row).data(), 1, l.hidden, to.dense() + l.slot.dense);
    write_planes(Values(state[1], row).data(), 1, l.hidden, to.dense() + l.slot.dense + padded(l.hidden));
  }
  void operator()(const Attention& a) const {
    const Values keys(state[0], row), values(state[1], row);
    const std::uint64_t position = to.header().position;
    for (int lag = 0; lag < a.shape.window && static_cast<std::uint64_t>(lag) < position; ++lag) {
      const std::ptrdiff_t at = std::ptrdiff_t{a.shape.window - 1 - lag} * a.kv;
      a.window().write(keys.data() + at, values.data() + at, position - 1 - lag, to.ring());
    }
  }
  void operator()(const Delta& d) const {
    // M and P of every head, as if all writes had been made; then q, k and v of the last steps
    const AssociativeMemory& memory = d.memory;
    float *dense = to.dense() + d.slot.dense, *store = d.is_slow() ? to.slow() + d.slot.slow : dense + d.store_at();
    const Values matrices(state[0], row), spreads(state[1], row);
    const int n = memory.keys * memory.values, square = memory.keys * memory.keys;
    for (int head = 0; head < memory.heads; ++head) {
      float* at = store + head * memory.head_floats();
      write_planes(matrices.data() + head * n, memory.keys, memory.values, at);
      if (memory.rule != WriteRule::least_squares) continue;
      float* p = at + memory.matrix_floats();
      for (int i = 0; i < memory.keys; ++i) {
        for (int j = 0; j <= i; ++j) *p++ = spreads.data()[head * square + i * memory.keys + j];
      }
    }
    const int keys = memory.heads * memory.keys, values = memory.heads * memory.values, stride = d.qkv.rows;
    write_taps(Values(state[2], row).data(), d.taps, keys, stride, dense);
    write_taps(Values(state[3], row).data(), d.taps, keys, stride, dense + padded(keys));
    write_taps(Values(state[4], row).data(), d.taps, values, stride, dense + 2 * padded(keys));
  }
  void operator()(const Mlp&) const {}
  void operator()(const Recursion& r) const {
    write_planes(Values(state[0], row).data(), r.flat() ? 1 : r.hidden, r.flat() ? r.hidden : r.cells,
                 to.dense() + r.slot.dense);
  }
  void operator()(const Custom&) const {}  // has no twin whose state could be handed over
  void operator()(const Selective& s) const {
    write_planes(Values(state[0], row).data(), 1, s.hidden, to.dense() + s.slot.dense);
  }
};

}  // namespace

SequenceState SequenceState::detached() const {
  SequenceState copy = *this;
  copy.each([](Tensor& t) { t = t.detach(); });
  return copy;
}

SequenceState SequenceState::where(const Tensor& mask, const SequenceState& fresh) const {
  SequenceState mixed = *this, other = fresh;
  std::vector<Tensor> theirs;
  other.each([&](Tensor& t) { theirs.push_back(t); });
  std::size_t next = 0;
  mixed.each([&](Tensor& t) {
    std::vector<std::int64_t> shape(static_cast<std::size_t>(t.dim()), 1);
    shape[0] = -1;
    t = at::where(mask.view(shape), theirs[next++], t);
  });
  return mixed;
}

Status hand_over(const SequenceState& state, std::int64_t row, std::span<const float> y, Stream& stream) {
  const Network& network = stream.model().network();
  std::vector<std::byte> snapshot(stream.snapshot_bytes());
  if (const Status status = stream.snapshot(snapshot); !status) return status;
  const SnapshotView view = read_snapshot(snapshot).value();
  Buffer bytes(view.state.size());
  std::copy(view.state.begin(), view.state.end(), bytes.data());
  reset_state(network, bytes.data());

  const StateView to(bytes.data(), network.layout);
  to.header() = {static_cast<std::uint64_t>(state.position[row].item<std::int64_t>()), state.time[row].item<double>()};
  const Tensor statistics = state.statistics[row].contiguous();
  for (int i = 0; i < network.config.inputs; ++i) {
    const double* s = statistics.data_ptr<double>() + 3 * i;
    to.statistics()[i] = {s[0], s[1], s[2]};
  }
  write_planes(Values(state.last, row).data(), 1, network.config.inputs, to.last());
  write_planes(Values(state.encoded, row).data(), 1, network.config.width, to.encoded());
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    visit_block(network.layers[i].block, Writer{state.blocks[i], row, to});
  }
  write_snapshot(view.header.fingerprint, {bytes.data(), view.state.size()}, y, snapshot);
  return stream.restore(snapshot);
}

}  // namespace elastane::train
