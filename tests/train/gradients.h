// How training is checked: deviations of tensors, and gradients against differences.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <functional>
#include <string>
#include <vector>

#include "elastane/train/sequence_model.h"

namespace elastane::train {

// max|found − expected| over max|expected|
inline double deviation(const at::Tensor& found, const at::Tensor& expected) {
  const at::Tensor wanted = expected.detach().to(at::kDouble);
  const double largest = std::max(wanted.abs().max().item<double>(), 1e-12);
  return (found.detach().to(at::kDouble) - wanted).abs().max().item<double>() / largest;
}

// f's gradients of every input, in double, against central differences along random directions
inline void expect_gradients(const std::function<at::Tensor(const std::vector<at::Tensor>&)>& f,
                             const std::vector<at::Tensor>& at_point, const std::string& what,
                             double tolerance = 1e-6) {
  std::vector<at::Tensor> leaves;
  for (const at::Tensor& t : at_point) leaves.push_back(t.detach().clone().requires_grad_());
  const auto gradients = torch::autograd::grad({f(leaves)}, leaves, {}, c10::nullopt, /*create_graph=*/false,
                                               /*allow_unused=*/true);
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    ASSERT_TRUE(gradients[i].defined()) << what << ", input " << i;
    const at::Tensor direction = at::randn_like(at_point[i]);
    const auto moved = [&](double step) {
      std::vector<at::Tensor> in = at_point;
      in[i] = at_point[i].detach() + step * direction;
      return f(in).item<double>();
    };
    const double expected = (moved(kStep) - moved(-kStep)) / (2 * kStep);
    const double found = (gradients[i] * direction).sum().item<double>();
    EXPECT_NEAR(found, expected, tolerance * std::max(1.0, std::fabs(expected))) << what << ", input " << i;
  }
}

// every weight's gradient, in double, against a difference along a random direction
inline void expect_gradients_of_weights(const SequenceModel& model, const std::function<at::Tensor()>& loss,
                                        const std::string& what, double scale = 0) {
  const auto weights = model.weights().values();
  const auto gradients = torch::autograd::grad({loss()}, weights);
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const at::Tensor direction = at::randn_like(weights[i]), kept = weights[i].clone();
    const auto moved = [&](double step) {
      weights[i].copy_(kept + step * direction);
      return loss().item<double>();
    };
    const double expected = (moved(1e-6) - moved(-1e-6)) / 2e-6;
    weights[i].copy_(kept);
    EXPECT_NEAR((gradients[i] * direction).sum().item<double>(), expected,
                1e-7 + 1e-5 * std::max(scale, std::fabs(expected)))
        << what << ", " << model.weights().all()[i].name;
  }
}

}  // namespace elastane::train
