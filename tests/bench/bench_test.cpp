// bench/bench.cpp: how figures are shown, and that every benchmark declares its options.
#include "bench/bench.h"

#include <gtest/gtest.h>

namespace elastane::bench {
namespace {

TEST(Figures, AreEmptyWhereNothingWasMeasured) {
  EXPECT_EQ(shown(Json()), "");
  EXPECT_EQ(shown(Json(1.26)), "1.3");
  EXPECT_EQ(shown(Json(1.26), 2), "1.26");
  EXPECT_EQ(ratio(Json(3.0), Json(2.0)), "1.5");
  EXPECT_EQ(ratio(Json(), Json(2.0)), "");
  EXPECT_EQ(ratio(Json(2.0), Json()), "");
}

TEST(Bench, RefusesWhatItDoesNotUse) {
  command_line::Command program("elastane", "");
  add_bench(program);
  const auto code = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "bench");
    return command_line::parse(program, words).code;
  };
  EXPECT_EQ(code({"step", "--steps", "100"}), 0);
  EXPECT_EQ(code({"step", "--latents", "64"}), 2);
  EXPECT_EQ(code({"correct", "--latents", "64,256", "--only", "sketch,exact"}), 0);
  EXPECT_EQ(code({"correct", "--only", "nothing"}), 2);
  EXPECT_EQ(code({"budget", "--steps", "10"}), 2);
  EXPECT_EQ(code({"attention", "--longest", "4096", "--alone"}), 0);
  EXPECT_EQ(code({"attention", "--only", "decode"}), 0);
  EXPECT_EQ(code({"attention", "--only", "nothing"}), 2);
  EXPECT_EQ(code({"attention", "--longest", "7"}), 2);
  EXPECT_EQ(code({"jump"}), 2);
}

}  // namespace
}  // namespace elastane::bench
