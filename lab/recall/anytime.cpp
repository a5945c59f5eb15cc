#include "lab/recall/anytime.h"

#include <fmt/format.h>

#include "command_line/aligned_table.h"
#include "lab/recall/observation.h"

namespace elastane::recall {
namespace {

constexpr std::uint64_t kFirstSeed = 1ULL << 43U;  // of no training and no other test

struct Prompt {
  Episode episode;
  std::vector<float> x;
};

std::vector<Prompt> prompts_of(Task task, const AnytimeOptions& options) {
  std::vector<Prompt> prompts;
  for (int i = 0; i < options.prompts * kPositions; ++i) {
    Prompt p{draw_episode(kFirstSeed + static_cast<std::uint64_t>(i),
                          {.task = task, .position = static_cast<Position>(i % kPositions), .length = options.length}),
             {}};
    p.x.resize(static_cast<std::size_t>(options.length) * kInputs);
    for (int t = 0; t < options.length; ++t) {
      observe(p.episode.steps[t], std::span(p.x).subspan(static_cast<std::size_t>(t) * kInputs, kInputs));
    }
    prompts.push_back(std::move(p));
  }
  return prompts;
}

struct Score {
  double accuracy = 0, read = 0;  // read: blocks over those of full heads
};

Score score(const GlassModel& model, const std::vector<Prompt>& prompts, const Look& look) {
  double hits = 0, labels = 0, read = 0, all = 0;
  for (const Prompt& p : prompts) {
    const Seen seen = model.look(p.x, look);
    for (int t = p.episode.first_query(); t < p.episode.length(); ++t, ++labels) {
      hits += answer_at(seen, kValues, t) == p.episode.steps[t].label ? 1 : 0;
    }
    const int block = look.layout.block;
    read += static_cast<double>(seen.blocks_read);
    for (int t = 0; t < p.episode.length(); ++t) all += model.attentions() * model.heads() * (t / block + 1);
  }
  return {hits / labels, read / all};
}

}  // namespace

std::string anytime_table(const GlassModel& model, const std::string& backbone, const AnytimeOptions& options,
                          nlohmann::ordered_json& rows) {
  command_line::AlignedTable table{.header = {"task", "blocks by"}, .rows = {}, .left = 2};
  for (const int extra : options.extra) table.header.push_back(fmt::format("+{}", extra));
  table.header.push_back("dense");
  for (const Task task : {Task::recall, Task::needle}) {
    const std::string name(kTaskNames[static_cast<std::size_t>(task)]);
    const std::vector<Prompt> prompts = prompts_of(task, options);
    const Score dense = score(model, prompts, {});
    for (const BlockRule rule : {BlockRule::nearest, BlockRule::mean, BlockRule::bound, BlockRule::exact}) {
      const char* rule_name = kBlockRuleNames[static_cast<std::size_t>(rule)];
      std::vector<std::string> row = {name, rule_name};
      for (const int extra : options.extra) {
        const Score found =
            score(model, prompts, {.is_full = [](const AskedHead&) { return false; }, .rule = rule, .extra = extra});
        row.push_back(fmt::format("{:.3f}", found.accuracy));
        rows.push_back({{"part", "anytime"},
                        {"backbone", backbone},
                        {"task", name},
                        {"method", fmt::format("{}_{}", rule_name, extra)},
                        {"seed", 0},
                        {"position", "any"},
                        {"accuracy", found.accuracy},
                        {"dense_accuracy", dense.accuracy},
                        {"sparse_share", 1 - found.read},
                        {"static_accuracy", nullptr},
                        {"p_value", nullptr}});
      }
      row.push_back(fmt::format("{:.3f}", dense.accuracy));
      table.rows.push_back(row);
    }
  }
  return fmt::format("\n## Anytime, {}: all heads stream and read a few more blocks of ten, {} prompts per task\n\n{}",
                     backbone, options.prompts * kPositions, table.text());
}

}  // namespace elastane::recall
