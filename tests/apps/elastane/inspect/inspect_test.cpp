// apps/elastane/inspect/inspect.cpp: models, their tensors and configuration, and files that are neither.
#include <fstream>

#include "apps/elastane/verbs.h"
#include "elastane/core/stream/stream.h"
#include "elastane/io/file.h"
#include "tests/apps/elastane/verb_run.h"
#include "tests/io/folder.h"
#include "tests/paths.h"

namespace elastane::app {
namespace {

VerbRun inspect(std::vector<std::string> words) {
  words.insert(words.begin(), "inspect");
  return run_verb(add_inspect, words);
}

const std::string kModel = std::string(ELASTANE_MODELS) + "/lorenz.safetensors";

TEST(Inspect, ShowsAModel) {
  const std::string out = inspect({kModel}).out;
  EXPECT_TRUE(holds(out, "a model, complete")) << out;
  EXPECT_TRUE(holds(out, "channels  3 in, 3 out")) << out;
  EXPECT_TRUE(holds(out, "bytes per stream")) << out;
  EXPECT_TRUE(holds(inspect({kModel, "--tensors"}).out, "blocks.1.mamba.A_log"));
  EXPECT_TRUE(holds(inspect({kModel, "--config"}).out, "\"block\":\"mamba\""));
}

TEST(Inspect, ShowsASnapshot) {
  const Folder folder;
  const Model model = Model::load(kModel).value();
  Stream stream(model);
  const std::vector<float> x = {0, 0, 0};
  for (int t = 0; t < 5; ++t) stream.advance(x);
  std::vector<std::byte> bytes(stream.snapshot_bytes());
  stream.snapshot(bytes).value();
  write_file(folder / "s", bytes).value();
  const std::string out = inspect({folder / "s"}).out;
  EXPECT_TRUE(holds(out, "a snapshot")) << out;
  EXPECT_TRUE(holds(out, "position  5 steps")) << out;
}

TEST(Inspect, RefusesOtherFiles) {
  const Folder folder;
  std::ofstream(folder / "text") << "neither";
  EXPECT_ANY_THROW(inspect({folder / "text"}));
  EXPECT_ANY_THROW(inspect({folder / "nothing"}));
  EXPECT_EQ(inspect({}).code, 2);
  EXPECT_EQ(inspect({kModel, "--nonsense"}).code, 2);
}

}  // namespace
}  // namespace elastane::app
