// Evaluates the operators that elastane/io/export_onnx writes, in double precision, as the ONNX specification has them.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "elastane/io/onnx.h"

namespace elastane {

struct OnnxArray {
  Shape shape;
  std::vector<double> values;

  std::int64_t last() const { return shape.empty() ? 1 : shape.back(); }
};

using OnnxArrays = std::map<std::string, OnnxArray>;

// a and b element by element, with axes of size 1 repeated
inline OnnxArray broadcast(const OnnxArray& a, const OnnxArray& b, const std::function<double(double, double)>& f) {
  const std::size_t sides = std::max(a.shape.size(), b.shape.size());
  const auto size = [&](const OnnxArray& x, std::size_t i) {
    const std::size_t missing = sides - x.shape.size();
    return i < missing ? 1 : x.shape[i - missing];
  };
  OnnxArray out;
  std::int64_t count = 1;
  for (std::size_t i = 0; i < sides; ++i) {
    const std::int64_t p = size(a, i), q = size(b, i);
    if (p != q && p != 1 && q != 1) throw std::runtime_error("shapes do not broadcast");
    out.shape.push_back(std::max(p, q));
    count *= out.shape.back();
  }
  const auto element = [&](const OnnxArray& x, std::int64_t at) {
    std::int64_t index = 0, stride = 1;
    for (std::size_t i = sides; i-- > 0; at /= out.shape[i]) {
      if (size(x, i) > 1) index += at % out.shape[i] * stride;
      stride *= size(x, i);
    }
    return x.values.at(static_cast<std::size_t>(index));
  };
  for (std::int64_t i = 0; i < count; ++i) out.values.push_back(f(element(a, i), element(b, i)));
  return out;
}

class OnnxInterpreter {
 public:
  explicit OnnxInterpreter(const OnnxGraph& graph) : graph_(graph) {
    for (const OnnxTensor& c : graph.constants) {
      constants_[c.name] = {c.shape, {c.values.begin(), c.values.end()}};
      for (const std::int64_t value : c.integers) constants_[c.name].values.push_back(static_cast<double>(value));
    }
  }

  // the outputs for these inputs
  OnnxArrays run(const OnnxArrays& inputs) const {
    OnnxArrays all = constants_;
    for (const auto& [name, value] : inputs) all[name] = value;
    for (const OnnxNode& node : graph_.nodes) evaluate(node, all);
    OnnxArrays out;
    for (const OnnxValue& value : graph_.outputs) out[value.name] = all.at(value.name);
    return out;
  }

 private:
  static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

  static OnnxArray each(OnnxArray a, double (*f)(double)) {
    for (double& value : a.values) value = f(value);
    return a;
  }

  // y = x Wᵀ + b
  static OnnxArray gemm(const OnnxArray& x, const OnnxArray& w, const OnnxArray* b) {
    OnnxArray y{{x.shape[0], w.shape[0]}, {}};
    const auto k = static_cast<std::size_t>(x.last());
    for (std::size_t r = 0; r < static_cast<std::size_t>(x.shape[0]); ++r) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(w.shape[0]); ++i) {
        double sum = b == nullptr ? 0 : b->values.at(i);
        for (std::size_t j = 0; j < k; ++j) sum += x.values.at(r * k + j) * w.values.at(i * k + j);
        y.values.push_back(sum);
      }
    }
    return y;
  }

  static OnnxArray over_last(const OnnxArray& a, bool keep, bool mean) {
    OnnxArray out{a.shape, {}};
    out.shape.pop_back();
    if (keep) out.shape.push_back(1);
    const auto n = static_cast<std::size_t>(a.last());
    for (std::size_t i = 0; i < a.values.size(); i += n) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += a.values[i + j];
      out.values.push_back(mean ? sum / static_cast<double>(n) : sum);
    }
    return out;
  }

  // columns [from, to) of the last axis
  static OnnxArray columns(const OnnxArray& a, std::int64_t from, std::int64_t to) {
    OnnxArray out{a.shape, {}};
    out.shape.back() = to - from;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      const auto column = static_cast<std::int64_t>(i) % a.last();
      if (column >= from && column < to) out.values.push_back(a.values[i]);
    }
    return out;
  }

  static OnnxArray reshaped(OnnxArray a, std::int64_t axis, bool adds) {
    const auto sides = static_cast<std::int64_t>(a.shape.size());
    if (adds) a.shape.insert(a.shape.begin() + (axis < 0 ? sides + 1 + axis : axis), 1);
    if (!adds) a.shape.erase(a.shape.begin() + (axis < 0 ? sides + axis : axis));
    return a;
  }

  // one step of the operators GRU (z, r, h; linear before reset) and LSTM (i, o, f, c)
  static void recurrent(const OnnxNode& node, OnnxArrays& all) {
    const bool is_gru = node.op == "GRU";
    const auto flat = [&](std::size_t i) { return reshaped(all.at(node.inputs.at(i)), 0, false); };
    const OnnxArray x = flat(0), w = flat(1), r = flat(2), b = flat(3), h = flat(5);
    const std::int64_t n = r.shape[1], gates = is_gru ? 3 : 4;
    const OnnxArray b_x = columns(b, 0, gates * n), b_h = columns(b, gates * n, 2 * gates * n);
    const OnnxArray gx = gemm(x, w, &b_x), gh = gemm(h, r, &b_h);
    OnnxArray next = h, cell = is_gru ? h : flat(6);
    for (std::size_t i = 0; i < h.values.size(); ++i) {
      const auto row = static_cast<std::int64_t>(i) / n, unit = static_cast<std::int64_t>(i) % n;
      const auto at = [&](std::int64_t gate) { return static_cast<std::size_t>((row * gates + gate) * n + unit); };
      const auto sum = [&](std::int64_t gate) { return gx.values[at(gate)] + gh.values[at(gate)]; };
      if (is_gru) {
        const double z = sigmoid(sum(0)), c = std::tanh(gx.values[at(2)] + sigmoid(sum(1)) * gh.values[at(2)]);
        next.values[i] = (1 - z) * c + z * h.values[i];
      } else {
        cell.values[i] = sigmoid(sum(2)) * cell.values[i] + sigmoid(sum(0)) * std::tanh(sum(3));
        next.values[i] = sigmoid(sum(1)) * std::tanh(cell.values[i]);
      }
    }
    all[node.outputs.at(1)] = reshaped(next, 0, true);
    if (!is_gru) all[node.outputs.at(2)] = reshaped(cell, 0, true);
  }

  static OnnxArray layer_norm(const OnnxArray& a, const OnnxArray& w, const OnnxArray& b, double epsilon) {
    const auto minus = [](double p, double q) { return p - q; };
    const auto times = [](double p, double q) { return p * q; };
    const OnnxArray centred = broadcast(a, over_last(a, true, true), minus);
    const OnnxArray variance = over_last(broadcast(centred, centred, times), true, true);
    const OnnxArray scaled =
        broadcast(centred, variance, [&](double p, double q) { return p / std::sqrt(q + epsilon); });
    return broadcast(broadcast(scaled, w, times), b, [](double p, double q) { return p + q; });
  }

  static bool elementwise(const OnnxNode& node, OnnxArrays& all) {
    static const std::map<std::string, double (*)(double)> kOne = {
        {"Tanh", [](double x) { return std::tanh(x); }}, {"Sigmoid", sigmoid},
        {"Erf", [](double x) { return std::erf(x); }},   {"Exp", [](double x) { return std::exp(x); }},
        {"Sqrt", [](double x) { return std::sqrt(x); }}, {"Softplus", [](double x) { return std::log1p(std::exp(x)); }},
        {"Identity", [](double x) { return x; }}};
    static const std::map<std::string, double (*)(double, double)> kTwo = {
        {"Add", [](double a, double b) { return a + b; }},
        {"Sub", [](double a, double b) { return a - b; }},
        {"Mul", [](double a, double b) { return a * b; }},
        {"Div", [](double a, double b) { return a / b; }},
        {"Max", [](double a, double b) { return std::fmax(a, b); }}};
    if (kOne.contains(node.op)) {
      all[node.outputs.at(0)] = each(all.at(node.inputs.at(0)), kOne.at(node.op));
    } else if (kTwo.contains(node.op)) {
      all[node.outputs.at(0)] = broadcast(all.at(node.inputs.at(0)), all.at(node.inputs.at(1)), kTwo.at(node.op));
    }
    return kOne.contains(node.op) || kTwo.contains(node.op);
  }

  static void evaluate(const OnnxNode& node, OnnxArrays& all) {
    const auto in = [&](std::size_t i) -> const OnnxArray& { return all.at(node.inputs.at(i)); };
    const auto whole = [&](std::size_t i) { return static_cast<std::int64_t>(in(i).values.at(0)); };
    if (elementwise(node, all)) return;
    if (node.op == "GRU" || node.op == "LSTM") return recurrent(node, all);
    if (node.op == "Split") {
      std::int64_t from = 0;
      for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const auto to = from + static_cast<std::int64_t>(in(1).values.at(i));
        all[node.outputs[i]] = columns(in(0), from, to);
        from = to;
      }
      return;
    }
    OnnxArray out;
    if (node.op == "Gemm") {
      out = gemm(in(0), in(1), node.inputs.size() > 2 ? &in(2) : nullptr);
    } else if (node.op == "ReduceSum" || node.op == "ReduceMean") {
      out = over_last(in(0), node.whole("keepdims", 1) == 1, node.op == "ReduceMean");
    } else if (node.op == "Unsqueeze" || node.op == "Squeeze") {
      out = reshaped(in(0), whole(1), node.op == "Unsqueeze");
    } else if (node.op == "Slice") {
      out = columns(in(0), whole(1), in(0).last());
    } else if (node.op == "Concat") {
      const std::int64_t p = in(0).last(), q = in(1).last();
      out.shape = in(0).shape;
      out.shape.back() = p + q;
      for (std::size_t i = 0; i < in(0).values.size() / static_cast<std::size_t>(p); ++i) {
        const auto row = [&](const OnnxArray& a, std::int64_t n) {
          const auto from = a.values.begin() + static_cast<std::ptrdiff_t>(i) * n;
          out.values.insert(out.values.end(), from, from + n);
        };
        row(in(0), p), row(in(1), q);
      }
    } else if (node.op == "Gather") {
      out.shape = {in(0).shape[0], static_cast<std::int64_t>(in(1).values.size())};
      for (std::int64_t r = 0; r < in(0).shape[0]; ++r) {
        for (const double column : in(1).values) {
          out.values.push_back(
              in(0).values.at(static_cast<std::size_t>(r * in(0).last() + static_cast<std::int64_t>(column))));
        }
      }
    } else if (node.op == "LayerNormalization") {
      out = layer_norm(in(0), in(1), in(2), static_cast<double>(node.find("epsilon")->real));
    } else {
      throw std::runtime_error(node.op + " is not known");
    }
    all[node.outputs.at(0)] = out;
  }

  const OnnxGraph& graph_;
  OnnxArrays constants_;
};

}  // namespace elastane
