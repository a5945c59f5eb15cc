// Fuzzes lab/benchmark/journal_text.cpp: no bytes may crash what reads a journal; what is read must, written
// and read again, be the same; and cutting a good journal anywhere leaves a good journal.
#include <cstdlib>
#include <string>
#include <string_view>

#include "lab/benchmark/journal.h"

namespace elastane::benchmark {
namespace {

bool same(const Block& a, const Block& b) {
  return a.agent == b.agent && a.settings == b.settings && a.seed == b.seed && a.first == b.first &&
         a.outcomes == b.outcomes && a.latency.counts() == b.latency.counts() &&
         a.latency.total() == b.latency.total() && a.latency.stages() == b.latency.stages();
}

void check(std::string_view text) {
  const auto read = parse_journal(text);
  if (!read) return read.error().empty() ? std::abort() : void();
  if (read->whole > text.size()) std::abort();
  if (read->whole == 0) return;
  std::string written = format_header(read->header);
  for (const Block& block : read->blocks) written += format_block(block).value();
  const auto again = parse_journal(written);
  if (!again || again->header != read->header || again->blocks.size() != read->blocks.size()) std::abort();
  if (again->whole != written.size()) std::abort();
  for (std::size_t i = 0; i < read->blocks.size(); ++i) {
    if (!same(again->blocks[i], read->blocks[i])) std::abort();
  }
  if (!parse_journal(std::string_view(written).substr(0, written.size() / 2))) std::abort();
}

}  // namespace
}  // namespace elastane::benchmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elastane::benchmark;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text);
  check(format_header({.benchmark = "coins"}) + std::string(text));  // most inputs spoil the header
  return 0;
}
