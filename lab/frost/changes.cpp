#include "lab/frost/changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "elastane/core/base/random.h"
#include "elastane/core/stream/stream.h"
#include "lab/benchmark/statistics.h"
#include "lab/frost/cells.h"

namespace elastane::frost {
namespace {

constexpr const char* kChanges[] = {"opening", "closing", "all"};

// opens or closes a cell that is not the start, and gives every cell its label again; true: it opened
bool change_cell(Random& random, Episode& e) {
  int cell = 0;
  do {
    cell = random.below(e.cells());
  } while (e.features[2 * static_cast<std::size_t>(cell) + 1] > 0);
  float& free = e.features[2 * static_cast<std::size_t>(cell)];
  free = 1 - free;
  label_grid(e);
  return free > 0;
}

// depths after one kind of change
struct Depths {
  double sum = 0, most = 0, count = 0, solved = 0, macs = 0, differ = 0;

  void add(double depth, bool right, std::int64_t cost, int cells_that_differ) {
    sum += depth, most = std::max(most, depth), count += 1, solved += right ? 1 : 0;
    macs += static_cast<double>(cost), differ += cells_that_differ;
  }
};

Model warm_model(const ModelFile& file, int size) {
  ModelConfig config = cells_config(Task::grid, size);
  auto& block = std::get<RecursionConfig>(config.blocks[0].kind);
  const auto& trained = std::get<RecursionConfig>(file.config.blocks.at(0).kind);
  block.lipschitz = trained.lipschitz;
  block.hidden = trained.hidden;
  block.start = RecursionStart::warm;
  return Model::create(config, file.tensors).value();
}

int apart(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

}  // namespace

std::vector<benchmark::DepthRow> test_changes(const ModelFile& file, const ChangesTest& test) {
  Depths found[3][3];  // [method][change]
  const Model model = warm_model(file, test.size);
  for (int i = 0; i < test.episodes; ++i) {
    Episode e = draw_episode(Task::grid, test.size, test.first_seed + static_cast<std::uint64_t>(i));
    Random random(test.first_seed + static_cast<std::uint64_t>(i), 53ULL << 48U);
    Stream cold(model), streams[] = {Stream(model), Stream(model)};  // warm, warm_below
    for (Stream& stream : streams) stream.advance(e.features);
    for (int step = 0; step < test.steps; ++step) {
      const bool opened = change_cell(random, e);
      cold.reset();
      if (!opened) streams[1].reset();
      std::vector<std::uint8_t> classes;
      for (std::size_t m = 0; m < 3; ++m) {
        Stream& stream = m == 0 ? cold : streams[m - 1];
        const AdvanceReport report = stream.advance(e.features);
        const std::vector<std::uint8_t> now = classes_of(stream.output());
        if (m == 0) classes = now;
        for (const std::size_t change : {opened ? std::size_t{0} : std::size_t{1}, std::size_t{2}}) {
          found[m][change].add(static_cast<double>(report.blocks[0].depth), now == e.labels, report.macs,
                               apart(now, classes));
        }
      }
    }
  }
  std::vector<benchmark::DepthRow> rows;
  for (std::size_t m = 0; m < 3; ++m) {
    for (std::size_t change = 0; change < 3; ++change) {
      const Depths& d = found[m][change];
      benchmark::DepthRow row{
          .part = "changes", .task = kChanges[change], .method = kChangeMethods[m], .size = test.size};
      row.solved = d.solved / d.count, row.mean_depth = d.sum / d.count, row.macs = d.macs / d.count;
      row.violations = d.differ, row.cases = d.count, row.curve = {d.most};
      rows.push_back(row);
    }
  }
  return rows;
}

std::string changes_table(const std::vector<benchmark::DepthRow>& rows) {
  std::string text;
  for (const char* change : kChanges) {
    for (const char* method : kChangeMethods) {
      std::vector<double> depth, most, solved, macs, differ;
      for (const benchmark::DepthRow& r : rows) {
        if (r.part != "changes" || r.task != change || r.method != method || r.curve.empty()) continue;
        depth.push_back(r.mean_depth), most.push_back(r.curve[0]), solved.push_back(r.solved);
        macs.push_back(r.macs), differ.push_back(r.violations);
      }
      if (depth.empty()) continue;
      const auto mean = [](const std::vector<double>& v) { return benchmark::over_seeds(v).mean; };
      text += fmt::format("| {} | {} | {:.2f} | {:.0f} | {:.3f} | {:.0f} | {:.0f} |\n", change, method, mean(depth),
                          std::ranges::max(most), mean(solved), mean(macs),
                          mean(differ) * static_cast<double>(differ.size()));
    }
  }
  if (text.empty()) return "";
  return "\n## Grids of 12 x 12 cells in which one cell per step changes\n\n"
         "| change | start | iterations until proven | most | solved | multiply-adds | cells that differ from a cold "
         "start |\n| --- | --- | --: | --: | --: | --: | --: |\n" +
         text;
}

}  // namespace elastane::frost
