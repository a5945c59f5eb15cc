#include "lab/recall/study_select.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace elastane::recall {

Lines lines_of(const Study& study, const Filter& f) {
  Lines found;
  for (const StudyLine& line : study.lines) {
    if (line.part != f.part || line.backbone != f.backbone || line.method != f.method || line.setting != f.setting)
      continue;
    if ((f.task && line.task != *f.task) || (f.position && line.position != *f.position)) continue;
    if (f.seed && line.seed != *f.seed) continue;
    const StudyLine* newest =
        study.find({line.part, line.backbone, line.method, line.setting, line.task, line.position, line.seed});
    if (newest == &line) found.push_back(&line);
  }
  return found;
}

double accuracy(const Lines& lines) {
  return mean(lines, [](const StudyLine& l) { return l.accuracy(); });
}
double share(const Lines& lines) {
  return mean(lines, [](const StudyLine& l) { return l.sparse_share(); });
}

std::vector<std::uint64_t> seeds_of(const Study& study, const Filter& f) {
  std::vector<std::uint64_t> seeds;
  for (const StudyLine* line : lines_of(study, f)) seeds.push_back(line->seed);
  std::ranges::sort(seeds);
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  return seeds;
}

benchmark::Estimate over_seeds(const Study& study, Filter f, double (*value)(const Lines&)) {
  std::vector<double> values;
  for (const std::uint64_t seed : seeds_of(study, f)) {
    f.seed = seed;
    values.push_back(value(lines_of(study, f)));
  }
  return values.empty() ? benchmark::Estimate{kNaN, {kNaN, kNaN}} : benchmark::over_seeds(values);
}

Lines dense_lines(const Study& study, Filter f) {
  f.method = "dense", f.seed.reset();
  const std::vector<std::uint64_t> seeds = seeds_of(study, f);
  if (seeds.empty()) return {};
  f.seed = seeds.front();
  return lines_of(study, f);
}

Filter static_of(const Study& study, const Filter& router) {
  Filter f{.part = router.part, .backbone = router.backbone, .method = "", .setting = ""};
  const Lines lines =
      lines_of(study, {router.part, router.backbone, router.method, router.setting, {}, {}, router.seed});
  if (lines.empty()) return f;
  const double full = (1 - share(lines)) * static_cast<double>(lines.front()->heads.size());
  f.method = fmt::format("static_{}", static_cast<int>(std::ceil(full - 1e-9)));
  return f;
}

}  // namespace elastane::recall
