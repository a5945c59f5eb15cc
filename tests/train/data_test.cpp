// elastane/train/data.cpp: what batches are drawn, and that they can be drawn again.
#include "elastane/train/data.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::train {
namespace {

// value t of series s is 1000·s + t, in the input and in the target
Dataset counted(std::initializer_list<std::int64_t> lengths) {
  Dataset data;
  for (const std::int64_t length : lengths) {
    const at::Tensor rows = 1000.0 * static_cast<double>(data.size()) + at::arange(length).to(at::kFloat).unsqueeze(1);
    data.push_back({rows, rows.clone(), {}});
  }
  return data;
}

bool same(const at::Tensor& a, const at::Tensor& b) {
  return a.defined() == b.defined() && (!a.defined() || at::equal(a.nan_to_num(-1), b.nan_to_num(-1)));
}
bool same(const Batch& a, const Batch& b) {
  return same(a.inputs.x, b.inputs.x) && same(a.inputs.dt, b.inputs.dt) && same(a.target, b.target) &&
         at::equal(a.fresh, b.fresh);
}

TEST(Sampler, PiecesAreRunsOfOneSeries) {
  const Dataset data = counted({50, 300, 120});
  Sampler sampler(data, {.seed = 4, .batch = 16, .length = 20});
  std::vector<int> drawn(3);
  for (int k = 0; k < 50; ++k) {
    const Batch batch = sampler.next();
    EXPECT_TRUE(batch.fresh.all().item<bool>());
    EXPECT_TRUE(((batch.inputs.x.diff(1, 1) - 1).abs() < 1e-6).all().item<bool>());
    for (int i = 0; i < 16; ++i) ++drawn[static_cast<std::size_t>(batch.inputs.x[i][0].item<float>() / 1000)];
  }
  // as often as there are places to begin: 31, 281 and 101 of 413
  EXPECT_NEAR(drawn[0] / 800.0, 31 / 413.0, 0.04);
  EXPECT_NEAR(drawn[1] / 800.0, 281 / 413.0, 0.06);
}

TEST(Sampler, CarriedStreamsContinueWhereTheyWere) {
  const Dataset data = counted({500});
  Sampler sampler(data, {.seed = 1, .batch = 8, .length = 10, .carry = 3});
  Batch before = sampler.next();
  int beginnings = 0;
  for (int k = 0; k < 40; ++k) {
    const Batch batch = sampler.next();
    for (int i = 0; i < 8; ++i) {
      if (batch.fresh[i].item<bool>()) {
        ++beginnings;
      } else {
        EXPECT_EQ(batch.inputs.x[i][0].item<float>(), before.inputs.x[i][9].item<float>() + 1);
      }
    }
    before = batch;
  }
  EXPECT_GE(beginnings, 8 * 40 / 4);
  EXPECT_LE(beginnings, 8 * 40 / 3);
}

TEST(Sampler, SeekingEqualsDrawing) {
  const Dataset data = counted({200, 90});
  const SamplerOptions options = {.seed = 9, .batch = 5, .length = 16, .carry = 4};
  Sampler drawn(data, options);
  for (int k = 0; k < 13; ++k) {
    Sampler sought(data, options);
    sought.seek(k);
    EXPECT_TRUE(same(drawn.next(), sought.next())) << "step " << k;
  }
}

TEST(Sampler, SharesOfABatchMakeTheBatch) {
  const Dataset data = counted({200});
  const SamplerOptions options = {.seed = 2, .batch = 7, .length = 8, .carry = 1};
  Sampler whole(data, options), one(data, options), two(data, options);
  for (int k = 0; k < 6; ++k) {
    const Batch all = whole.next(), a = one.next(0, 3), b = two.next(3, 4);
    EXPECT_TRUE(same(all, {{.x = at::cat({a.inputs.x, b.inputs.x}, 0)},
                           at::cat({a.target, b.target}, 0),
                           at::cat({a.fresh, b.fresh}, 0)}));
  }
}

TEST(Sampler, WhatIsBehindTheEndIsMissing) {
  const Dataset data = counted({6});
  const Batch batch = Sampler(data, {.batch = 1, .length = 10}).next();
  EXPECT_EQ(at::isfinite(batch.target).sum().item<std::int64_t>(), 6);
  EXPECT_TRUE(std::isnan(batch.inputs.x[0][6].item<float>()));
}

TEST(Sampler, ClassesPutSeriesOfLikeLengthSideBySide) {
  const Dataset data = counted({9, 40, 3, 38, 5, 58, 7, 50});
  Sampler sampler(data, {.seed = 2, .batch = 16, .length = 60, .classes = 2});
  std::vector<int> drawn(data.size());
  for (int k = 0; k < 100; ++k) {
    const Batch batch = sampler.next();
    std::int64_t longest = 0, shortest = 1000;
    for (int i = 0; i < 16; ++i) {
      const auto series = static_cast<std::size_t>(batch.inputs.x[i][0].item<float>() / 1000);
      ++drawn[series];
      longest = std::max(longest, data[series].length());
      shortest = std::min(shortest, data[series].length());
    }
    EXPECT_EQ(batch.inputs.x.size(1), std::min<std::int64_t>(60, longest));
    EXPECT_EQ(batch.target.size(1), batch.inputs.x.size(1));
    EXPECT_TRUE(longest < 10 || shortest > 30) << shortest << " to " << longest;
  }
  for (const int count : drawn) EXPECT_GT(count, 0);
}

TEST(Sampler, AWarmUpIsNotJudged) {
  const Dataset data = counted({500});
  Sampler sampler(data, {.batch = 1, .length = 10, .carry = 5, .warm_up = 14});
  EXPECT_EQ(at::isfinite(sampler.next().target).sum().item<std::int64_t>(), 0);
  EXPECT_EQ(at::isfinite(sampler.next().target).sum().item<std::int64_t>(), 6);
  EXPECT_EQ(at::isfinite(sampler.next().target).sum().item<std::int64_t>(), 10);
  // and the data are not touched
  EXPECT_TRUE(at::isfinite(data[0].target).all().item<bool>());
}

TEST(Sampler, TimeStepsComeWithTheirRows) {
  Dataset data = counted({60, 40});
  for (Series& series : data) series.dt = 1 + series.x.squeeze(1) / 100;
  Sampler sampler(data, {.batch = 4, .length = 50});
  const Batch batch = sampler.next();
  const at::Tensor rows = batch.inputs.x.squeeze(-1), here = at::isfinite(rows);
  EXPECT_TRUE(at::equal(batch.inputs.dt.masked_select(here), (1 + rows / 100).masked_select(here)));
  EXPECT_TRUE((batch.inputs.dt > 0).all().item<bool>());
}

TEST(Data, TimeStepsMustMakeSense) {
  const ModelConfig config{.inputs = 1, .outputs = 1};
  Dataset data = counted({5, 6});
  data[0].dt = at::ones({5});
  EXPECT_FALSE(check(data, config, "a")) << "for some only";
  data[1].dt = at::ones({6});
  EXPECT_TRUE(check(data, config, "a"));
  for (const double bad : {0.0, -1.0, static_cast<double>(NAN)}) {
    data[1].dt[3] = bad;
    EXPECT_FALSE(check(data, config, "a")) << bad;
  }
}

TEST(Data, WhatCannotBeLearnedFromIsRefused) {
  const ModelConfig config{.inputs = 1, .outputs = 1};
  EXPECT_TRUE(check(counted({5}), config, "a"));
  EXPECT_FALSE(check({}, config, "a"));
  EXPECT_FALSE(check(counted({5}), ModelConfig{.inputs = 2, .outputs = 1}, "a"));
  Dataset missing = counted({5});
  missing[0].target.fill_(NAN);
  const Status status = check(missing, config, "the table");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().find("the table: expected at least one row with a target"), std::string::npos);
}

}  // namespace
}  // namespace elastane::train
