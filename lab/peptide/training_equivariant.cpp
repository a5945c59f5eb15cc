#include "lab/peptide/training_equivariant.h"

#include <fmt/core.h>

#include <cmath>
#include <map>

#include "elastane/io/file.h"
#include "elastane/io/safetensors.h"
#include "lab/peptide/equivariant_network.h"
#include "lab/peptide/observation.h"
#include "lab/training/progress.h"

namespace elastane::peptide {
namespace {

constexpr int N = kMaxResidues;

using Parameters = std::map<std::string, at::Tensor>;

// single steps of examples: the network has no memory
struct Samples {
  std::vector<Residues> residues;
  std::vector<std::array<float, kMaxTorsions>> targets;

  void add(const std::vector<Example>& examples) {
    for (const Example& example : examples) {
      for (int t = 0; t < example.steps; ++t) {
        const std::span x(example.x.data() + static_cast<std::size_t>(t) * kInputs, kInputs);
        residues.push_back(residues_of(x));
        auto& target = targets.emplace_back();
        std::copy_n(example.target.begin() + static_cast<std::ptrdiff_t>(t) * kOutputs, kMaxTorsions, target.begin());
      }
    }
  }
};

struct Batch {
  at::Tensor scalars;  // (B, N, 16)
  at::Tensor vectors;  // (B, N, 3, 3)
  at::Tensor frame;    // (B, N, 3, 3), a row for each axis
  at::Tensor edge;     // (B, N, N, 17)
  at::Tensor towards;  // (B, N, N, 3)
  at::Tensor absent;   // (B, N), bool
  at::Tensor target;   // (B, N, 2), NaN where there is none
};

void put(float*& at, Vec3 r) {
  for (const double c : {r.x, r.y, r.z}) *at++ = static_cast<float>(c);
}

// features of residue i of one sample; node: its place in the batch
void put_node(const Residues& r, int i, std::size_t node, const std::array<float, kMaxTorsions>& target, Batch& batch) {
  const auto at = static_cast<std::size_t>(i);
  batch.absent.data_ptr<bool>()[node] = false;
  std::copy(r.scalars[at].begin(), r.scalars[at].end(), batch.scalars.data_ptr<float>() + node * kNodeScalars);
  float *vector = batch.vectors.data_ptr<float>() + node * 9, *frame = batch.frame.data_ptr<float>() + node * 9;
  for (const Vec3 v : r.vectors[at]) put(vector, v);
  for (const Vec3 axis : frame_of(r, i)) put(frame, axis);
  float* targets = batch.target.data_ptr<float>() + node * 2;
  if (i > 0) targets[0] = target[2 * at - 1];
  if (i + 1 < r.count) targets[1] = target[2 * at];
}

// features of the edges from residue i
void put_edges(const Residues& r, int i, std::size_t node, Batch& batch) {
  const auto at = static_cast<std::size_t>(i);
  for (int j = 0; j < r.count; ++j) {
    const std::size_t pair = node * N + static_cast<std::size_t>(j);
    const auto edge = edge_of(r, i, j);
    std::copy(edge.begin(), edge.end(), batch.edge.data_ptr<float>() + pair * kEdge);
    float* direction = batch.towards.data_ptr<float>() + pair * 3;
    if (i != j) put(direction, unit(r.position[static_cast<std::size_t>(j)] - r.position[at]));
  }
}

Batch gather(const Samples& samples, std::span<const std::size_t> chosen) {
  const auto b = static_cast<std::int64_t>(chosen.size());
  Batch batch{at::zeros({b, N, kNodeScalars}), at::zeros({b, N, 3, 3}), at::zeros({b, N, 3, 3}),
              at::zeros({b, N, N, kEdge}),     at::zeros({b, N, N, 3}), at::ones({b, N}, at::kBool),
              at::full({b, N, 2}, NAN)};
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Residues& r = samples.residues[chosen[k]];
    for (int i = 0; i < r.count; ++i) {
      const std::size_t node = k * N + static_cast<std::size_t>(i);
      put_node(r, i, node, samples.targets[chosen[k]], batch);
      put_edges(r, i, node, batch);
    }
  }
  return batch;
}

// the network of equivariant_network.h, over a batch
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
    EquivariantNetwork::load(run.init).value();  // checks names and shapes
    for (const Tensor& tensor : EquivariantNetwork::read(run.init).value()) {
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

// the C++ network must give the same outputs
void check_twin(const Parameters& parameters, const Samples& samples) {
  const EquivariantNetwork twin = EquivariantNetwork::create(tensors_of(parameters), "training").value();
  const std::vector<std::size_t> one = {samples.residues.size() / 2};
  const at::Tensor y = forward(parameters, gather(samples, one)).detach();
  std::array<float, kMaxTorsions> given;
  twin.run(samples.residues[one[0]], given);
  for (int t = 0; t < 2 * samples.residues[one[0]].count - 2; ++t) {
    const float expected = t % 2 == 0 ? y[0][t / 2][1].item<float>() : y[0][t / 2 + 1][0].item<float>();
    if (std::fabs(given[static_cast<std::size_t>(t)] - expected) > 1e-3F) {
      throw std::runtime_error(fmt::format("[equivariant] torsion {}: expected {}, found {}", t, expected,
                                           given[static_cast<std::size_t>(t)]));
    }
  }
}

// what to learn from, and what to validate with
struct Data {
  Samples learn, held_out;

  Data(const TrainingExamples& options, std::uint64_t seed) {
    learn.add(make_examples(seed, 0, options.examples));
    held_out.add(make_examples(kHeldOutSeed, 0, 32));
    if (options.follow.empty()) return;
    const EquivariantNetwork followed = EquivariantNetwork::load(options.follow).value();
    const MakeTrainee make_trainee = [&] { return std::make_unique<EquivariantAgent>(followed); };
    learn.add(make_examples(seed, options.examples, options.followed, make_trainee));
    held_out.add(make_examples(kHeldOutSeed, 32, 32, make_trainee));
  }
};

// trains in place; returns the last held-out loss
double fit(Parameters& parameters, const Data& data, const EquivariantRun& run) {
  Adam adam(parameters, run);
  lab::Progress progress(0, run.steps, true);
  std::vector<std::size_t> chosen(static_cast<std::size_t>(run.batch)), all(data.held_out.residues.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  double last = NAN;
  for (std::int64_t step = 0; step < run.steps; ++step) {
    Random random(run.seed, (1ULL << 50U) + static_cast<std::uint64_t>(step) * 4096);
    for (std::size_t& one : chosen)
      one = static_cast<std::size_t>(random.below(static_cast<int>(data.learn.residues.size())));
    const at::Tensor loss = loss_of(parameters, gather(data.learn, chosen));
    loss.backward();
    adam.step(step);
    if ((step + 1) % 500 == 0 || step + 1 == run.steps) {
      const at::NoGradGuard guard;
      last = loss_of(parameters, gather(data.held_out, all)).item<double>();
      progress.line(fmt::format("step {:>6}  loss {:.6g}  held out {:.6g}", step + 1, loss.item<double>(), last));
    }
    progress.update(step + 1, loss.item<double>(), last);
  }
  return last;
}

}  // namespace

void train_equivariant(const TrainingExamples& examples, const EquivariantRun& run) {
  const Data data(examples, run.seed);
  Parameters parameters = start(run);
  const double last = fit(parameters, data, run);
  check_twin(parameters, data.held_out);
  const std::map<std::string, std::string> metadata = {
      {"trained", fmt::format("peptide_equivariant, seed {}, step {}, held-out loss {:.6g}, commit {}", run.seed,
                              run.steps, last, run.record.commit)},
      {"command", run.record.command}};
  write_file(run.output, format_safetensors(metadata, tensors_of(parameters)).value()).value();
}

}  // namespace elastane::peptide
