#include "apps/elastane_train/equivariant_training.h"

#include <fmt/core.h>

#include <cmath>
#include <map>

#include "command_line/commit.h"
#include "apps/elastane_train/peptide_lessons.h"
#include "apps/elastane_train/progress.h"
#include "elastane/io/file.h"
#include "elastane/io/safetensors.h"
#include "lab/peptide/equivariant.h"
#include "lab/peptide/observation.h"

namespace elastane::app {
namespace {

using namespace peptide;  // its sizes are all over this file
constexpr int N = kMostResidues;

using Parameters = std::map<std::string, at::Tensor>;

// steps of lessons, each by itself: the network has no memory
struct Samples {
  std::vector<Residues> residues;
  std::vector<std::array<float, kMostTorsions>> targets;

  void add(const std::vector<Lesson>& lessons) {
    for (const Lesson& lesson : lessons) {
      for (int t = 0; t < lesson.steps; ++t) {
        const std::span x(lesson.x.data() + static_cast<std::size_t>(t) * kInputs, kInputs);
        residues.push_back(residues_of(x));
        auto& target = targets.emplace_back();
        std::copy_n(lesson.target.begin() + static_cast<std::ptrdiff_t>(t) * kOutputs, kMostTorsions, target.begin());
      }
    }
  }
};

struct Batch {
  at::Tensor scalars;  // (B, N, 16)
  at::Tensor vectors;  // (B, N, 3, 3)
  at::Tensor frame;    // (B, N, 3, 3): a row for each axis
  at::Tensor edge;     // (B, N, N, 17)
  at::Tensor towards;  // (B, N, N, 3)
  at::Tensor absent;   // (B, N), bool
  at::Tensor target;   // (B, N, 2), not a number where there is none
};

void put(float*& at, Vec3 r) {
  for (const double c : {r.x, r.y, r.z}) *at++ = static_cast<float>(c);
}

Batch gather(const Samples& samples, std::span<const std::size_t> chosen) {
  const auto b = static_cast<std::int64_t>(chosen.size());
  Batch batch{at::zeros({b, N, kNodeScalars}), at::zeros({b, N, 3, 3}), at::zeros({b, N, 3, 3}),
              at::zeros({b, N, N, kEdge}),     at::zeros({b, N, N, 3}), at::ones({b, N}, at::kBool),
              at::full({b, N, 2}, NAN)};
  float *scalars = batch.scalars.data_ptr<float>(), *edges = batch.edge.data_ptr<float>();
  float *vectors = batch.vectors.data_ptr<float>(), *frames = batch.frame.data_ptr<float>();
  float *towards = batch.towards.data_ptr<float>(), *target = batch.target.data_ptr<float>();
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Residues& r = samples.residues[chosen[k]];
    for (int i = 0; i < r.count; ++i) {
      const auto at = static_cast<std::size_t>(i), node = k * N + at;
      batch.absent.data_ptr<bool>()[node] = false;
      std::copy(r.scalars[at].begin(), r.scalars[at].end(), scalars + node * kNodeScalars);
      float *vector = vectors + node * 9, *frame = frames + node * 9;
      for (const Vec3 v : r.vectors[at]) put(vector, v);
      for (const Vec3 axis : frame_of(r, i)) put(frame, axis);
      if (i > 0) target[node * 2] = samples.targets[chosen[k]][2 * at - 1];
      if (i + 1 < r.count) target[node * 2 + 1] = samples.targets[chosen[k]][2 * at];
      for (int j = 0; j < r.count; ++j) {
        const std::size_t pair = node * N + static_cast<std::size_t>(j);
        const auto edge = edge_of(r, i, j);
        std::copy(edge.begin(), edge.end(), edges + pair * kEdge);
        float* direction = towards + pair * 3;
        if (i != j) put(direction, unit(r.position[static_cast<std::size_t>(j)] - r.position[at]));
      }
    }
  }
  return batch;
}

// equivariant.h, over a batch
at::Tensor forward(const Parameters& p, const Batch& batch) {
  const std::int64_t b = batch.scalars.size(0);
  const auto apply = [&](const std::string& name, const at::Tensor& x) { return at::matmul(x, p.at(name).t()); };
  at::Tensor s = apply("embed", batch.scalars) + p.at("embed_bias");
  at::Tensor v = at::matmul(p.at("lift"), batch.vectors);  // (B, N, 8, 3)
  const at::Tensor unseen = batch.absent.view({b, 1, 1, N});
  for (int l = 0; l < kLayers; ++l) {
    const std::string at = fmt::format("layers.{}.", l);
    const auto heads = [&](const char* name) {
      return apply(at + name, s).view({b, N, kHeads, kScalars / kHeads}).transpose(1, 2);  // (B, H, N, 8)
    };
    const at::Tensor score =
        at::matmul(heads("query"), heads("key").transpose(2, 3)) / std::sqrt(static_cast<double>(kScalars / kHeads)) +
        apply(at + "edge", batch.edge).permute({0, 3, 1, 2});
    const at::Tensor a = at::softmax(score.masked_fill(unseen, -1e9), -1);  // (B, H, i, j)
    const at::Tensor gathered = at::matmul(a, heads("value")).transpose(1, 2).reshape({b, N, kScalars});
    const at::Tensor wide = a.repeat_interleave(kVectors / kHeads, 1);                    // (B, 8, i, j)
    const at::Tensor pushed = wide * apply(at + "push", s).transpose(1, 2).unsqueeze(2);  // (B, 8, i, j)
    const at::Tensor along = at::matmul(pushed.permute({0, 2, 1, 3}), batch.towards);     // (B, i, 8, 3)
    const at::Tensor mixed = at::matmul(p.at(at + "mix"), v).permute({0, 2, 1, 3});       // (B, 8, j, 3)
    v = v + along + at::matmul(wide, mixed).permute({0, 2, 1, 3});
    s = s + apply(at + "out", gathered);
    const at::Tensor framed = at::matmul(v, batch.frame.transpose(2, 3)).reshape({b, N, 3 * kVectors});
    s = s + apply(at + "down", at::silu(apply(at + "up", at::cat({s, framed}, -1)) + p.at(at + "up_bias")));
  }
  return apply("last", at::silu(apply("head", s) + p.at("head_bias"))) + p.at("last_bias");
}

at::Tensor loss_of(const Parameters& p, const Batch& batch) {
  const at::Tensor known = at::isfinite(batch.target);
  const at::Tensor error = at::where(known, forward(p, batch) - batch.target.nan_to_num(), at::zeros({}));
  return error.square().sum() / known.sum();
}

Parameters start(const EquivariantRun& run) {
  Parameters parameters;
  std::uint64_t place = 0;
  for (const TensorSpec& spec : equivariant_specs()) {
    std::int64_t count = 1;
    std::vector<std::int64_t> shape(spec.shape.begin(), spec.shape.end());
    for (const std::int64_t side : shape) count *= side;
    at::Tensor weight = at::empty(shape);
    Random random(run.seed, ++place << 32U);
    for (std::int64_t i = 0; i < count; ++i) {
      weight.data_ptr<float>()[i] = spec.initialise(random, static_cast<std::size_t>(i));
    }
    parameters[spec.name] = weight;
  }
  if (!run.init.empty()) {
    Equivariant::load(run.init).value();  // all there, in the right shapes
    for (const Tensor& tensor : Equivariant::read(run.init).value()) {
      std::copy(tensor.values.begin(), tensor.values.end(), parameters.at(tensor.name).data_ptr<float>());
    }
  }
  for (auto& [name, weight] : parameters) weight.requires_grad_();
  return parameters;
}

std::vector<Tensor> tensors_of(const Parameters& parameters) {
  std::vector<Tensor> tensors;
  for (const TensorSpec& spec : equivariant_specs()) {
    const at::Tensor weight = parameters.at(spec.name).detach().contiguous();
    tensors.push_back({spec.name, spec.shape, {weight.data_ptr<float>(), weight.data_ptr<float>() + weight.numel()}});
  }
  return tensors;
}

// Kingma and Ba 2015, with the rate along half a cosine
class Adam {
 public:
  Adam(Parameters& parameters, const EquivariantRun& run) : parameters_(&parameters), run_(run) {}

  void step(std::int64_t n) {
    const double t = static_cast<double>(n + 1), share = t / static_cast<double>(run_.steps);
    const double rate = run_.rate * std::min(1.0, t / 100) * 0.5 * (1 + std::cos(M_PI * share));
    const at::NoGradGuard guard;
    for (auto& [name, weight] : *parameters_) {
      const at::Tensor g = weight.grad().clamp(-1, 1);
      auto& [m, v] = moments_[name];
      if (!m.defined()) m = at::zeros_like(weight), v = at::zeros_like(weight);
      m.mul_(0.9).add_(g, 0.1);
      v.mul_(0.999).addcmul_(g, g, 0.001);
      const at::Tensor size = (v / (1 - std::pow(0.999, t))).sqrt().add_(1e-8);
      weight.addcdiv_(m, size, -rate / (1 - std::pow(0.9, t)));
      weight.mutable_grad() = at::Tensor();
    }
  }

 private:
  Parameters* parameters_;
  EquivariantRun run_;
  std::map<std::string, std::pair<at::Tensor, at::Tensor>> moments_;
};

// what runs without torch must say the same
void check_twin(const Parameters& parameters, const Samples& samples) {
  const Equivariant twin = Equivariant::create(tensors_of(parameters), "training").value();
  const std::vector<std::size_t> one = {samples.residues.size() / 2};
  const at::Tensor y = forward(parameters, gather(samples, one)).detach();
  std::array<float, kMostTorsions> given;
  twin.run(samples.residues[one[0]], given);
  for (int t = 0; t < 2 * samples.residues[one[0]].count - 2; ++t) {
    const float expected = t % 2 == 0 ? y[0][t / 2][1].item<float>() : y[0][t / 2 + 1][0].item<float>();
    if (std::fabs(given[static_cast<std::size_t>(t)] - expected) > 1e-3F) {
      throw std::runtime_error(fmt::format("[equivariant] torsion {}: expected {}, found {}", t, expected,
                                           given[static_cast<std::size_t>(t)]));
    }
  }
}

}  // namespace

void train_equivariant(const PeptideOptions& options, const EquivariantRun& run) {
  Samples learn, held_out;
  learn.add(give_lessons(run.seed, 0, options.lessons));
  held_out.add(give_lessons(kHeldOutLessons, 0, 32));
  if (!options.follow.empty()) {
    const Equivariant followed = Equivariant::load(options.follow).value();
    const DriverMaker maker = [&] { return std::make_unique<EquivariantDriver>(followed); };
    learn.add(give_lessons(run.seed, options.lessons, options.followed, maker));
    held_out.add(give_lessons(kHeldOutLessons, 32, 32, maker));
  }
  Parameters parameters = start(run);
  Adam adam(parameters, run);
  Progress progress(0, run.steps, true);
  std::vector<std::size_t> chosen(static_cast<std::size_t>(run.batch)), all(held_out.residues.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  double last = NAN;
  for (std::int64_t step = 0; step < run.steps; ++step) {
    Random random(run.seed, (1ULL << 50U) + static_cast<std::uint64_t>(step) * 4096);
    for (std::size_t& one : chosen)
      one = static_cast<std::size_t>(random.below(static_cast<int>(learn.residues.size())));
    const at::Tensor loss = loss_of(parameters, gather(learn, chosen));
    loss.backward();
    adam.step(step);
    if ((step + 1) % 500 == 0 || step + 1 == run.steps) {
      const at::NoGradGuard guard;
      last = loss_of(parameters, gather(held_out, all)).item<double>();
      progress.line(fmt::format("step {:>6}  loss {:.6g}  held out {:.6g}", step + 1, loss.item<double>(), last));
    }
    progress.update(step + 1, loss.item<double>(), last);
  }
  check_twin(parameters, held_out);
  const std::map<std::string, std::string> metadata = {
      {"trained", fmt::format("peptide_equivariant, seed {}, step {}, held-out loss {:.6g}, commit {}", run.seed,
                              run.steps, last, commit())},
      {"command", run.command}};
  write_file(run.output, format_safetensors(metadata, tensors_of(parameters)).value()).value();
}

}  // namespace elastane::app
