// Tests of elastane/core/backbone/recursion.cpp: its equations, its certificates, its rules of halting, its state.
#include "elastane/core/backbone/recursion.h"

#include <gtest/gtest.h>

#include "elastane/core/stream/fleet.h"
#include "tests/core/backbone/lone_block.h"
#include "tests/core/backbone/recursions.h"

namespace elastane {
namespace {

constexpr int kWidth = 6;

double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }

// αh + λ(W₂ gelu(W₁h + b₁) + b₂ + λ^H Bu), the paper's (8) and (14)
Values naive_flat(const std::vector<Tensor>& tensors, const Values& h, const Values& u, RecursionForm form,
                  double hurst) {
  const auto w = [&](const std::string& name) {
    for (const Tensor& t : tensors) {
      if (t.name.ends_with("." + name)) return Values(t.values.begin(), t.values.end());
    }
    return Values{};
  };
  double lambda = 1, keep = 0;
  if (form == RecursionForm::damped) lambda = sigmoid(w("lambda")[0]), keep = 1 - lambda;
  if (form == RecursionForm::literal) lambda = std::exp(w("lambda")[0]), keep = 1;
  Values inner = affine(w("up.weight"), w("up.bias"), h, w("up.bias").size());
  for (double& value : inner) value = gelu(value);
  const Values n = affine(w("down.weight"), w("offset"), inner, h.size()),
               b = affine(w("input.weight"), {}, u, h.size());
  Values next(h.size());
  for (std::size_t i = 0; i < h.size(); ++i) {
    next[i] = keep * h[i] + lambda * (n[i] + std::pow(lambda, form == RecursionForm::contraction ? 0 : hurst) * b[i]);
  }
  return next;
}

RecursionConfig deep(RecursionForm form) {
  return {.form = form, .lipschitz = 0.8, .depth = 12, .start = RecursionStart::cold, .halt = Halt::uniform};
}

TEST(Recursion, IteratesLikeItsEquations) {
  for (const RecursionForm form : {RecursionForm::contraction, RecursionForm::damped, RecursionForm::literal}) {
    const RecursionConfig kind = deep(form);
    const ModelConfig config = lone_recursion(kind, kWidth);
    const std::vector<Tensor> tensors = strong_tensors(config, 4);
    Stream stream(Model::create(config, tensors, {.isa = test_isa()}).value());
    for (int t = 0; t < 5; ++t) {
      const std::vector<float> x = LoneBlock::input(t);
      EXPECT_EQ(stream.advance(x).blocks[0].depth, kind.depth);
      Values h(kWidth);
      for (int k = 0; k < kind.depth; ++k) h = naive_flat(tensors, h, Values(x.begin(), x.end()), form, kind.hurst);
      for (std::size_t i = 0; i < h.size(); ++i) EXPECT_NEAR(stream.output()[i], h[i], 2e-5 * (1 + std::fabs(h[i])));
    }
  }
}

TEST(Recursion, TheLiteralFormIsAForwardStepOfEulerAndDoesNotConverge) {
  RecursionConfig kind = deep(RecursionForm::literal);
  kind.hidden = kind.inner = 0;
  const ModelConfig config = lone_recursion(kind, kWidth);
  std::vector<Tensor> tensors = strong_tensors(config, 4);
  for (float& w : tensor_of(tensors, "up.weight").values) w *= 3;
  const Model once = Model::create(config, tensors, {}).value();
  ModelConfig longer = config;
  std::get<RecursionConfig>(longer.blocks[0].kind).depth = 3 * kind.depth;
  Stream a(once), b(Model::create(longer, tensors, {}).value());
  a.advance(LoneBlock::input(1)), b.advance(LoneBlock::input(1));
  EXPECT_GT(distance(state_of(a), state_of(b), false), 0.1 * distance(state_of(a), Values(kWidth), false));
}

TEST(Recursion, ALiteralExplosionLeavesAFiniteState) {
  RecursionConfig kind = deep(RecursionForm::literal);
  kind.depth = 4000;
  const ModelConfig config = lone_recursion(kind, kWidth);
  std::vector<Tensor> tensors = strong_tensors(config, 4);
  for (float& w : tensor_of(tensors, "up.weight").values) w *= 50;
  Stream stream(Model::create(config, tensors, {}).value());
  stream.advance(LoneBlock::input(1));
  for (const double value : state_of(stream)) EXPECT_TRUE(std::isfinite(value));
  EXPECT_TRUE(std::isinf(stream.advance(LoneBlock::input(2)).blocks[0].bound));
}

// every form with a certificate
std::vector<RecursionConfig> certified_forms() {
  std::vector<RecursionConfig> all;
  for (const RecursionForm form : {RecursionForm::contraction, RecursionForm::damped}) {
    all.push_back({.form = form, .lipschitz = 0.9, .depth = 200, .tolerance = 1e-3});
    all.push_back({.hidden = 3,
                   .form = form,
                   .shape = RecursionShape::grid,
                   .lipschitz_norm = LipschitzNorm::sup,
                   .lipschitz = 0.9,
                   .rows = 3,
                   .cols = 4,
                   .depth = 400,
                   .tolerance = 1e-3});
    all.push_back({.hidden = 3,
                   .form = form,
                   .shape = RecursionShape::line,
                   .lipschitz_norm = LipschitzNorm::sup,
                   .lipschitz = 0.9,
                   .cols = 7,
                   .depth = 400,
                   .tolerance = 1e-3});
  }
  return all;
}
int width_of(const RecursionConfig& kind) {
  return kind.shape == RecursionShape::flat ? kWidth : 2 * kind.rows * kind.cols;
}
bool is_sup(const RecursionConfig& kind) { return kind.shape != RecursionShape::flat; }

Vector64 fixed_point(RecursionConfig kind, std::uint64_t seed, const std::vector<float>& x) {
  kind.halt = Halt::uniform;
  kind.depth = 1000;
  Stream deep(recursion_of(kind, width_of(kind), seed));
  deep.advance(x);
  return state_of(deep);
}

TEST(Recursion, TheBoundHoldsFromAnyStartAndTheFixedPointIsUnique) {
  for (const RecursionConfig& kind : certified_forms()) {
    Random random(5);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Stream stream(recursion_of(kind, width_of(kind), seed));
      for (int t = 0; t < 12; ++t) {
        const std::vector<float> x = random_input(random, width_of(kind));
        const BlockReport report = stream.advance(x).blocks[0];
        const double apart = distance(state_of(stream), fixed_point(kind, seed, x), is_sup(kind));
        EXPECT_LE(apart, report.bound + 1e-6);
        EXPECT_LE(report.bound, kind.tolerance);
        EXPECT_EQ(report.certified, 1);
      }
    }
  }
}

TEST(Recursion, FollowsItsFixedPointAsTheTrackingLawSays) {
  for (RecursionConfig kind : certified_forms()) {
    kind.halt = Halt::uniform;
    kind.depth = 2;
    Random random(6);
    const Model model = recursion_of(kind, width_of(kind), 2);
    const double l = std::get<Recursion>(model.network().layers[0].block).lipschitz;
    Stream stream(model);
    std::vector<float> x = random_input(random, width_of(kind));
    Vector64 before = fixed_point(kind, 2, x);
    double error = distance(state_of(stream), before, is_sup(kind));
    for (int t = 0; t < 20; ++t) {
      for (float& value : x) value += static_cast<float>(0.2 * random.normal());
      const Vector64 now = fixed_point(kind, 2, x);
      stream.advance(x);
      const double after = distance(state_of(stream), now, is_sup(kind));
      EXPECT_LE(after, l * l * (error + distance(now, before, is_sup(kind))) + 1e-5);
      error = after, before = now;
    }
  }
}

TEST(Recursion, DampingKeepsTheFixedPointOnceItsGainIsFoldedIn) {
  const RecursionConfig plain{.lipschitz = 0.8, .depth = 400, .tolerance = 1e-6};
  RecursionConfig damped = plain;
  damped.form = RecursionForm::damped;
  const ModelConfig config = lone_recursion(plain, kWidth);
  const std::vector<Tensor> tensors = strong_tensors(config, 9);
  Stream a(Model::create(config, tensors, {}).value());
  a.advance(LoneBlock::input(3));
  for (const float l : {-1.0F, 0.5F}) {
    std::vector<Tensor> other = tensors;
    other.push_back({"blocks.0.recursion.lambda", {1}, {l}});
    for (float& w : tensor_of(other, "input.weight").values)
      w *= static_cast<float>(std::pow(sigmoid(l), -damped.hurst));
    Stream b(Model::create(lone_recursion(damped, kWidth), other, {}).value());
    EXPECT_GT(b.advance(LoneBlock::input(3)).blocks[0].depth, 0);
    EXPECT_LT(distance(state_of(a), state_of(b), false), 2e-5);
  }
}

TEST(Recursion, DepthFallsWithTheToleranceAndWarmStartsAgreeWithColdOnes) {
  std::int64_t before = 0;
  for (const double tolerance : {1e-1, 1e-2, 1e-3, 1e-4}) {
    RecursionConfig kind{.lipschitz = 0.9, .depth = 300, .tolerance = tolerance};
    Stream warm(recursion_of(kind, kWidth));
    kind.start = RecursionStart::cold;
    Stream cold(recursion_of(kind, kWidth));
    std::int64_t depth = 0, cold_depth = 0;
    for (int t = 0; t < 30; ++t) {
      std::vector<float> x = LoneBlock::input(0);
      x[0] += 0.01F * static_cast<float>(t);
      depth += warm.advance(x).blocks[0].depth;
      cold_depth += cold.advance(x).blocks[0].depth;
      EXPECT_LE(distance(state_of(warm), state_of(cold), false), 2 * tolerance);
    }
    EXPECT_GT(depth, before);
    EXPECT_LT(depth, cold_depth);
    before = depth;
  }
}

TEST(Recursion, ABudgetCutsItAfterAnyIteration) {
  const RecursionConfig kind{.lipschitz = 0.9, .depth = 50, .tolerance = 1e-6};  // below rounding: never certified
  const Model model = recursion_of(kind, kWidth);
  const auto& block = std::get<Recursion>(model.network().layers[0].block);
  double bound = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= 20; ++k) {
    const double macs = static_cast<double>(k * block.iteration_macs());
    Stream stream(model, {.recursion = Budget::macs(macs)});
    const BlockReport report = stream.advance(LoneBlock::input(1)).blocks[0];
    EXPECT_EQ(report.depth, k);
    EXPECT_EQ(report.macs, block.drive_macs() + k * block.iteration_macs());
    if (k > 0) {
      EXPECT_LE(report.bound, bound);
    }
    bound = report.bound;
    if (k == 0) {
      EXPECT_TRUE(std::isinf(bound));
    }
  }
  Stream late(model, {.recursion = Budget::micros(0)});
  EXPECT_EQ(late.advance(LoneBlock::input(1)).blocks[0].depth, 0);
}

TEST(Recursion, ALongerStepWithAConstantInverseKeepsTheCertificate) {
  RecursionConfig kind{.lipschitz = 0.9, .depth = 300, .tolerance = 1e-4, .chord = true};
  const ModelConfig config = lone_recursion(kind, kWidth);
  std::vector<Tensor> tensors = strong_tensors(config, 8);
  // any matrix is safe: a good one is faster, a bad one falls back to plain steps
  for (const float gain : {1.3F, -4.0F}) {
    Tensor& chord = tensor_of(tensors, "chord.weight");
    for (std::size_t i = 0; i < chord.values.size(); ++i) chord.values[i] = i % (kWidth + 1) == 0 ? gain : 0.0F;
    Stream stream(Model::create(config, tensors, {}).value());
    for (int t = 0; t < 8; ++t) {
      const BlockReport report = stream.advance(LoneBlock::input(t)).blocks[0];
      EXPECT_EQ(report.certified, 1);
      EXPECT_LE(report.bound, kind.tolerance);
    }
  }
}

TEST(Recursion, ACertifiedClassIsThatOfInfiniteDepth) {
  const RecursionConfig kind{.lipschitz = 0.9, .depth = 300, .halt = Halt::margin, .classes = 4};
  RecursionConfig full = kind;
  full.halt = Halt::uniform;
  full.depth = 1000;
  int cases = 0;
  double depth = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ModelConfig config = lone_recursion(kind, kWidth);
    const std::vector<Tensor> tensors = strong_tensors(config, seed);
    Stream early(Model::create(config, tensors, {}).value());
    Stream late(Model::create(lone_recursion(full, kWidth), tensors, {}).value());
    std::vector<Tensor> all = tensors;
    const Tensor &w = tensor_of(all, "class.weight"), &b = tensor_of(all, "class.bias");
    const auto class_of = [&](const Vector64& h) {
      const Values logits = affine({w.values.begin(), w.values.end()}, {b.values.begin(), b.values.end()}, h, 4);
      return std::max_element(logits.begin(), logits.end()) - logits.begin();
    };
    Random random(seed);
    for (int t = 0; t < 50; ++t) {
      const std::vector<float> x = random_input(random, kWidth);
      const BlockReport report = early.advance(x).blocks[0];
      late.advance(x);
      if (report.certified == 0) continue;
      ++cases;
      depth += static_cast<double>(report.depth);
      EXPECT_EQ(class_of(state_of(early)), class_of(state_of(late)));
    }
  }
  EXPECT_GT(cases, 900);
  EXPECT_LT(depth / cases, 40);
}

TEST(Recursion, RankingHaltsAboveItsQuantileAndDepthRisesWithIt) {
  std::int64_t before = 0;
  for (const double quantile : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const RecursionConfig kind{
        .lipschitz = 0.9, .depth = 16, .start = RecursionStart::cold, .halt = Halt::ranking, .quantile = quantile};
    Stream stream(recursion_of(kind, kWidth, 12));
    Random random(2);
    std::int64_t depth = 0;
    for (int t = 0; t < 200; ++t) depth += stream.advance(random_input(random, kWidth)).blocks[0].depth;
    EXPECT_GE(depth, before);
    if (quantile == 0) {
      EXPECT_EQ(depth, 200);
    }
    if (quantile == 1) {
      EXPECT_EQ(depth, 200 * 16);
    }
    before = depth;
  }
}

TEST(Recursion, ALearnedRuleHaltsByItsThreshold) {
  std::int64_t before = 0;
  for (const double threshold : {-100.0, 0.0, 100.0}) {
    const RecursionConfig kind{
        .lipschitz = 0.9, .depth = 9, .halt = Halt::learned, .classes = 3, .threshold = threshold};
    Stream stream(recursion_of(kind, kWidth));
    Random random(2);
    std::int64_t depth = 0;
    for (int t = 0; t < 50; ++t) depth += stream.advance(random_input(random, kWidth)).blocks[0].depth;
    EXPECT_GE(depth, before);
    before = depth;
  }
  EXPECT_EQ(before, 50 * 9);
}

// rows leave the tile at different depths, and every stream is still the one that it would be alone
TEST(Recursion, AFleetOfMixedDepthsEqualsItsStreams) {
  for (RecursionConfig kind : certified_forms()) {
    kind.depth = 30;
    const Model model = recursion_of(kind, width_of(kind), 7);
    constexpr int kStreams = 21;
    Fleet fleet(model, kStreams);
    std::vector<Stream> alone(kStreams, Stream(model));
    Random random(3);
    std::int64_t together = 0, summed = 0;
    for (int t = 0; t < 6; ++t) {
      std::vector<float> rows;
      for (int i = 0; i < kStreams; ++i) {
        const std::vector<float> x = random_input(random, width_of(kind), 0.1 * i);
        rows.insert(rows.end(), x.begin(), x.end());
        summed += alone[static_cast<std::size_t>(i)].advance(x).blocks[0].depth;
      }
      together += fleet.advance(rows).blocks[0].depth;
      for (int i = 0; i < kStreams; ++i) {
        EXPECT_TRUE(same_bits(fleet.output(i), alone[static_cast<std::size_t>(i)].output()));
      }
    }
    EXPECT_EQ(together, summed);
  }
}

TEST(Recursion, TheStateIsTheWarmStartSoSnapshotsForksAndRewindsAreExact) {
  for (const RecursionConfig& kind : certified_forms()) {
    const Model model = recursion_of(kind, width_of(kind), 5);
    Stream stream(model, {.history = 5});
    Random random(4);
    std::vector<std::vector<float>> rows;
    for (int t = 0; t < 12; ++t) rows.push_back(random_input(random, width_of(kind)));
    for (int t = 0; t < 6; ++t) stream.advance(rows[static_cast<std::size_t>(t)]);
    Stream fork = stream, restored(model, {.history = 5});
    ASSERT_TRUE(restored.restore(snapshot_of(stream)));
    for (int t = 6; t < 11; ++t) stream.advance(rows[static_cast<std::size_t>(t)]);
    ASSERT_TRUE(stream.rewind(5));
    for (int t = 6; t < 12; ++t) {
      const std::int64_t depth = stream.advance(rows[static_cast<std::size_t>(t)]).blocks[0].depth;
      EXPECT_EQ(fork.advance(rows[static_cast<std::size_t>(t)]).blocks[0].depth, depth);
      EXPECT_EQ(restored.advance(rows[static_cast<std::size_t>(t)]).blocks[0].depth, depth);
    }
    EXPECT_TRUE(same_state(stream, fork));
    EXPECT_TRUE(same_state(stream, restored));
  }
}

TEST(Recursion, WeightsThatContractLessThanDeclaredAreRefused) {
  const ModelConfig config = lone_recursion({.lipschitz = 0.9}, kWidth);
  std::vector<Tensor> tensors = strong_tensors(config, 3);
  EXPECT_TRUE(Model::create(config, tensors, {}));
  for (float& w : tensor_of(tensors, "down.weight").values) w *= 1.01F;
  const auto refused = Model::create(config, tensors, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("lipschitz: the file declares 0.9"), std::string::npos) << refused.error();
  tensor_of(tensors, "down.weight").values[2] = std::nanf("");
  EXPECT_NE(Model::create(config, tensors, {}).error().find("finite"), std::string::npos);
}

TEST(Recursion, WhatSetsItUpIsCheckedAndNamed) {
  const auto error = [](RecursionConfig kind, int width = kWidth) {
    return validate(lone_recursion(kind, width)).error();
  };
  const auto names = [&](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(names(error({.lipschitz = 1}), "lipschitz: expected above 0 and below 1"));
  EXPECT_TRUE(names(error({.lipschitz = std::nan("")}), "lipschitz"));
  EXPECT_TRUE(names(error({.depth = 0}), "depth: expected 1"));
  EXPECT_TRUE(names(error({.lipschitz_norm = LipschitzNorm::sup}), "lipschitz_norm: expected two"));
  EXPECT_TRUE(names(error({.form = RecursionForm::literal}), "no certificate"));
  EXPECT_TRUE(names(error({.halt = Halt::margin}), "classes"));
  EXPECT_TRUE(
      names(error({.shape = RecursionShape::grid, .lipschitz_norm = LipschitzNorm::sup, .rows = 1024, .cols = 1024}),
            "rows x cols"));
  EXPECT_TRUE(names(
      error({.shape = RecursionShape::grid, .lipschitz_norm = LipschitzNorm::sup, .rows = 2, .cols = 2}, 7), "width"));
  EXPECT_TRUE(names(error({.tolerance = 0}), "tolerance"));
  EXPECT_TRUE(names(
      error({.shape = RecursionShape::line, .lipschitz_norm = LipschitzNorm::sup, .cols = 3, .halt = Halt::ranking}),
      "halt"));
}

TEST(Recursion, KnowsItsWorstDepthAtLoad) {
  const RecursionConfig kind{.lipschitz = 0.8, .depth = 400, .tolerance = 1e-4};
  const Model model = recursion_of(kind, kWidth);
  const auto& block = std::get<Recursion>(model.network().layers[0].block);
  EXPECT_NEAR(block.lipschitz, 0.8, 1e-4);
  EXPECT_EQ(block.worst_depth(1), 42);  // ⌈log 1e-4/log .8⌉
  EXPECT_EQ(block.worst_depth(1e-5), 1);
}

}  // namespace
}  // namespace elastane
