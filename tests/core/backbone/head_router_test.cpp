// Tests of elastane/core/backbone/head_router.h, .cpp and _setup.cpp: the network that decides for a head.
#include "elastane/core/backbone/head_router.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/stream/fleet.h"
#include "tests/core/elastic.h"

namespace elastane {
namespace {

double softsign(double x) { return x / (1 + std::fabs(x)); }

TEST(HeadRouter, IsItsTwoNetworksOneAfterTheOther) {
  Random random(4);
  const HeadRouter router{.task = random_network(random, 6, 5, 0, 3), .route = random_network(random, 3, 4, 2, 2)};
  std::vector<double> f(6), scratch(static_cast<std::size_t>(router.scratch_doubles()));
  for (double& x : f) x = random.normal();
  const auto layer = [](const std::vector<double>& w, const std::vector<double>& b, const std::vector<double>& x,
                        bool curved) {
    std::vector<double> y = b;
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += w[i * x.size() + j] * x[j];
      if (curved) y[i] = softsign(y[i]);
    }
    return y;
  };
  const auto code = layer(router.task.score_weight, router.task.score_bias,
                          layer(router.task.hidden_weight, router.task.hidden_bias, f, true), false);
  const auto hidden = layer(router.route.hidden_weight, router.route.hidden_bias, code, true);
  const auto middle = layer(router.route.middle_weight, router.route.middle_bias, hidden, true);
  const auto logit = layer(router.route.score_weight, router.route.score_bias, middle, false);
  double found[2];
  head_logits(router, f.data(), scratch.data(), found);
  for (std::size_t head = 0; head < 2; ++head) EXPECT_NEAR(found[head], logit[head], 1e-12);
}

TEST(HeadRouter, CostsTheSameHoweverLongTheStream) {  // E9
  const Model model = model_of(elastic_config());
  const RouterWeights router = random_router(model);
  Stream with(model, {.router = router}), without(model_of(elastic_config()));
  std::int64_t least = -1;
  for (int t = 0; t < 300; ++t) {
    const AdvanceReport report = with.advance(Input{3}(t));
    std::int64_t read = 0;
    for (const std::size_t block : {0, 2}) {
      const auto& attention = std::get<Attention>(model.network().layers[block].block);
      read += report.blocks[block].macs - attention.projection_macs() -
              report.blocks[block].blocks_read * attention.block_macs();
    }
    if (t == 0 || t % 16 != 0) {
      EXPECT_EQ(read, 0) << t;
    } else {
      EXPECT_EQ(least < 0 ? read : least, read) << t;
      least = read;
    }
  }
  EXPECT_EQ(least, router.layers[0].macs() + router.layers[1].macs());
}

TEST(HeadRouter, IsRefusedWithAReasonWhereItDoesNotFit) {
  const Model model = model_of(elastic_config());
  const auto reason = [&](auto change) {
    RouterWeights router = random_router(model);
    change(router);
    const auto stream = Stream::create(model, {.router = router});
    return stream ? std::string() : stream.error();
  };
  EXPECT_EQ(reason([](RouterWeights&) {}), "");
  EXPECT_NE(reason([](RouterWeights& r) { r.model ^= 1; }).find("[router] was trained for another model"),
            std::string::npos);
  EXPECT_NE(reason([](RouterWeights& r) { r.layers.pop_back(); }).find("one layer for each of 2 attention blocks"),
            std::string::npos);
  EXPECT_NE(
      reason([](RouterWeights& r) {
        Random random(1);
        r.layers[1].task = random_network(random, 9, 8, 0, 4);
      })
          .find("layer 1: expected 18 features, three pools of 3 key heads of size 2, or 4 more with the code of the "
                "router before, found 9"),
      std::string::npos);
  EXPECT_NE(reason([](RouterWeights& r) {
              Random random(1);
              r.layers[0].route = random_network(random, 4, 8, 5, 2);
            }).find("layer 0: expected a score for each of 3 key heads, found 2"),
            std::string::npos);
  EXPECT_NE(reason([](RouterWeights& r) { r.layers[0].route.score_weight[0] = std::nan(""); }).find("finite"),
            std::string::npos);
  EXPECT_NE(reason([](RouterWeights& r) { r.layers[0].route.middle_weight.pop_back(); }).find("middle.weight"),
            std::string::npos);
  EXPECT_EQ(reason([](RouterWeights& r) { r.layers[1] = {}; }), "") << "a block may keep its modes";
  EXPECT_NE(reason([](RouterWeights& r) { r.layers[0] = {}; }).find("found 22"), std::string::npos)
      << "there is no code before";
  EXPECT_NE(reason([](RouterWeights& r) {
              Random random(1);
              r.layers[0].task = random_network(random, 18, 8, 0, 20),
              r.layers[0].route = random_network(random, 20, 8, 5, 3);
              r.layers[1].task = random_network(random, 38, 8, 0, 4);
            }).find("16 more with the code"),
            std::string::npos)
      << "a state has room for 16 numbers";
  EXPECT_EQ(reason([](RouterWeights& r) {
              Random random(1);
              r.layers[1].task = random_network(random, 18, 8, 0, 4);
            }),
            "")
      << "a router may do without the code";
  EXPECT_THROW(Fleet(model, 2, {.router = {.model = 1, .layers = {{}, {}}}}), std::exception);
}

}  // namespace
}  // namespace elastane
