// A journal of a study, for tests.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "lab/recall/episode.h"
#include "lab/recall/study.h"

namespace elastane::recall {

inline StudyLine study_line(const std::string& method, std::uint64_t seed, const std::string& task,
                            const std::string& position, int hits, double full) {
  return {.part = "router",
          .backbone = kBackbones[0],
          .method = method,
          .setting = "",
          .task = task,
          .position = position,
          .seed = seed,
          .hits = std::vector<int>(16, hits),
          .labels = std::vector<int>(16, 12),
          .nats = std::vector<double>(16, 0.5),
          .full = std::vector<double>(16, full),
          .heads = std::vector<double>(8, full)};
}

// a router that is right where static heads are not
inline Study small_study() {
  Study study;
  for (const std::string_view task : kTaskNames) {
    for (const std::string_view position : kPositionNames) {
      const std::string t(task), p(position);
      study.lines.push_back(study_line("dense", 1, t, p, 12, 1));
      study.lines.push_back(study_line("search", 1, t, p, 12, 0.125));
      study.lines.push_back(study_line("static_1", 1, t, p, task == "needle" ? 4 : 12, 0.125));
      for (const std::uint64_t seed : {1, 2}) {
        study.lines.push_back(study_line("examples", seed, t, p, 12, 0.125));
        study.lines.push_back(study_line("examples_stream", seed, t, p, 11, 0.1));
      }
    }
  }
  return study;
}

inline void write(const Study& study, const std::string& path) {
  std::ofstream file(path);
  for (const StudyLine& l : study.lines) {
    file << nlohmann::json{{"part", l.part},     {"backbone", l.backbone}, {"method", l.method}, {"setting", l.setting},
                           {"task", l.task},     {"position", l.position}, {"seed", l.seed},     {"hits", l.hits},
                           {"labels", l.labels}, {"nats", l.nats},         {"full", l.full},     {"heads", l.heads}}
                .dump()
         << "\n";
  }
}

}  // namespace elastane::recall
