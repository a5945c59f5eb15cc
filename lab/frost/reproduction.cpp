#include "lab/frost/reproduction.h"

#include <fmt/core.h>

#include <fstream>
#include <memory>

#include "command_line/commit.h"
#include "lab/frost/study.h"

namespace elastane::frost {
namespace {

struct Options {
  StudyOptions study;
  std::string json, markdown;
};

// what was asked for, with everything that decides the figures
std::string command_of(const StudyOptions& o) {
  std::string parts;
  for (const std::string& part : o.parts) parts += (parts.empty() ? " --parts " : " ") + part;
  return fmt::format("elastane reproduce frost --train{} --seeds {} --rival-seeds {} --first-seed {} --cases {}", parts,
                     o.seeds, o.rival_seeds, o.first_seed, o.cases);
}

int run(const Options& o) {
  const std::vector<benchmark::DepthRow> journal = benchmark::read_depth_rows(o.study.journal).value();
  if (const auto missing = missing_calls(journal, o.study); !missing.empty()) {
    fmt::print(stderr, "frost: {} of the study's trainings are not in {}; --train runs them\n", missing.size(),
               o.study.journal);
  }
  const std::vector<benchmark::DepthRow> rows = study_rows(journal, o.study);
  const std::string text = tables(rows, o.study) + fmt::format("\n`{}`, tables made at commit {}.\n",
                                                               command_of(o.study), command_line::commit());
  fmt::print("{}", text);
  if (!o.json.empty()) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const benchmark::DepthRow& row : rows) json.push_back(to_json(row));
    std::ofstream(o.json) << json.dump(1) << "\n";
  }
  if (!o.markdown.empty()) std::ofstream(o.markdown) << text;
  return 0;
}

// declared once, and used by both functions of the entry
std::shared_ptr<Options> shared_options() {
  static const auto options = std::make_shared<Options>();
  return options;
}

void declare(command_line::Command& reproduce) {
  const std::shared_ptr<Options> o = shared_options();
  reproduce.option("--parts", o->study.parts, "of the study (default: all)")
      .one_of({std::begin(kParts), std::end(kParts)});
  reproduce.option("--seeds", o->study.seeds, "of the recursion and of its free control").range(1, 100);
  reproduce.option("--rival-seeds", o->study.rival_seeds, "of the other rivals").range(1, 100);
  reproduce.option("--first-seed", o->study.first_seed, "of trainings").range(1, 200);
  reproduce.option("--cases", o->study.cases, "of every form, for certificates").range(1, 1e9);
  reproduce.option("--journal", o->study.journal, "what tests of trained networks showed; --train adds what is missing")
      .type("FILE");
  reproduce.option("--images", o->study.images, "the folder that experiments/frost/fetch_images.mjs made")
      .type("FOLDER");
  reproduce.option("--json", o->json, "write the rows to this file, as a JSON list").type("FILE");
  reproduce.option("--markdown", o->markdown, "write the tables to this file").type("FILE");
  reproduce.footer(
      "Examples:\n"
      "  elastane reproduce frost --train --seeds 5 --json frost.json\n"
      "  elastane reproduce frost --parts certificates --cases 10000000\n"
      "  elastane reproduce frost --train --parts parity --seeds 2\n"
      "  elastane reproduce frost --train --parts images --images build/images\n\n"
      "--train trains what the journal lacks, one network after the other; after an interruption, run the same "
      "command\n"
      "again. Without it the tables are made of what the journal has.");
  reproduce.action([o] { return run(*o); });
}

}  // namespace

lab::Reproduction frost_reproduction() {
  return {.name = "frost",
          .what = "Recursion in depth with a certificate: grids, prefixes, images, streams",
          .cost = "20 minutes with --train",
          .declare = declare,
          .training = [] {
            const StudyOptions& options = shared_options()->study;
            return missing_calls(benchmark::read_depth_rows(options.journal).value(), options);
          }};
}

}  // namespace elastane::frost
