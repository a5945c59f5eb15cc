// Anything as a record, a file of tokens, the target of a request or its rows: refused or read, and what was read comes back
// the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "elastane/serve/http/target.h"
#include "elastane/serve/http/tokens.h"
#include "elastane/serve/record.h"
#include "elastane/serve/row_text.h"
#include "elastane/serve/stream_id.h"

namespace {

using namespace elastane::serve;

void require(bool holds) {
  if (!holds) std::abort();
}

void fuzz_records(std::span<const std::byte> bytes) {
  if (const auto rows = parse_rows(bytes)) require(parse_rows(to_bytes(*rows))->rows() == rows->rows());
  if (const auto batch = parse_forecasts(bytes)) {
    require(to_bytes(*batch).size() == bytes.size());
    std::string text;
    for (const auto& each : batch->forecasts) append_line(batch->id, each, 1, text);
  }
  if (const auto control = parse_control(bytes)) require(is_control(to_bytes(*control)));
  (void)parse_forecast(bytes);
}

void fuzz_text(std::string_view text) {
  if (const auto target = parse_target(text)) {
    for (const std::string& piece : target->path) {
      require(is_stream_id(piece));
      require(percent_decoded(percent_encoded(piece)) == piece);
    }
  }
  if (const auto tokens = Tokens::parse(text))
    require(tokens->check("Bearer ", Scope::read) != Tokens::Answer::allowed);
  for (const auto format : {elastane::RowFormat::csv, elastane::RowFormat::jsonl}) {
    const auto rows = parse_row_text({"a", "b"}, "s", format, text, 100);
    if (rows) require(rows->values.size() == 2 * rows->rows() && rows->rows() <= 100);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz_records({reinterpret_cast<const std::byte*>(data), size});
  fuzz_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
