#include "lab/recall/reproduction.h"

#include <fmt/core.h>

#include <fstream>
#include <memory>
#include <stdexcept>

#include "lab/recall/anytime.h"
#include "lab/recall/lengths.h"
#include "lab/recall/roster.h"
#include "lab/recall/study_tables.h"

namespace elastane::recall {
namespace {

struct Options {
  StudyOptions study;
  std::string json, markdown;
};

std::string anytime_tables(const StudyOptions& options, nlohmann::ordered_json& rows) {
  std::string text;
  for (const std::string backbone : kBackbones) {
    text +=
        anytime_table(GlassModel::load(options.models + "/" + backbone + ".safetensors").value(), backbone, {}, rows);
  }
  return text;
}

std::string length_tables(const StudyOptions& options, nlohmann::ordered_json& rows) {
  std::string text;
  for (const std::string backbone : kBackbones) {
    const RouterWeights router = router_beside(options.models, backbone).value();
    text +=
        length_table(read_model(options.models + "/" + backbone + ".safetensors").value(), router, backbone, {}, rows);
  }
  return text;
}

int run(const Options& o) {
  const Study study = read_study(o.study.journal).value();
  if (const auto missing = missing_calls(study, o.study); !missing.empty()) {
    fmt::print(stderr, "elastic_attention: {} of the study's trainings are not in {}; --train runs them\n",
               missing.size(), o.study.journal);
    if (study.lines.empty() && !has_part(o.study, "anytime") && !has_part(o.study, "length")) {
      throw std::runtime_error("[journal] " + o.study.journal + ": expected tests of routers, found none; add --train");
    }
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::string text = "# Elastic attention\n";
  if (has_part(o.study, "router")) text += router_tables(study, o.study, rows) + heat_maps(study, o.study);
  if (has_part(o.study, "position")) text += position_table(study, o.study, rows);
  if (has_part(o.study, "temperature")) text += temperature_table(study, o.study, rows);
  if (has_part(o.study, "text")) text += text_table(study, rows);
  if (has_part(o.study, "hybrid")) text += hybrid_table(study, o.study, rows);
  if (has_part(o.study, "anytime")) text += anytime_tables(o.study, rows);
  if (has_part(o.study, "length")) text += length_tables(o.study, rows);
  fmt::print("{}", text);
  if (!o.json.empty()) std::ofstream(o.json) << rows.dump(1) << "\n";
  if (!o.markdown.empty()) std::ofstream(o.markdown) << text;
  return 0;
}

// declared once, and used by both functions of the entry
std::shared_ptr<Options> shared_options() {
  static const auto options = std::make_shared<Options>();
  return options;
}

void declare(command_line::Command& reproduce) {
  const std::shared_ptr<Options> options = shared_options();
  reproduce.option("--parts", options->study.parts, "of the study (default: all)")
      .one_of({std::begin(kParts), std::end(kParts)});
  reproduce.option("--models", options->study.models, "folder of the weights").type("DIR");
  reproduce.option("--seeds", options->study.seeds, "of each method").range(1, 100);
  reproduce.option("--journal", options->study.journal, "what tests of routers showed; --train adds what is missing")
      .type("FILE");
  reproduce.option("--threads", options->study.threads, "of trainings; 0: all cores").range(0, 1024);
  reproduce.option("--json", options->json, "write the rows to this file, as a JSON list").type("FILE");
  reproduce.option("--markdown", options->markdown, "write the tables to this file").type("FILE");
  reproduce.footer(
      "Examples:\n"
      "  elastane reproduce elastic_attention --train --json elastic_attention.json\n"
      "  elastane reproduce elastic_attention --train --parts router --seeds 2\n\n"
      "--train trains what the journal lacks, one router after the other; after an interruption, run the same command\n"
      "again. Without it the tables are made of what the journal has.");
  reproduce.action([options] { return run(*options); });
}

}  // namespace

lab::Reproduction elastic_attention_reproduction() {
  return {.name = "elastic_attention",
          .what = "Heads that look at the whole past where the task needs it",
          .cost = "50 minutes with --train",
          .declare = declare,
          .training = [] {
            const StudyOptions& options = shared_options()->study;
            return missing_calls(read_study(options.journal).value(), options);
          }};
}

}  // namespace elastane::recall
