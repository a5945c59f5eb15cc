// lab/peptide/endless_run.h
#include "lab/peptide/endless_run.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/paths.h"

namespace elastane::peptide {
namespace {

TEST(EndlessRun, HasARowForEveryWindow) {
  std::string text;
  run_endlessly({.models = ELASTANE_MODELS, .agent = "exact", .windows = {{5, 20}, {30, 50}}},
                [&](const std::string& line) { text += line; });
  EXPECT_NE(text.find("| 5 to 20 |"), std::string::npos) << text;
  EXPECT_NE(text.find("| 30 to 50 |"), std::string::npos) << text;
}

TEST(EndlessRun, AnUnknownAgentIsNamed) {
  EXPECT_THROW(run_endlessly({.models = ELASTANE_MODELS, .agent = "oracle"}, [](const std::string&) {}),
               std::runtime_error);
}

}  // namespace
}  // namespace elastane::peptide
