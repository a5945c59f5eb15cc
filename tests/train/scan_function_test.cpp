// elastane/train/scan_function.h: values and gradients against a loop of LibTorch's own operations, and against
// differences.
#include "elastane/train/scan_function.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

#include <functional>

#include "tests/train/gradients.h"

namespace elastane::train {
namespace {

using at::Tensor;
using Function = std::function<ScanResult(const std::vector<Tensor>&)>;

struct Case {
  const char* name;
  Function scan, loop;
  std::vector<Tensor> inputs;  // in double
};

ScanResult leaky_loop(const std::vector<Tensor>& in) {
  std::vector<Tensor> z;
  Tensor state = in[2];
  const auto e = in[0].unbind(1), b = in[1].unbind(1);
  for (std::size_t t = 0; t < e.size(); ++t) z.push_back(state = state + e[t] * (state - b[t]));
  return {at::stack(z, 1), state};
}

ScanResult diagonal_loop(const std::vector<Tensor>& in) {
  const auto step = [&](const Tensor& v, std::int64_t t) { return v.dim() == 5 ? v.select(1, t) : v.unsqueeze(0); };
  const auto complex = [](const Tensor& v) { return at::complex(v.select(1, 0), v.select(1, 1)); };
  std::vector<Tensor> y;
  Tensor s = complex(in[4]);
  for (std::int64_t t = 0; t < in[3].size(1); ++t) {
    s = s + complex(step(in[0], t)) * s + complex(step(in[1], t)) * in[3].select(1, t).unsqueeze(1);
    y.push_back(at::real(complex(in[2].unsqueeze(0)) * s).sum(1));
  }
  return {at::stack(y, 1), at::stack({at::real(s), at::imag(s)}, 1)};
}

ScanResult selective_loop(const std::vector<Tensor>& in) {
  const auto delta = in[1].unsqueeze(2).unbind(1), x = in[2].unsqueeze(2).unbind(1);
  const auto b = in[3].unsqueeze(3).unbind(1), c = in[4].unsqueeze(3).unbind(1);
  std::vector<Tensor> y;
  Tensor s = in[5];
  for (std::size_t t = 0; t < x.size(); ++t) {
    s = at::exp(delta[t] * in[0]) * s + delta[t] * x[t] * b[t];
    y.push_back((c[t] * s).sum(1));
  }
  return {at::stack(y, 1), s};
}

Tensor uniform(std::vector<std::int64_t> shape, double low, double high) {
  return low + (high - low) * at::rand(shape, at::kDouble);
}

std::vector<Case> cases(std::int64_t batch, std::int64_t length, std::int64_t channels, std::int64_t states) {
  at::manual_seed(3);
  const Function leaky = [](const auto& in) { return leaky_scan(in[0], in[1], in[2]); };
  const Function diagonal = [](const auto& in) { return diagonal_scan(in[0], in[1], in[2], in[3], in[4]); };
  const Function selective = [](const auto& in) { return selective_scan(in[0], in[1], in[2], in[3], in[4], in[5]); };
  const Tensor rows = uniform({batch, length, channels}, -1, 1), start = uniform({batch, 2, states, channels}, -1, 1);
  return {
      {"leaky",
       leaky,
       leaky_loop,
       {uniform({batch, length, channels}, -1, 0), rows, uniform({batch, channels}, -1, 1)}},
      {"diagonal",
       diagonal,
       diagonal_loop,
       {uniform({2, states, channels}, -0.4, -0.1), uniform({2, states, channels}, -1, 1),
        uniform({2, states, channels}, -1, 1), rows, start}},
      {"diagonal, every step its own",
       diagonal,
       diagonal_loop,
       {uniform({batch, length, 2, states, channels}, -0.4, -0.1), uniform({batch, length, 2, states, channels}, -1, 1),
        uniform({2, states, channels}, -1, 1), rows, start}},
      {"selective",
       selective,
       selective_loop,
       {uniform({states, channels}, -4, -0.1), uniform({batch, length, channels}, 0.001, 0.3), rows,
        uniform({batch, length, states}, -1, 1), uniform({batch, length, states}, -1, 1),
        uniform({batch, states, channels}, -1, 1)}},
  };
}

// a scalar of everything that a scan returns
Tensor weighed(const ScanResult& r) {
  return (r.y * at::cos(at::arange(r.y.numel(), r.y.options()).view_as(r.y))).sum() +
         (r.end * at::sin(at::arange(r.end.numel(), r.end.options()).view_as(r.end))).sum();
}

TEST(ScanFunction, ValuesAndGradientsAreThoseOfALoop) {
  for (const Case& c : cases(3, 75, 70, 5)) {
    std::vector<Tensor> exact, single;
    for (const Tensor& t : c.inputs) {
      single.push_back(t.to(at::kFloat).requires_grad_());
      exact.push_back(single.back().detach().to(at::kDouble).requires_grad_());
    }
    const ScanResult expected = c.loop(exact), found = c.scan(single);
    EXPECT_LE(deviation(found.y, expected.y), 1e-5) << c.name;
    EXPECT_LE(deviation(found.end, expected.end), 1e-5) << c.name;
    const auto wanted = torch::autograd::grad({weighed(expected)}, exact);
    const auto got = torch::autograd::grad({weighed(found)}, single);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_LE(deviation(got[i], wanted[i]), 1e-5) << c.name << ", " << i;
  }
}

TEST(ScanFunction, GradientsAreThoseOfDifferences) {
  for (const Case& c : cases(2, 5, 3, 2)) {
    expect_gradients([&](const auto& in) { return weighed(c.scan(in)); }, c.inputs, c.name);
  }
}

TEST(ScanFunction, AnyCutOfASequenceIsTheSame) {
  for (const Case& c : cases(2, 50, 17, 3)) {
    const ScanResult whole = c.scan(c.inputs);
    for (const std::int64_t cut : {1, 7, 32, 49}) {
      const auto part = [&](std::int64_t first, std::int64_t count, const Tensor& start) {
        std::vector<Tensor> in = c.inputs;
        for (Tensor& t : in) {
          if (t.dim() >= 3 && t.size(0) == 2 && t.size(1) == 50) t = t.narrow(1, first, count);
        }
        in.back() = start;
        return c.scan(in);
      };
      const ScanResult a = part(0, cut, c.inputs.back()), b = part(cut, 50 - cut, a.end);
      EXPECT_LE(deviation(at::cat({a.y, b.y}, 1), whole.y), 1e-12) << c.name;
      EXPECT_LE(deviation(b.end, whole.end), 1e-12) << c.name;
    }
  }
}

TEST(ScanFunction, ThreadsDoNotChangeABit) {
  const int threads = at::get_num_threads();
  for (const Case& c : cases(3, 40, 130, 4)) {
    std::vector<Tensor> in;
    for (const Tensor& t : c.inputs) in.push_back(t.to(at::kFloat).requires_grad_());
    std::vector<Tensor> first;
    for (const int n : {1, 2, 3}) {
      at::set_num_threads(n);
      std::vector<Tensor> found = torch::autograd::grad({weighed(c.scan(in))}, in);
      if (first.empty()) first = found;
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(at::equal(found[i], first[i])) << c.name;
    }
  }
  at::set_num_threads(threads);
}

TEST(ScanFunction, SizesThatDoNotFitAreRefused) {
  for (const Case& c : cases(2, 5, 3, 2)) {
    for (std::size_t i = 0; i < c.inputs.size(); ++i) {
      std::vector<Tensor> in = c.inputs;
      in[i] = in[i].narrow(-1, 0, in[i].size(-1) - 1);
      EXPECT_THROW(c.scan(in), c10::Error) << c.name << ", " << i;
    }
  }
}

TEST(ScanFunction, SecondDerivativesAreRefused) {
  const Tensor e = -at::rand({1, 3, 2}), b = at::rand({1, 3, 2}).requires_grad_(), start = at::zeros({1, 2});
  const Tensor y = leaky_scan(e, b, start).y.square().sum();
  EXPECT_THROW(torch::autograd::grad({y}, {b}, {}, c10::nullopt, /*create_graph=*/true), c10::Error);
}

}  // namespace
}  // namespace elastane::train
