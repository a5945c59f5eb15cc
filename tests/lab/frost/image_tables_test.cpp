// Tests of lab/frost/image_tables.cpp: every part has its table, and shares are those of the same seed.
#include "lab/frost/image_tables.h"

#include <gtest/gtest.h>

namespace elastane::frost {
namespace {

benchmark::DepthRow row(const std::string& part, const std::string& method, int size, std::uint64_t seed,
                        double accuracy, double depth) {
  benchmark::DepthRow r{.part = part, .task = "cifar10", .method = method, .size = size, .seed = seed};
  r.accuracy = accuracy, r.mean_depth = depth;
  return r;
}

TEST(ImageTables, CompareRulesSeedBySeed) {
  const std::vector<benchmark::DepthRow> rows = {
      row("images", "recursion", 16, 1, 0.5, 16),          row("images", "recursion", 16, 2, 0.4, 16),
      row("images", "recursion/learned", 98, 1, 0.49, 2),  row("images", "recursion/learned", 98, 2, 0.396, 4),
      row("images", "recursion/ranking", 98, 1, 0.49, 4),  row("images", "recursion/ranking", 98, 2, 0.396, 8),
      row("images", "recursion/proven", 100, 1, 0.5, 3.5), row("images", "recursion_ranking/quantile", 500, 1, 0.4, 8)};
  const std::string text = image_table("images", rows);
  EXPECT_NE(text.find("| recursion | 2 | 0.4500"), std::string::npos) << text;
  EXPECT_NE(text.find("| recursion | learned | – | – | 3.00 ± 12.71 | 0.985 |"), std::string::npos) << text;
  EXPECT_NE(text.find("| recursion/learned | recursion/ranking | 98 % | 0.50 ± 0.00 |"), std::string::npos) << text;
  EXPECT_NE(text.find("| recursion | 3.50 |"), std::string::npos) << text;
}

TEST(ImageTables, ShowThePaperBesideOurs) {
  benchmark::DepthRow full = row("cosines", "literal", 16, 1, 0.6, 16);
  full.curve.assign(20, 0.25);
  full.accuracy_at_3t = 0.3;
  const std::string text = image_table("cosines", {full});
  EXPECT_NE(text.find("| paper, FROST | .30"), std::string::npos);
  EXPECT_NE(text.find("| literal | 0.2500 0.2500"), std::string::npos) << text;
  benchmark::DepthRow lambda = row("lambda", "literal/lambda", 0, 1, -1, -1);
  lambda.curve = {0.5, 0.4, 0.3, 0.2, 0.1};
  EXPECT_NE(image_table("lambda", {row("lambda", "literal", 16, 1, 0.6, 16), lambda}).find("0.500 0.400 0.300"),
            std::string::npos);
  EXPECT_NE(image_table("losses", {row("losses", "literal_relative", 16, 1, 0.6, 16)}).find("| literal_relative |"),
            std::string::npos);
}

TEST(ImageTables, AreEmptyWithoutRows) {
  for (const ImagePart& part : image_parts()) EXPECT_EQ(image_table(part.part, {}), "");
}

}  // namespace
}  // namespace elastane::frost
