// Fuzzes elastane/io/table.cpp, row_reader.cpp, csv.cpp, jsonl.cpp and npy.cpp: no bytes may crash what reads a table;
// a table that is read is whole; and whatever came before, a good row is read as what it is.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "elastane/io/npy.h"
#include "elastane/io/table.h"

namespace elastane {
namespace {

void check(const Result<Table>& table) {
  if (!table) return table.error().starts_with("[table] fuzz") ? void() : std::abort();
  const std::size_t rows = table->rows;
  if (rows == 0 || table->columns.empty() || table->values.size() != rows * table->columns.size()) std::abort();
  if (table->time.size() != (table->time_column.empty() ? 0 : rows)) std::abort();
  if (table->series_of.size() != (table->id_column.empty() ? 0 : rows)) std::abort();
  for (const int s : table->series_of) {
    if (s < 0 || static_cast<std::size_t>(s) >= table->series.size()) std::abort();
  }
  for (const double value : table->values) {
    if (std::isinf(value)) std::abort();
  }
  if (const auto row = first_row_not_later(*table); row && *row >= rows) std::abort();
}

// good rows around every line of the input; inside of a quoted name of a series there is no row to be had
void check_rows(RowFormat format, std::string_view header, std::string_view good, std::string_view text) {
  RowReader reader(format, "fuzz");
  TableRow row;
  if (!header.empty() && *reader.feed(header, row)) std::abort();
  if (!*reader.feed(good, row)) std::abort();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto taken = reader.feed(text.substr(0, end), row);
    if (taken && *taken && row.values.size() != 2) std::abort();
    text.remove_prefix(std::min(end + 1, text.size()));
    if (reader.is_inside_record()) continue;
    const auto again = reader.feed(good, row);
    if (!again || !*again || row.id != "x" || row.time != 1 || row.values[0] != 2 || row.values[1] != 3) std::abort();
  }
}

}  // namespace
}  // namespace elastane

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elastane;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool strict : {true, false}) {
    check(parse_csv(text, "fuzz", {.strict = strict}));
    check(parse_jsonl(text, "fuzz", {.strict = strict}));
  }
  check(parse_npy(std::as_bytes(std::span(data, size)), "fuzz"));
  check_rows(RowFormat::csv, "unique_id,t,a,b", "x,1,2,3", text);
  check_rows(RowFormat::jsonl, "", R"({"unique_id":"x","t":1,"a":2,"b":3})", text);
  return 0;
}
