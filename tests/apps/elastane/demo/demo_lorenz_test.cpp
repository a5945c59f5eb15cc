// apps/elastane/demo/demo_lorenz.cpp: the demo as a user runs it.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/elastane/verbs.h"
#include "tests/apps/elastane/verb_run.h"
#include "tests/io/folder.h"
#include "tests/paths.h"

namespace elastane::app {
namespace {

TEST(DemoLorenz, PrintsItsTableAndDrawsItsFigure) {
  const Folder folder;
  const std::string model = std::string(ELASTANE_MODELS) + "/lorenz.safetensors", figure = folder / "figure.svg";
  const VerbRun run = run_verb(add_demo, {"demo", "lorenz", "--model", model, "--steps", "4000", "--figure", figure,
                                          "--trace", folder / "t.jsonl"});
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(holds(run.out, "every bit of the last output is the same"));
  EXPECT_TRUE(holds(run.out, "| while the sensor is out |"));
  std::stringstream svg;
  svg << std::ifstream(figure).rdbuf();
  EXPECT_TRUE(svg.str().starts_with("<svg") && svg.str().ends_with("</svg>\n"));
  EXPECT_GT(std::filesystem::file_size(folder / "t.jsonl"), 1000U);
}

TEST(DemoLorenz, RefusesAModelOfSomethingElse) {
  const std::string model = std::string(ELASTANE_MODELS) + "/circuit.safetensors";
  EXPECT_THROW(run_verb(add_demo, {"demo", "lorenz", "--model", model}), std::runtime_error);
}

}  // namespace
}  // namespace elastane::app
