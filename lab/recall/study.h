// The study behind `elastane reproduce elastic_attention`: which routers are trained, and what their tests showed.
//
// Routers are trained and tested by elastane-train (lab/training/router.h), which appends to a journal of JSON lines.
// Here the journal is read, and the calls that it still lacks are listed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::recall {

// one method on the test sequences of one task and position
struct StudyLine {
  std::string part, backbone, method, setting, task, position;
  std::uint64_t seed = 0;
  //                            of                meaning
  std::vector<int> hits;      // each sequence      labels that were right
  std::vector<int> labels;    // each sequence      labels
  std::vector<double> nats;   // each sequence      cross-entropy per label
  std::vector<double> full;   // each sequence      share of heads that were full
  std::vector<double> heads;  // each head         share of sequences in which it was full
  // of one step in the engine, the dense model's measured in turn; 0: not measured
  double macs = 0, dense_macs = 0, micros = 0, dense_micros = 0;

  double accuracy() const;
  double bits() const;  // per label
  double sparse_share() const;
  double spread() const;  // largest difference of `full` between sequences
};

struct Study {
  std::vector<StudyLine> lines;

  // the newest line of this kind, or null
  struct Key {
    std::string part, backbone, method, setting, task, position;
    std::uint64_t seed = 0;
  };
  const StudyLine* find(const Key& key) const;
};

// an incomplete last line, left by a crash, is dropped; a journal that does not exist is empty
Result<Study> read_study(const std::string& path);

struct StudyOptions {
  std::string models = "models", journal = "reproduce-elastic_attention.jsonl";
  std::vector<std::string> parts = {};  // none: all
  int seeds = 5;
  int threads = 0;
};
inline constexpr const char* kParts[] = {"router", "position", "temperature", "text", "hybrid", "anytime", "length"};
inline constexpr const char* kBackbones[] = {"recall_small", "recall_medium"};
// what trains with drawn choices at which temperatures: first and last
struct Temperatures {
  const char* setting;
  double first, last;
};
inline constexpr Temperatures kTemperatures[] = {
    {"0.1", 0.1, 0.1}, {"1.5 to 0.5", 1.5, 0.5}, {"1.5 to 1", 1.5, 1.0}, {"5", 5, 5}};
// routers by examples have as many seeds as asked for; what stands beside them has no more than these
inline constexpr int kDrawnSeeds = 3, kTemperatureSeeds = 2, kTextSeeds = 1, kPoolingSeeds = 1, kHybridSeeds = 2;
inline constexpr const char* kTextEpsilons[] = {"0.0005", "0.002"};

bool has_part(const StudyOptions& options, const std::string& part);

// arguments of elastane-train for everything that the journal lacks, weights first
std::vector<std::vector<std::string>> missing_calls(const Study& study, const StudyOptions& options);

}  // namespace elastane::recall
