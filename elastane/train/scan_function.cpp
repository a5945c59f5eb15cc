#include "elastane/train/scan_function.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "elastane/train/scan.h"
#include "elastane/train/scan_reference.h"

namespace elastane::train {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::Variable;
using torch::autograd::variable_list;

template <class T>
T* data(const Tensor& tensor, std::int64_t row = 0) {
  return tensor.data_ptr<T>() + (tensor.dim() == 0 ? 0 : row * tensor.stride(0));
}

// sequences and groups of channels
struct Split {
  std::int64_t batch;
  int length, channels;

  explicit Split(const Tensor& rows)
      : batch(rows.size(0)), length(static_cast<int>(rows.size(1))), channels(static_cast<int>(rows.size(2))) {
    TORCH_CHECK(rows.size(1) * rows.size(2) < (std::int64_t{1} << 31) && length > 0,
                "[scan] expected a sequence of 1 to 2^31 values, found ", rows.size(1), " steps of ", rows.size(2));
  }
  int groups() const { return (channels + kGroup - 1) / kGroup; }
  ScanPart part(int group) const {
    const int first = group * kGroup;
    return {length, channels, first, std::min(kGroup, channels - first)};
  }
  // f(sequence, group) for all of them, on all threads
  template <class F>
  void each(F f) const {
    at::parallel_for(0, batch * groups(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) f(k / groups(), static_cast<int>(k % groups()));
    });
  }
};

// the kernel for floats, its twin for doubles
template <class T, class Kernel, class Twin, class... Arguments>
void call(Kernel kernel, Twin twin, const Arguments&... arguments) {
  if constexpr (std::is_same_v<T, float>) {
    kernel(arguments...);
  } else {
    twin(arguments...);
  }
}

// a gradient is undefined where the graph did not need it
Tensor or_zeros(const Tensor& gradient, const Tensor& like) {
  return gradient.defined() ? gradient.contiguous() : at::zeros_like(like);
}

void refuse_second_derivatives() {
  TORCH_CHECK(!at::GradMode::is_enabled(), "[scan] a scan has first derivatives only; unroll the steps to go further");
}

// the tensors of one call, contiguous, of one type
variable_list contiguous(std::initializer_list<Tensor> tensors) {
  variable_list list;
  for (const Tensor& tensor : tensors) {
    TORCH_CHECK(tensor.scalar_type() == tensors.begin()->scalar_type(), "[scan] expected tensors of one type");
    list.push_back(tensor.contiguous());
  }
  return list;
}

// sizes that must be the same, or the kernels would read past an end
void expect_shape(const Tensor& found, at::IntArrayRef shape, const char* name) {
  TORCH_CHECK(found.sizes() == shape, "[scan] ", name, ": expected ", shape, ", found ", found.sizes());
}

struct Leaky : Function<Leaky> {
  template <class T>
  static LeakyScan<T> scan(const Split& split, const variable_list& in, const Tensor& z, std::int64_t row, int group) {
    return {split.part(group), data<T>(in[0], row), data<T>(in[1], row), data<T>(in[2], row), data<T>(z, row)};
  }

  static variable_list forward(AutogradContext* ctx, const Tensor& e, const Tensor& b, const Tensor& start) {
    const variable_list in = contiguous({e, b, start});
    const Split split(in[0]);
    expect_shape(b, e.sizes(), "b");
    expect_shape(start, {split.batch, split.channels}, "start");
    const Tensor z = at::empty_like(in[0]);
    AT_DISPATCH_FLOATING_TYPES(e.scalar_type(), "leaky_scan", [&] {
      split.each([&](std::int64_t row, int group) {
        call<scalar_t>(scan_kernels().leaky, reference::leaky<scalar_t>, scan<scalar_t>(split, in, z, row, group));
      });
    });
    ctx->save_for_backward({in[0], in[1], in[2], z});
    return {z};
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_second_derivatives();
    const variable_list in = ctx->get_saved_variables();
    const Split split(in[0]);
    const Tensor gz = or_zeros(grads[0], in[3]);
    const Tensor ge = at::empty_like(in[0]), gb = at::empty_like(in[1]), gs = at::empty_like(in[2]);
    AT_DISPATCH_FLOATING_TYPES(in[0].scalar_type(), "leaky_scan_back", [&] {
      using T = scalar_t;
      split.each([&](std::int64_t row, int group) {
        const LeakyGradients<T> g = {data<T>(gz, row), data<T>(ge, row), data<T>(gb, row), data<T>(gs, row)};
        call<T>(scan_kernels().leaky_back, reference::leaky_back<T>, scan<T>(split, in, in[3], row, group), g);
      });
    });
    return {ge, gb, gs};
  }
};

struct Diagonal : Function<Diagonal> {
  // saved: e, b, c, u, start, kept
  template <class T>
  static DiagonalScan<T> scan(const Split& split, const variable_list& in, std::int64_t row, int group) {
    const bool own = in[0].dim() == 5;  // Ē and B̄ of every step
    return {.part = split.part(group),
            .pairs = static_cast<int>(in[2].size(1)),
            .e = data<T>(in[0], own ? row : 0),
            .b = data<T>(in[1], own ? row : 0),
            .step = own ? static_cast<int>(in[0].stride(1)) : 0,
            .c = data<T>(in[2]),
            .u = data<T>(in[3], row),
            .start = data<T>(in[4], row),
            .y = nullptr,
            .end = nullptr,
            .kept = data<T>(in[5], row)};
  }

  static variable_list forward(AutogradContext* ctx, const Tensor& e, const Tensor& b, const Tensor& c, const Tensor& u,
                               const Tensor& start) {
    variable_list in = contiguous({e, b, c, u, start});
    const Split split(in[3]);
    const std::int64_t pairs = c.size(1), channels = split.channels;
    expect_shape(c, {2, pairs, channels}, "c");
    expect_shape(start, {split.batch, 2, pairs, channels}, "start");
    if (e.dim() == 5) {
      expect_shape(e, {split.batch, split.length, 2, pairs, channels}, "e");
    } else {
      expect_shape(e, c.sizes(), "e");
    }
    expect_shape(b, e.sizes(), "b");
    in.push_back(at::empty({split.batch, spans(split.length), 2, pairs, channels}, u.options()));
    const Tensor y = at::empty_like(in[3]), end = at::empty_like(in[4]);
    AT_DISPATCH_FLOATING_TYPES(u.scalar_type(), "diagonal_scan", [&] {
      using T = scalar_t;
      split.each([&](std::int64_t row, int group) {
        DiagonalScan<T> s = scan<T>(split, in, row, group);
        s.y = data<T>(y, row), s.end = data<T>(end, row);
        call<T>(scan_kernels().diagonal, reference::diagonal<T>, s);
      });
    });
    ctx->save_for_backward(in);
    return {y, end};
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_second_derivatives();
    const variable_list in = ctx->get_saved_variables();
    const Split split(in[3]);
    const bool own = in[0].dim() == 5;
    const Tensor gy = or_zeros(grads[0], in[3]), gend = or_zeros(grads[1], in[4]);
    // what is shared by all sequences gets a share of each
    std::vector<std::int64_t> shares = in[2].sizes().vec();
    shares.insert(shares.begin(), split.batch);
    const Tensor ge = own ? at::empty_like(in[0]) : at::empty(shares, in[0].options());
    const Tensor gb = at::empty_like(ge), gc = at::empty(shares, in[2].options());
    const Tensor gu = at::empty_like(in[3]), gs = at::empty_like(in[4]);
    AT_DISPATCH_FLOATING_TYPES(in[3].scalar_type(), "diagonal_scan_back", [&] {
      using T = scalar_t;
      split.each([&](std::int64_t row, int group) {
        const DiagonalGradients<T> g = {data<T>(gy, row), data<T>(gend, row), data<T>(ge, row), data<T>(gb, row),
                                        data<T>(gc, row), data<T>(gu, row),   data<T>(gs, row)};
        call<T>(scan_kernels().diagonal_back, reference::diagonal_back<T>, scan<T>(split, in, row, group), g);
      });
    });
    return {own ? ge : ge.sum(0), own ? gb : gb.sum(0), gc.sum(0), gu, gs};
  }
};

struct Selective : Function<Selective> {
  // saved: a, delta, x, b, c, start, kept
  template <class T>
  static SelectiveScan<T> scan(const Split& split, const variable_list& in, std::int64_t row, int group) {
    return {.part = split.part(group),
            .states = static_cast<int>(in[0].size(0)),
            .a = data<T>(in[0]),
            .delta = data<T>(in[1], row),
            .x = data<T>(in[2], row),
            .b = data<T>(in[3], row),
            .c = data<T>(in[4], row),
            .start = data<T>(in[5], row),
            .y = nullptr,
            .end = nullptr,
            .kept = data<T>(in[6], row)};
  }

  static variable_list forward(AutogradContext* ctx, const Tensor& a, const Tensor& delta, const Tensor& x,
                               const Tensor& b, const Tensor& c, const Tensor& start) {
    variable_list in = contiguous({a, delta, x, b, c, start});
    const Split split(in[2]);
    const std::int64_t states = a.size(0), channels = split.channels;
    expect_shape(a, {states, channels}, "a");
    expect_shape(delta, x.sizes(), "delta");
    expect_shape(b, {split.batch, split.length, states}, "b");
    expect_shape(c, b.sizes(), "c");
    expect_shape(start, {split.batch, states, channels}, "start");
    in.push_back(at::empty({split.batch, spans(split.length), states, channels}, x.options()));
    const Tensor y = at::empty_like(in[2]), end = at::empty_like(in[5]);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "selective_scan", [&] {
      using T = scalar_t;
      split.each([&](std::int64_t row, int group) {
        SelectiveScan<T> s = scan<T>(split, in, row, group);
        s.y = data<T>(y, row), s.end = data<T>(end, row);
        call<T>(scan_kernels().selective, reference::selective<T>, s);
      });
    });
    ctx->save_for_backward(in);
    return {y, end};
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_second_derivatives();
    const variable_list in = ctx->get_saved_variables();
    const Split split(in[2]);
    const Tensor gy = or_zeros(grads[0], in[2]), gend = or_zeros(grads[1], in[5]);
    const Tensor ga = at::empty({split.batch, in[0].size(0), split.channels}, in[0].options());
    const Tensor gdelta = at::empty_like(in[1]), gx = at::empty_like(in[2]), gs = at::empty_like(in[5]);
    const Tensor gb = at::empty({split.groups(), split.batch, split.length, in[0].size(0)}, in[3].options());
    const Tensor gc = at::empty_like(gb);
    AT_DISPATCH_FLOATING_TYPES(in[2].scalar_type(), "selective_scan_back", [&] {
      using T = scalar_t;
      split.each([&](std::int64_t row, int group) {
        const SelectiveGradients<T> g = {.y = data<T>(gy, row),
                                         .end = data<T>(gend, row),
                                         .a = data<T>(ga, row),
                                         .delta = data<T>(gdelta, row),
                                         .x = data<T>(gx, row),
                                         .b = data<T>(gb[group], row),
                                         .c = data<T>(gc[group], row),
                                         .start = data<T>(gs, row)};
        call<T>(scan_kernels().selective_back, reference::selective_back<T>, scan<T>(split, in, row, group), g);
      });
    });
    return {ga.sum(0), gdelta, gx, gb.sum(0), gc.sum(0), gs};
  }
};

}  // namespace

ScanResult leaky_scan(const Tensor& e, const Tensor& b, const Tensor& start) {
  const Tensor z = Leaky::apply(e, b, start)[0];
  return {z, z.select(1, z.size(1) - 1)};
}

ScanResult diagonal_scan(const Tensor& e, const Tensor& b, const Tensor& c, const Tensor& u, const Tensor& start) {
  const variable_list out = Diagonal::apply(e, b, c, u, start);
  return {out[0], out[1]};
}

ScanResult selective_scan(const Tensor& a, const Tensor& delta, const Tensor& x, const Tensor& b, const Tensor& c,
                          const Tensor& start) {
  const variable_list out = Selective::apply(a, delta, x, b, c, start);
  return {out[0], out[1]};
}

}  // namespace elastane::train
