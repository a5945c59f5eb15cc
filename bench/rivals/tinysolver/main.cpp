// elastane-tinysolver: the bare Gauss–Newton step of a 64 → 128 → 16 decoder, in float32, by Ceres' TinySolver and by
// Eigen alone. The main command line starts it; it answers with one JSON object.
//
//   elastane-tinysolver MODEL POINTS
//
// Sizes are known to the compiler, nothing allocates, and the Jacobian W₂ diag(φ′) W₁ is one product.
#include <ceres/tiny_solver.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "elastane/io/model_file.h"

namespace {

constexpr int kLatents = 64, kHidden = 128, kOutputs = 16;

using Latent = Eigen::Matrix<float, kLatents, 1>;
using Hidden = Eigen::Matrix<float, kHidden, 1>;
using Output = Eigen::Matrix<float, kOutputs, 1>;
using Jacobian = Eigen::Matrix<float, kOutputs, kLatents>;

// y = W₂ tanh(W₁z + b₁) + b₂, everything in units of the noise
struct Decoder {
  Eigen::Matrix<float, kHidden, kLatents> w1;
  Eigen::Matrix<float, kOutputs, kHidden> w2;
  Hidden b1;
  Output b2;
};

Decoder read_decoder(const std::string& path, float noise) {
  const elastane::ModelFile file = elastane::read_model(path).value();
  const auto fill = [&](const std::string& name, auto& to) {
    const auto found = std::ranges::find(file.tensors, name, &elastane::Tensor::name);
    if (found == file.tensors.end() || found->values.size() != static_cast<std::size_t>(to.size())) {
      throw std::runtime_error("[model] " + name + ": expected " + std::to_string(to.rows()) + " x " +
                               std::to_string(to.cols()));
    }
    using Matrix = std::remove_reference_t<decltype(to)>;
    constexpr int kOrder = Matrix::ColsAtCompileTime == 1 ? Eigen::ColMajor : Eigen::RowMajor;
    to = Eigen::Map<const Eigen::Matrix<float, Matrix::RowsAtCompileTime, Matrix::ColsAtCompileTime, kOrder>>(
        found->values.data());
  };
  Decoder decoder;
  fill("head.0.weight", decoder.w1);
  fill("head.0.bias", decoder.b1);
  fill("head.1.weight", decoder.w2);
  fill("head.1.bias", decoder.b2);
  decoder.w2 /= noise;
  decoder.b2 /= noise;
  return decoder;
}

// (y − t)/σ and, unless null, its Jacobian; what TinySolver asks for
struct Residuals {
  using Scalar = float;
  enum { NUM_RESIDUALS = kOutputs, NUM_PARAMETERS = kLatents };

  const Decoder& decoder;
  Output target;  // t/σ

  bool operator()(const float* z, float* residuals, float* jacobian) const {
    Hidden h = decoder.b1;
    h.noalias() += decoder.w1 * Eigen::Map<const Latent>(z);
    h = h.array().tanh();
    Output r = decoder.b2 - target;
    r.noalias() += decoder.w2 * h;
    Eigen::Map<Output>{residuals} = r;
    if (jacobian == nullptr) return true;
    const Eigen::Matrix<float, kOutputs, kHidden> scaled =
        decoder.w2 * (1 - h.array().square()).matrix().asDiagonal();  // W₂ diag(φ′)
    Eigen::Map<Jacobian>{jacobian}.noalias() = scaled * decoder.w1;   // · W₁
    return true;
  }
};

// One Levenberg–Marquardt step. max_num_iterations counts the evaluation before it, so 1 would do nothing; and a step
// that changes the cost by less than the tolerance is the last, which spares it the next Jacobian.
class TinySolverStep {
 public:
  TinySolverStep() {
    solver_.options.max_num_iterations = 2;
    solver_.options.function_tolerance = std::numeric_limits<float>::max();
  }
  Latent operator()(const Residuals& residuals, const Latent& z) {
    Latent moved = z;
    solver_.Solve(residuals, &moved);
    return moved - z;
  }

 private:
  ceres::TinySolver<Residuals> solver_;
};

// v = −Jᵀ(λI + JJᵀ)⁻¹r: the smaller of the two spaces
class EigenStep {
 public:
  explicit EigenStep(float damping) : damping_(damping) {}
  Latent operator()(const Residuals& residuals, const Latent& z) {
    residuals(z.data(), r_.data(), jacobian_.data());
    Eigen::Matrix<float, kOutputs, kOutputs> system;
    system.noalias() = jacobian_ * jacobian_.transpose();
    system.diagonal().array() += damping_;
    solver_.compute(system);
    return -(jacobian_.transpose() * solver_.solve(r_));
  }

 private:
  float damping_;
  Output r_;
  Jacobian jacobian_;
  Eigen::LLT<Eigen::Matrix<float, kOutputs, kOutputs>> solver_;
};

struct Task {
  std::vector<Latent> points;
  std::vector<Residuals> residuals;
  int steps;
};

// median time, and the step at the last point
template <class Step>
nlohmann::ordered_json measure(Step step, const Task& task) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  Latent v;
  for (int t = 0; t < task.steps; ++t) {
    const std::size_t i = static_cast<std::size_t>(t) % task.points.size();
    const auto begin = Clock::now();
    v = step(task.residuals[i], task.points[i]);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    asm volatile("" : : "r"(v.data()) : "memory");  // the step was wanted
  }
  v = step(task.residuals.back(), task.points.back());
  times.erase(times.begin(), times.begin() + task.steps / 10);  // warm-up
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return {{"p50_us", times[times.size() / 2]}, {"v", std::vector<float>(v.data(), v.data() + v.size())}};
}

void run(const std::string& model, const std::string& points) {
  const nlohmann::json asked = nlohmann::json::parse(std::ifstream(points));
  const float noise = asked["noise"].get<float>();
  const Decoder decoder = read_decoder(model, noise);
  Task task{.points = {}, .residuals = {}, .steps = asked["steps"].get<int>()};
  for (std::size_t i = 0; i < asked["points"].size(); ++i) {
    const auto z = asked["points"][i].get<std::vector<float>>(), t = asked["targets"][i].get<std::vector<float>>();
    if (z.size() != kLatents || t.size() != kOutputs) throw std::runtime_error("[points] expected 64 and 16 numbers");
    task.points.push_back(Eigen::Map<const Latent>(z.data()));
    task.residuals.push_back({decoder, Eigen::Map<const Output>(t.data()) / noise});
  }
  const nlohmann::ordered_json report = {{"tinysolver", measure(TinySolverStep(), task)},
                                         {"eigen", measure(EigenStep(asked["damping"].get<float>()), task)}};
  std::printf("%s\n", report.dump().c_str());
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return std::fprintf(stderr, "usage: elastane-tinysolver MODEL POINTS\n"), 2;
  try {
    run(arguments[1], arguments[2]);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "elastane-tinysolver: %s\n", error.what()), 1;
  }
  return 0;
}
