#include "lab/recall/memory_reproduction.h"

#include <fmt/core.h>

#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "command_line/commit.h"
#include "lab/recall/memory_study.h"
#include "lab/recall/memory_tables.h"

namespace elastane::recall {
namespace {

struct RecallOptions {
  MemoryStudyOptions study;
  std::string json, markdown, page;
};

std::vector<RecallRow> rows_of(const std::string& part, const MemoryStudyOptions& o,
                               const std::vector<RecallRow>& journal) {
  if (part == "copy_exact") return copy_exact_rows(o);
  if (part == "rules") return rule_rows(o);
  if (part == "gates") return gate_rows(o);
  if (part == "needles") return needle_rows(o);
  if (part == "devices") return device_rows(o);
  if (part == "regimes") return regime_rows(o);
  if (part == "cost") return cost_rows(o);
  if (part == "sizes") return size_rows(o);
  return trained_rows(part, journal);
}

int run_recall(const RecallOptions& o) {
  const std::vector<RecallRow> journal = read_rows(o.study.journal).value();
  if (const auto missing = missing_trainings(journal, o.study); !missing.empty()) {
    fmt::print(stderr, "recall: {} of the study's trainings are not in {}; --train runs them\n", missing.size(),
               o.study.journal);
  }
  std::vector<RecallRow> all;
  std::string text = fmt::format(
      "# Recall\n\n`elastane reproduce recall --train` at commit {}. Models that learn their keys or a text have seeds "
      "from 1 on, the others {} seeds from 1001 on.\n",
      command_line::commit(), o.study.seeds);
  fmt::print("{}", text);
  for (const char* part : kMemoryParts) {
    if (!o.study.has(part)) continue;
    const std::vector<RecallRow> rows = rows_of(part, o.study, journal);
    const std::string table = table_of(part, rows);
    fmt::print("{}", table);
    std::fflush(stdout);
    text += table;
    all.insert(all.end(), rows.begin(), rows.end());
  }
  if (!o.json.empty()) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const RecallRow& row : all) list.push_back(to_json(row));
    std::ofstream(o.json) << list.dump(1) << "\n";
  }
  if (!o.markdown.empty()) std::ofstream(o.markdown) << text;
  if (!o.page.empty()) std::ofstream(o.page) << recall_page(all);
  return 0;
}

// declared once, and used by both functions of the entry
std::shared_ptr<RecallOptions> recall_options() {
  static const auto options = std::make_shared<RecallOptions>();
  return options;
}

void declare_recall(command_line::Command& reproduce) {
  const std::shared_ptr<RecallOptions> o = recall_options();
  reproduce.option("--parts", o->study.parts, "of the study (default: all)")
      .one_of({std::begin(kMemoryParts), std::end(kMemoryParts)});
  reproduce.option("--seeds", o->study.seeds, "of each model").range(1, 1000);
  reproduce.option("--needle-steps", o->study.needle_steps, "after which needles are asked for").range(100, 1e9);
  reproduce.option("--tokens", o->study.tokens, "the longest context of the cost part").range(1024, 1 << 21);
  reproduce.option("--journal", o->study.journal, "what trainings showed; --train adds what is missing").type("FILE");
  reproduce.option("--json", o->json, "write the rows to this file, as a JSON list").type("FILE");
  reproduce.option("--markdown", o->markdown, "write the tables to this file").type("FILE");
  reproduce.option("--page", o->page, "write charts, and a memory at work, to this HTML file").type("FILE");
  reproduce.footer(
      "Examples:\n"
      "  elastane reproduce recall --parts needles gates --json recall.json\n"
      "  elastane reproduce recall --train --page recall.html\n\n"
      "--train trains what the journal lacks, one model after the other; after an interruption, run the same command\n"
      "again. Without it the tables are made of what the journal has.");
  reproduce.action([o] { return run_recall(*o); });
}

}  // namespace

lab::Reproduction recall_reproduction() {
  return {.name = "recall",
          .what = "Memories that write only what is worth it, and the price of a bounded state",
          .cost = "4 minutes, 35 with --train",
          .declare = declare_recall,
          .training = [] {
            const MemoryStudyOptions& options = recall_options()->study;
            return missing_trainings(read_rows(options.journal).value(), options);
          }};
}

}  // namespace elastane::recall
