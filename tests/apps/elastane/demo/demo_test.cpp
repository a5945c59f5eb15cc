// apps/elastane/demo/demo.cpp: which options each world takes.
#include "apps/elastane/demo/demo.h"

#include "apps/elastane/verbs.h"
#include "tests/apps/elastane/verb_run.h"

namespace elastane::app {
namespace {

std::string refusal(std::vector<std::string> words) {
  words.insert(words.begin(), "demo");
  return run_verb(add_demo, words).refusal;
}

TEST(Demo, RefusesWorldsAndOptionsItDoesNotKnow) {
  EXPECT_TRUE(holds(refusal({"mars"}), "expected one of circuit, reactor, lorenz, found mars"));
  EXPECT_TRUE(holds(refusal({"--steps", "10"}), "--steps: expected 4000 to 10000000"));
  EXPECT_TRUE(holds(refusal({"lorenz", "--report", "a.html"}), "--report: not used with WORLD lorenz"));
  EXPECT_TRUE(holds(refusal({"--latents"}), "--latents"));
}

TEST(Demo, ExplainsItself) {
  EXPECT_TRUE(holds(run_verb(add_demo, {"demo", "--help"}).out, "elastane demo reactor --seed 3"));
}

}  // namespace
}  // namespace elastane::app
