// Anything as what a fleet reads from its broker: manifests, beats, acknowledgements, subjects, stored messages. Refused or read,
// and what was read comes back the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "elastane/serve/nats/chained_writer.h"
#include "elastane/serve/nats/fleet_worker.h"
#include "elastane/serve/nats/manifest.h"
#include "elastane/serve/nats/stored_message.h"

namespace {

using namespace elastane::serve;

void require(bool holds) {
  if (!holds) std::abort();
}

void fuzz_text(std::string_view text) {
  if (const auto beat = parse_beat(text)) {
    const auto again = parse_beat(beat_text(*beat));
    require(again && again->name == beat->name && again->partitions.size() == beat->partitions.size() &&
            again->step_times == beat->step_times);
  }
  if (const auto message = message_in_answer(text); message && *message) {
    require((*message)->data.size() <= text.size() && (*message)->subject.size() <= text.size());
  }
  (void)acknowledged_sequence(text);
  (void)sequences_in_reply(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  if (const auto manifest = parse_manifest(bytes)) {
    const auto again = parse_manifest(to_bytes(*manifest));
    require(again && again->entries.size() == manifest->entries.size());
  }
  fuzz_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
