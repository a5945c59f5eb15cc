// apps/elastane/demo/demo_plant.cpp: both plants, with a page.
#include <fstream>
#include <sstream>

#include "apps/elastane/verbs.h"
#include "tests/apps/elastane/verb_run.h"
#include "tests/io/folder.h"
#include "tests/paths.h"

namespace elastane::app {
namespace {

TEST(DemoPlant, CorrectsAPlantThatChanges) {
  for (const std::string plant : {"circuit", "reactor"}) {
    const Folder folder;
    const std::string page = folder / "page.html";
    const VerbRun run =
        run_verb(add_demo, {"demo", plant, "--model", std::string(ELASTANE_MODELS) + "/" + plant + ".safetensors",
                            "--steps", "4000", "--report", page});
    EXPECT_EQ(run.code, 0);
    EXPECT_TRUE(holds(run.out, "| changed, after 500 steps |")) << run.out;
    EXPECT_TRUE(holds(run.out, "Micro-steps: ")) << run.out;
    std::stringstream html;
    html << std::ifstream(page).rdbuf();
    EXPECT_TRUE(holds(html.str(), "</html>"));
  }
}

}  // namespace
}  // namespace elastane::app
