// apps/elastane/import/import.cpp: options and refusals; tests/io/import_test.cpp has what goes where.
#include "apps/elastane/verbs.h"
#include "tests/apps/elastane/verb_run.h"
#include "tests/io/folder.h"
#include "tests/paths.h"

namespace elastane::app {
namespace {

VerbRun import(std::vector<std::string> words) {
  words.insert(words.begin(), "import");
  return run_verb(add_import, words);
}

TEST(Import, RefusesWrongUsageWithOneLine) {
  EXPECT_TRUE(holds(import({"w"}).refusal, "MODEL is required"));
  EXPECT_TRUE(holds(import({"w", "m", "--kind", "rnn"}).refusal,
                    "--kind: expected one of auto, mamba, gru, lstm, s4d, transformer, delta, found rnn"));
  EXPECT_TRUE(holds(import({"w", "m", "--inputs", "0"}).refusal, "--inputs: expected 1 to 65536, found 0"));
  EXPECT_EQ(import({"w", "m", "more"}).code, 2);
}

TEST(Import, RefusesAModelOfOursAndTheSameFileTwice) {
  const Folder folder;
  const std::string model = std::string(ELASTANE_MODELS) + "/lorenz.safetensors";
  EXPECT_ANY_THROW(import({model, folder / "m"}));
  EXPECT_ANY_THROW(import({model, model}));
  EXPECT_ANY_THROW(import({folder / "nothing", folder / "m"}));
}

}  // namespace
}  // namespace elastane::app
