#include "lab/benchmark/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "elastane/io/file.h"

namespace elastane::benchmark {
namespace {

Error failed(const std::string& path, const std::string& what) {
  return Error{"[journal] " + path + ": " + what + ": " + std::strerror(errno)};
}

// the first difference between two runs
std::string difference(const JournalHeader& expected, const JournalHeader& found) {
  const auto say = [](const std::string& what, const std::string& e, const std::string& f) {
    return "expected " + what + " " + e + ", found " + f;
  };
  if (expected.benchmark != found.benchmark)
    return say("a journal of", expected.benchmark, "one of " + found.benchmark);
  if (expected.weights != found.weights) return "expected the current weights, found outcomes of other weights";
  if (expected.version != found.version) return say("version", expected.version, found.version);
  return say("threads", std::to_string(expected.threads), std::to_string(found.threads));
}

Status append_line(const Descriptor& file, const std::string& path, const std::string& line) {
  if (!file.write_all(std::as_bytes(std::span(line)))) return failed(path, "cannot write");
  if (::fdatasync(file.get()) != 0) return failed(path, "cannot write");
  return {};
}

}  // namespace

Result<Journal> Journal::open(const std::string& path, const JournalHeader& header) {
  Journal journal(header);
  journal.path_ = path;
  journal.file_ = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!journal.file_.is_open()) return failed(path, "cannot open");
  struct stat info {};
  if (::fstat(journal.file_.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return Error{"[journal] " + path + ": expected a file, or none yet, found something else; name another"};
  }
  if (::flock(journal.file_.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error{"[journal] " + path + ": another run is writing to it; wait for it, or name another file"};
  }

  const auto mapped = FileContent::open(path);
  if (!mapped) return Error{mapped.error()};
  const std::span<const std::byte> bytes = mapped->bytes();
  auto text = parse_journal({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!text) return Error{"[journal] " + path + ": " + text.error()};
  if (text->whole > 0 && text->header != header) {
    return Error{"[journal] " + path + ": " + difference(header, text->header) +
                 "; name another file, or start again with --fresh"};
  }
  for (Block& block : text->blocks) journal.blocks_.push_back(std::make_unique<Block>(std::move(block)));

  journal.torn_ = bytes.size() - text->whole;
  if (journal.torn_ > 0 && ::ftruncate(journal.file_.get(), static_cast<off_t>(text->whole)) != 0) {
    return failed(path, "cannot drop its incomplete last line");
  }
  if (text->whole == 0) {
    if (const Status written = append_line(journal.file_, path, format_header(header)); !written) {
      return Error{written.error()};
    }
  }
  return journal;
}

const Block* Journal::find(const AgentCard& card, std::uint64_t seed, int first, int count) const {
  const auto at = std::ranges::find_if(blocks_, [&](const auto& b) {
    return b->agent == card.name && b->settings == card.settings && b->seed == seed && b->first == first &&
           static_cast<int>(b->outcomes.size()) == count;
  });
  return at == blocks_.end() ? nullptr : at->get();
}

Status Journal::append(Block block) {
  const auto line = format_block(block);
  if (!line) return Error{line.error()};
  if (file_.is_open()) {
    if (Status written = append_line(file_, path_, *line); !written) return written;
  }
  blocks_.push_back(std::make_unique<Block>(std::move(block)));
  return {};
}

}  // namespace elastane::benchmark
