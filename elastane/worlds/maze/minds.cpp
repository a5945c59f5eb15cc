#include "elastane/worlds/maze/minds.h"

#include "elastane/io/file.h"
#include "elastane/io/stored_arrays.h"

namespace elastane::maze {
namespace {

constexpr const char* kKey = "elastane_maze";
constexpr double kKappa = 1e-3;  // all that is wrong by more than what is far away

// every array of a mind under its name, for those who write and those who read
template <class Minds, class Visit>
void each_array(Minds& minds, Visit visit) {
  for (const std::string name : kMindNames) {
    auto& mind = minds.at(name);
    visit(name + ".head.weight", mind.head.weight);
    visit(name + ".head.bias", mind.head.bias);
    visit(name + ".head.score", mind.head.score);
    if (mind.gate.kind == Gate::random) visit(name + ".histogram", mind.gate.histogram);
    if (mind.gate.kind != Gate::learned) continue;
    visit(name + ".gate.hidden.weight", mind.learned.hidden_weight);
    visit(name + ".gate.hidden.bias", mind.learned.hidden_bias);
    visit(name + ".gate.score.weight", mind.learned.score_weight);
    visit(name + ".gate.score.bias", mind.learned.score_bias);
    visit(name + ".gate.quantiles", mind.learned.quantiles);
  }
}

// throws Misfit
void check(const std::string& where, const std::string& name, const Mind& mind) {
  const Head& head = mind.head;
  if (head.weight.size() != kHeadHidden * kMoveFeatures || head.bias.size() != kHeadHidden ||
      head.score.size() != kHeadHidden) {
    throw Misfit(where + name + ".head: expected " + std::to_string(kHeadHidden) + " x " +
                 std::to_string(kMoveFeatures) + " weights, found others; train it again");
  }
  if (mind.gate.kind == Gate::random && mind.gate.histogram.size() != kDepth + 1)
    throw Misfit(where + name + ".histogram: expected " + std::to_string(kDepth + 1) + " depths, found others");
  if (mind.gate.kind != Gate::learned) return;
  if (const Status sound = validate(mind.learned); !sound) throw Misfit(where + sound.error());
  if (mind.learned.depths() != kDepth + 1)
    throw Misfit(where + name + ".gate: expected " + std::to_string(kDepth + 1) + " depths, found others");
}

}  // namespace

Mind plain_mind(const std::string& name) {
  if (name == "esm") return {.gate = {.kind = Gate::learned, .depth = kDepth}};
  if (name == "k0") return {.gate = {.kind = Gate::never, .depth = 0}};
  if (name == "uniform_1") return {.gate = {.kind = Gate::always, .depth = 1}};
  if (name == "random") return {.gate = {.kind = Gate::random, .depth = kDepth}};
  if (name == "kappa") return {.gate = {.kind = Gate::kappa, .depth = kDepth, .threshold = kKappa}};
  if (name == "euclidean") return {.metric = Metric::euclidean, .gate = {.depth = kDepth}};
  if (name == "diagonal") return {.metric = Metric::latent_covariance, .gate = {.depth = kDepth}};
  return {.gate = {.depth = kDepth}};
}

Result<std::vector<std::byte>> format_minds(const Minds& minds, std::map<std::string, std::string> metadata) {
  metadata[kKey] = R"({"format": 1})";
  std::vector<StoredTensor> tensors;
  each_array(minds, [&](const std::string& name, const std::vector<double>& values) {
    tensors.push_back(stored(name.c_str(), values));
  });
  return format_safetensors(metadata, tensors);
}

Result<Minds> parse_minds(std::span<const std::byte> bytes, const std::string& source) {
  const auto file = parse_safetensors(bytes, source);
  if (!file) return Error{file.error()};
  const std::string where = "[maze] " + source + ": ";
  if (!file->metadata.contains(kKey))
    return Error{where +
                 "expected minds of the maze, found another safetensors file; train them with elastane train maze"};
  Minds minds;
  for (const std::string name : kMindNames) minds[name] = plain_mind(name);
  try {
    ArrayReader reader(*file, where);
    each_array(minds, [&](const std::string& name, std::vector<double>& values) { reader.take(name.c_str(), values); });
    reader.done();
    for (const auto& [name, mind] : minds) check(where, name, mind);
  } catch (const Misfit& misfit) {
    return Error{misfit.what()};
  }
  return minds;
}

Result<Minds> load_minds(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return Error{file.error()};
  return parse_minds(file->bytes(), path);
}

}  // namespace elastane::maze
