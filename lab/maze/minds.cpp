#include "lab/maze/minds.h"

#include <cmath>

#include "elastane/io/file.h"
#include "elastane/io/stored_arrays.h"

namespace elastane::maze {
namespace {

constexpr const char *kKey = "elastane_maze", *kPricedKey = "elastane_maze_prices";
constexpr double kKappa = 1e-3;  // all that is wrong by more than what is far away

// every array of a mind under its name, for those who write and those who read
template <class Mind, class Visit>
void each_array(const std::string& name, Mind& mind, Visit visit) {
  visit(name + ".head.weight", mind.head.weight);
  visit(name + ".head.bias", mind.head.bias);
  visit(name + ".head.score", mind.head.score);
  if (mind.gate.kind == Gate::random) visit(name + ".histogram", mind.gate.histogram);
  if (mind.gate.kind != Gate::learned) return;
  visit(name + ".gate.hidden.weight", mind.learned.network.hidden_weight);
  visit(name + ".gate.hidden.bias", mind.learned.network.hidden_bias);
  visit(name + ".gate.score.weight", mind.learned.network.score_weight);
  visit(name + ".gate.score.bias", mind.learned.network.score_bias);
  visit(name + ".gate.quantiles", mind.learned.quantiles);
}

auto store_in(std::vector<StoredTensor>& tensors) {
  return [&](const std::string& name, const std::vector<double>& values) {
    tensors.push_back(stored(name.c_str(), values));
  };
}
auto take_from(ArrayReader& reader) {
  return [&](const std::string& name, std::vector<double>& values) { reader.take(name.c_str(), values); };
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

// throws Misfit
void expect_key(const Safetensors& file, const char* key, const std::string& where) {
  if (file.metadata.contains(key)) return;
  throw Misfit(where +
               "expected minds of the maze, found another safetensors file; train them with elastane train maze");
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
  for (const std::string name : kMindNames) each_array(name, minds.at(name), store_in(tensors));
  return format_safetensors(metadata, tensors);
}

Result<Minds> parse_minds(std::span<const std::byte> bytes, const std::string& source) {
  return parse_stored(bytes, source, [](const Safetensors& file, const std::string& from) {
    const std::string where = "[maze] " + from + ": ";
    expect_key(file, kKey, where);
    Minds minds;
    ArrayReader reader(file, where);
    for (const std::string name : kMindNames) {
      Mind& mind = minds[name] = plain_mind(name);
      each_array(name, mind, take_from(reader));
      check(where, name, mind);
    }
    reader.done();
    return minds;
  });
}

Result<Minds> load_minds(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return Error{file.error()};
  return parse_minds(file->bytes(), path);
}

Result<std::vector<std::byte>> format_priced_minds(const std::vector<PricedMind>& minds,
                                                   std::map<std::string, std::string> metadata) {
  metadata[kPricedKey] = R"({"format": 1})";
  std::vector<double> prices, seeds;
  for (const PricedMind& each : minds) {
    prices.push_back(each.price);
    seeds.push_back(each.seed);
  }
  std::vector<StoredTensor> tensors = {stored("prices", prices), stored("seeds", seeds)};
  for (std::size_t i = 0; i < minds.size(); ++i) each_array(std::to_string(i), minds[i].mind, store_in(tensors));
  return format_safetensors(metadata, tensors);
}

Result<std::vector<PricedMind>> parse_priced_minds(std::span<const std::byte> bytes, const std::string& source) {
  return parse_stored(bytes, source, [](const Safetensors& file, const std::string& from) {
    const std::string where = "[maze] " + from + ": ";
    expect_key(file, kPricedKey, where);
    ArrayReader reader(file, where);
    std::vector<double> prices, seeds;
    reader.take("prices", prices);
    reader.take("seeds", seeds);
    if (prices.size() != seeds.size()) {
      throw Misfit(where + "expected as many seeds as prices, found " + std::to_string(seeds.size()) + " and " +
                   std::to_string(prices.size()));
    }
    std::vector<PricedMind> minds;
    for (std::size_t i = 0; i < prices.size(); ++i) {
      if (!(prices[i] >= 0) || !(std::abs(seeds[i]) < 1e9)) {
        throw Misfit(where + std::to_string(i) + ": expected a price and a seed, found others");
      }
      PricedMind made{prices[i], static_cast<int>(seeds[i]), plain_mind("esm")};
      each_array(std::to_string(i), made.mind, take_from(reader));
      check(where, std::to_string(i), made.mind);
      minds.push_back(std::move(made));
    }
    reader.done();
    return minds;
  });
}

Result<std::vector<PricedMind>> load_priced_minds(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return Error{file.error()};
  return parse_priced_minds(file->bytes(), path);
}

}  // namespace elastane::maze
