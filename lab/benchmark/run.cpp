#include "lab/benchmark/run.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "lab/benchmark/parallel.h"

namespace elastane::benchmark {
namespace {

struct Part {
  int agent;
  std::uint64_t seed;
  int first, count;  // episodes
};

// in the order in which they are run: agents alternate
std::vector<Part> parts_of(const RunOptions& options) {
  std::vector<Part> parts;
  for (int s = 0; s < options.seeds; ++s) {
    for (int first = 0; first < options.episodes; first += options.block) {
      const int count = std::min(options.block, options.episodes - first);
      for (const int agent : options.agents) {
        parts.push_back({agent, options.first_seed + static_cast<std::uint64_t>(s), first, count});
      }
    }
  }
  return parts;
}

const Block* find(const Benchmark& benchmark, const Journal& journal, const Part& part) {
  return journal.find(card_of(benchmark, part.agent), part.seed, part.first, part.count);
}

// threads that take parts from one list, and write to one journal
class WorkerPool {
 public:
  WorkerPool(const Benchmark& benchmark, std::vector<Part> parts, Journal& journal,
             const std::function<bool()>& stopped, const std::function<void(const Progress&)>& watch, Progress progress)
      : benchmark_(benchmark),
        parts_(std::move(parts)),
        journal_(journal),
        stopped_(stopped),
        watch_(watch),
        progress_(std::move(progress)) {}

  Status work(int threads) {
    in_parallel(threads, [this](int) {
      try {
        work_alone();
      } catch (...) {
        broken_ = true;  // the others end after their episode
        throw;
      }
    });
    return failed_;
  }

 private:
  void work_alone() {
    std::map<int, std::unique_ptr<Player>> players;  // this thread's own
    while (!ended()) {
      const std::size_t mine = next_++;
      if (mine >= parts_.size()) return;
      const Part& part = parts_[mine];
      std::unique_ptr<Player>& player = players[part.agent];
      if (player == nullptr) player = benchmark_.player(part.agent);
      const AgentCard& card = card_of(benchmark_, part.agent);
      Block block{card.name, card.settings, part.seed, part.first, {}, {}};
      for (int e = 0; e < part.count && !ended(); ++e) {
        block.outcomes.push_back(player->play(part.seed, part.first + e, block.latency));
      }
      if (static_cast<int>(block.outcomes.size()) == part.count) keep(std::move(block));
    }
  }

  void keep(Block block) {
    const std::lock_guard lock(mutex_);
    progress_.done += 1;
    progress_.agent = block.agent;
    progress_.seed = block.seed;
    if (const Status kept = journal_.append(std::move(block)); !kept) {
      failed_ = kept;
      broken_ = true;
      return;
    }
    watch_(progress_);
  }

  bool ended() const { return broken_ || stopped_(); }

  const Benchmark& benchmark_;
  const std::vector<Part> parts_;
  Journal& journal_;
  const std::function<bool()>& stopped_;
  const std::function<void(const Progress&)>& watch_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> broken_ = false;
  std::mutex mutex_;  // guards what follows, the journal and watch_
  Progress progress_;
  Status failed_;
};

}  // namespace

const AgentCard& card_of(const Benchmark& benchmark, int agent) {
  const auto place = static_cast<std::size_t>(agent), agents = benchmark.agents().size();
  return place < agents ? benchmark.agents()[place] : benchmark.grid()[place - agents];
}

Status play(const Benchmark& benchmark, const RunOptions& options, Journal& journal,
            const std::function<bool()>& stopped, const std::function<void(const Progress&)>& watch) {
  std::vector<Part> parts = parts_of(options);
  const auto all = static_cast<int>(parts.size());
  std::erase_if(parts, [&](const Part& part) { return find(benchmark, journal, part) != nullptr; });
  const auto missing = static_cast<int>(parts.size());
  WorkerPool pool(benchmark, std::move(parts), journal, stopped, watch, {.missing = missing, .kept = all - missing});
  return pool.work(std::clamp(missing, 1, options.threads));
}

Result<std::vector<Record>> collect(const Benchmark& benchmark, const RunOptions& options, const Journal& journal) {
  std::map<int, Record> records;
  for (const Part& part : parts_of(options)) {
    const Block* block = find(benchmark, journal, part);
    if (block == nullptr) {
      return Error{"[benchmark] " + card_of(benchmark, part.agent).name + ", seed " + std::to_string(part.seed) +
                   ": expected all episodes, found some missing; the same command runs them"};
    }
    Record& record = records[part.agent];
    record.outcomes.insert(record.outcomes.end(), block->outcomes.begin(), block->outcomes.end());
    record.latency.add(block->latency);
  }
  std::vector<Record> ordered;
  for (const int agent : options.agents) {
    ordered.push_back(std::move(records[agent]));
    ordered.back().card = card_of(benchmark, agent);
  }
  return ordered;
}

}  // namespace elastane::benchmark
