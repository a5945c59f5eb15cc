#include "bench/rivals/libtorch/attention.h"

#include <ATen/ATen.h>

#include <cmath>

namespace elastane::libtorch {
namespace {

using at::Tensor;
using bench::AttentionProblem;

// (heads, length, size)
Tensor turned(const AttentionProblem& p, int which) {
  std::vector<float> rows = bench::attention_rows(p, which);
  const int heads = which == 0 ? p.heads : p.kv_heads;
  return at::from_blob(rows.data(), {p.length, heads, p.size}, at::kFloat).clone().transpose(0, 1).contiguous();
}

// what rows [first, first + rows) do not see of keys [from, from + keys), true where hidden
Tensor hidden(const AttentionProblem& p, int first, int rows, int from, int keys, bool streaming) {
  const Tensor row = at::arange(first, first + rows, at::kLong).unsqueeze(1);
  const Tensor key = at::arange(from, from + keys, at::kLong).unsqueeze(0);
  Tensor mask = key > row;
  if (!streaming) return mask;
  const auto block = [](const Tensor& t) { return at::floor_divide(t, bench::kAttentionBlock); };
  const Tensor far = block(key) <= block(row) - p.local() / bench::kAttentionBlock;
  return mask | (far & (key >= p.sink()));
}

Tensor softmax_rows(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
  return at::matmul(at::softmax(at::matmul(q, k.transpose(0, 1)).masked_fill_(mask, -HUGE_VAL), -1), v);
}

// head by head, all pairs
Tensor masked(const AttentionProblem& p, const Tensor& q, const Tensor& k, const Tensor& v) {
  Tensor y = at::empty_like(q);
  const int rows = p.length <= 4096 ? p.length : 1024;
  for (int head = 0; head < p.heads; ++head) {
    const int kv = head / (p.heads / p.kv_heads);
    const bool streaming = head >= p.heads - p.streaming;
    for (int first = 0; first < p.length; first += rows) {
      y[head]
          .narrow(0, first, rows)
          .copy_(softmax_rows(q[head].narrow(0, first, rows), k[kv], v[kv],
                              hidden(p, first, rows, 0, p.length, streaming)));
    }
  }
  return y;
}

// rows of 256, only the keys that they see
Tensor tuned(const AttentionProblem& p, const Tensor& q, const Tensor& k, const Tensor& v) {
  constexpr int kRows = 256;
  Tensor y = at::empty_like(q);
  for (int head = 0; head < p.heads; ++head) {
    const int kv = head / (p.heads / p.kv_heads);
    const bool streaming = head >= p.heads - p.streaming;
    for (int first = 0; first < p.length; first += kRows) {
      const int end = first + kRows;
      const int oldest = first / bench::kAttentionBlock * bench::kAttentionBlock - p.local() + bench::kAttentionBlock;
      Tensor keys = k[kv].narrow(0, 0, end), values = v[kv].narrow(0, 0, end);
      Tensor mask;
      if (streaming && oldest > p.sink()) {
        keys = at::cat({k[kv].narrow(0, 0, p.sink()), k[kv].narrow(0, oldest, end - oldest)});
        values = at::cat({v[kv].narrow(0, 0, p.sink()), v[kv].narrow(0, oldest, end - oldest)});
        mask = at::cat(
            {hidden(p, first, kRows, 0, p.sink(), true), hidden(p, first, kRows, oldest, end - oldest, true)}, 1);
      } else {
        mask = hidden(p, first, kRows, 0, end, streaming);
      }
      y[head].narrow(0, first, kRows).copy_(softmax_rows(q[head].narrow(0, first, kRows), keys, values, mask));
    }
  }
  return y;
}

}  // namespace

AttentionAnswer attend(const AttentionProblem& p, const std::string& style) {
  const Tensor q = turned(p, 0) / std::sqrt(static_cast<double>(p.size)), k = turned(p, 1), v = turned(p, 2);
  Tensor y;
  AttentionAnswer answer;
  answer.ms = bench::best_millis([&] { y = style == "masked" ? masked(p, q, k, v) : tuned(p, q, k, v); });
  const Tensor last = y.select(1, p.length - 1).contiguous();
  answer.last.assign(last.data_ptr<float>(), last.data_ptr<float>() + last.numel());
  return answer;
}

}  // namespace elastane::libtorch
