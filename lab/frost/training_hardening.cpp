#include "lab/frost/training_hardening.h"

#include <algorithm>

#include "elastane/core/backbone/recursion.h"

namespace elastane::frost {
namespace {

using at::Tensor;

constexpr const char* kPrefix = "blocks.0.recursion.";
Tensor of_recursion(const train::Weights& w, const char* name) { return w[kPrefix + std::string(name)]; }

// the kinds of cells that there are: wall, free, start; or the bits, and the same as the first
Tensor kinds_of_cells(Task task) {
  if (task == Task::grid) return at::tensor({0, 0, 1, 0, 1, 1}, at::kFloat).view({3, 2});
  return at::tensor({0, 0, 1, 0, 0, 1, 1, 1}, at::kFloat).view({4, 2});
}

constexpr double kGridEnd = 2.5 / 4, kLineEnd = 1.6 / 2;  // where the curves of gates are cut
constexpr double kApart = 4;                              // logits: softmax(6P) leaves e⁻²⁴ to the others

constexpr double kVisible = 1e-3;  // smaller values of h are leaks

// w and b so that the three kinds of cells of a grid have these values [kind][channel]
void set_kinds(const Tensor& values, Tensor weight, Tensor bias) {
  const at::NoGradGuard guard;
  bias.copy_(values[0]);
  weight.select(1, 0).copy_(values[1] - values[0]);
  weight.select(1, 1).copy_(values[2] - values[1]);
}

// the channels that this one is made of, itself first; each passes on one alone
std::vector<int> ancestry(const Tensor& passes_on, int channel) {
  std::vector<int> line;
  const auto channels = static_cast<int>(passes_on.size(0));
  for (int c = channel; std::ranges::find(line, c) == line.end();) {
    line.push_back(c);
    c = static_cast<int>(passes_on[c].item<std::int64_t>()) % channels;
  }
  return line;
}

}  // namespace

Tensor indecision(const train::Weights& w, Task task) {
  const Tensor g = at::linear(kinds_of_cells(task), of_recursion(w, "gate.weight"), of_recursion(w, "gate.bias"));
  const Tensor p = at::softmax(kCellSharpness * of_recursion(w, "mix.logits"), 1);
  const Tensor rows = (1 - p.square().sum(1)).mean();
  if (task == Task::grid) {
    const Tensor gate = at::sigmoid(4 * g);
    return (gate * (1 - gate)).mean() + rows;
  }
  return at::relu(1 - 1.1 * at::tanh(2 * g).abs()).mean() + rows;
}

void mix_one_channel(const train::Weights& w) {
  const at::NoGradGuard guard;
  Tensor logits = of_recursion(w, "mix.logits");
  const Tensor best = logits.argmax(1, /*keepdim=*/true);
  logits.fill_(-kApart).scatter_(1, best, 0.0);
}

void saturate_gates(const train::Weights& w, Task task) {
  constexpr double kMost = 4;
  const at::NoGradGuard guard;
  Tensor weight = of_recursion(w, "gate.weight"), bias = of_recursion(w, "gate.bias");
  const Tensor least = at::linear(kinds_of_cells(task), weight, bias).abs().amin(0) + 1e-9;
  const Tensor factor = ((task == Task::grid ? kGridEnd : kLineEnd) / least).clamp(1, kMost);
  weight.mul_(factor.unsqueeze(1));
  bias.mul_(factor);
}

void round_cells(const train::Weights& w) {
  const at::NoGradGuard guard;
  const Tensor kinds = kinds_of_cells(Task::grid);
  Tensor weight = of_recursion(w, "gate.weight"), bias = of_recursion(w, "gate.bias");
  const Tensor g = at::linear(kinds, weight, bias);
  set_kinds(at::where(g > 0, at::full_like(g, kGridEnd), at::full_like(g, -kGridEnd)), weight, bias);
  weight = of_recursion(w, "input.weight"), bias = of_recursion(w, "input.bias");
  const Tensor i = (1.2 * at::sigmoid(4 * at::linear(kinds, weight, bias) - 2) - 0.1).clamp(0, 1);
  const Tensor half = (0.5 * i.amax(0)).clamp_min(kVisible);
  set_kinds(at::where(i > half, at::full_like(i, 0.5 + kGridEnd), at::full_like(i, 0.5 - kGridEnd)), weight, bias);
}

std::optional<std::vector<int>> deciding_channels(const train::Weights& w, const Tensor& h, const Tensor& labels) {
  const Tensor passes_on = of_recursion(w, "mix.logits").argmax(1), yes = labels.unsqueeze(1) == 1;
  const Tensor least = at::where(yes, h, at::full_like(h, 1e9)).amin({0, 2});
  const Tensor most = at::where(yes, at::full_like(h, -1e9), h).amax({0, 2});
  std::optional<std::vector<int>> best;
  for (int c = 0; c < static_cast<int>(h.size(1)); ++c) {
    if (!(least[c].item<double>() > std::max(kVisible, most[c].item<double>()))) continue;
    std::vector<int> line = ancestry(passes_on, c);
    if (!best || line.size() < best->size()) best = std::move(line);
  }
  return best;
}

void keep_channels(const train::Weights& from, const std::vector<int>& kept, const train::Weights& to) {
  const at::NoGradGuard guard;
  const std::int64_t channels = of_recursion(from, "input.bias").size(0);
  const Tensor rows = at::tensor(std::vector<std::int64_t>(kept.begin(), kept.end()), at::kLong);
  for (const char* name : {"input.weight", "input.bias", "gate.weight", "gate.bias"}) {
    of_recursion(to, name).copy_(of_recursion(from, name).index_select(0, rows));
  }
  const Tensor mix = of_recursion(from, "mix.logits").index_select(0, rows);
  of_recursion(to, "mix.logits").copy_(at::cat({mix.index_select(1, rows), mix.index_select(1, rows + channels)}, 1));
}

}  // namespace elastane::frost
