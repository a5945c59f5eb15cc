// Finished episodes on the disk: an interrupted run resumes where it stopped, and a finished run is only read.
//
//   Journal journal = Journal::open("navigation.jsonl", header).value();
//   if (journal.find(card, seed, first, count) == nullptr) journal.append(block).value();
//
// A file of JSON lines: a header, then blocks in the order in which they were finished, each on the disk before the
// next one. An incomplete last line, left by a crash, is dropped. The numbers of seeds, episodes and agents may differ
// from call to call; everything else that could change a figure is in the header and must agree.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/io/descriptor.h"
#include "lab/benchmark/benchmark.h"

namespace elastane::benchmark {

struct JournalHeader {
  std::string benchmark;
  std::uint64_t weights = 0;  // Benchmark::fingerprint
  std::string version;        // of the program
  int threads = 1;            // that ran at the same time: latencies depend on it

  bool operator==(const JournalHeader&) const = default;
};

// consecutive episodes of one agent
struct Block {
  std::string agent, settings;
  std::uint64_t seed = 0;
  int first = 0;  // episode
  std::vector<Outcome> outcomes;
  Latency latency;  // of all their steps
};

struct JournalText {
  JournalHeader header;
  std::vector<Block> blocks;
  std::size_t whole = 0;  // bytes of complete lines; the rest is an incomplete one
};

// Text of a journal, and back. An empty journal has no complete lines.
std::string format_header(const JournalHeader& header);
Result<std::string> format_block(const Block& block);  // one line; fails on figures that are not finite
Result<JournalText> parse_journal(std::string_view text);

class Journal {
 public:
  explicit Journal(JournalHeader header) : header_(std::move(header)) {}  // in memory only

  // Reads the file, to append to it. Refuses a journal of another run, and one that another process has open.
  static Result<Journal> open(const std::string& path, const JournalHeader& header);

  const Block* find(const AgentCard& card, std::uint64_t seed, int first, int count) const;
  Status append(Block block);

  std::size_t torn_bytes() const { return torn_; }  // dropped when it was opened

 private:
  JournalHeader header_;
  std::string path_;
  Descriptor file_;
  std::vector<std::unique_ptr<Block>> blocks_;  // pointers returned by find() stay valid
  std::size_t torn_ = 0;
};

}  // namespace elastane::benchmark
