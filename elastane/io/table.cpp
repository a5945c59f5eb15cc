#include "elastane/io/table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <unordered_map>

#include "elastane/io/cell.h"
#include "elastane/io/file.h"
#include "elastane/io/gzip.h"
#include "elastane/io/npy.h"

namespace elastane {
namespace {

// A line of JSON that leaves out every key makes a whole row from two bytes. So the number of values of a table is limited,
// absolutely or per byte of its file.
constexpr std::size_t kSmallTable = 1 << 20;
constexpr std::size_t kMostPerByte = 64;

// collects rows, and numbers the ids of series
class TableBuilder {
 public:
  void add(const TableRow& row) {
    table_.rows += 1;
    table_.values.insert(table_.values.end(), row.values.begin(), row.values.end());
    table_.time.push_back(row.time);
    table_.series_of.push_back(index_of(row.id));
    table_.infinite += static_cast<std::size_t>(row.infinite);
    table_.unread += static_cast<std::size_t>(row.unread);
  }
  std::size_t cells() const { return table_.values.size(); }

  Table finish(const RowReader& reader) && {
    table_.columns = reader.columns();
    table_.time_column = reader.time_column();
    table_.id_column = reader.id_column();
    table_.style = reader.style();
    table_.time_unit = reader.time_unit();
    table_.has_dates = reader.has_dates();
    if (table_.time_column.empty()) table_.time.clear();
    if (table_.id_column.empty()) table_.series_of.clear(), table_.series.clear();
    return std::move(table_);
  }

 private:
  int index_of(const std::string& id) {
    // rows of a series are usually adjacent
    if (!table_.series_of.empty() && table_.series[static_cast<std::size_t>(table_.series_of.back())] == id) {
      return table_.series_of.back();
    }
    const auto [at, is_new] = index_.try_emplace(id, static_cast<int>(table_.series.size()));
    if (is_new) table_.series.push_back(id);
    return at->second;
  }

  Table table_;
  std::unordered_map<std::string, int> index_;
};

Result<Table> parse_lines(RowFormat format, std::string_view text, const std::string& source,
                          const TableOptions& options) {
  const auto refuse = [&](const std::string& why) { return Error{"[table] " + source + ": " + why}; };
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return refuse("expected UTF-8, found UTF-16; save it as UTF-8");
  }
  const std::size_t most = kSmallTable + kMostPerByte * text.size();
  RowReader reader(format, source, options);
  TableBuilder builder;
  TableRow row;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto taken = reader.feed(text.substr(0, end), row);
    if (!taken) return Error{taken.error()};
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!*taken) continue;
    if (builder.cells() + row.values.size() > most) {
      return refuse("expected at most " + std::to_string(most) +
                    " values in a file of this size, found more, nearly all " +
                    "missing; leave out columns that are rarely there");
    }
    builder.add(row);
  }
  if (const Status whole = reader.finish(); !whole) return Error{whole.error()};
  Table table = std::move(builder).finish(reader);
  if (table.rows == 0) return refuse("expected rows of numbers, found none");
  if (table.columns.empty()) return refuse("expected a column of numbers, found only times or names of series");
  return table;
}

}  // namespace

Result<Table> parse_csv(std::string_view text, const std::string& source, const TableOptions& options) {
  return parse_lines(RowFormat::csv, text, source, options);
}

Result<Table> parse_jsonl(std::string_view text, const std::string& source, const TableOptions& options) {
  return parse_lines(RowFormat::jsonl, text, source, options);
}

// The style of cells that the text shows, as far as the options leave it open: dates such as 13/05/2024 tell the order of
// all others. Only the beginning of a long table is looked at.
CellStyle recognise_style(std::string_view text, CellStyle style) {
  constexpr std::size_t kEnough = 1 << 22;
  text = text.substr(0, kEnough);
  while (style.order == DateOrder::unknown && !text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && style.order == DateOrder::unknown) {
      const std::size_t cell = std::min(line.find_first_of(",;\t"), line.size());
      std::string_view date = trimmed(line.substr(0, cell));
      if (date.starts_with('"')) date.remove_prefix(1);
      style.order = order_shown_by(date);
      line.remove_prefix(std::min(cell + 1, line.size()));
    }
  }
  return style;
}

Result<Table> read_table(const std::string& path, const TableOptions& options) {
  const bool is_input = path == "-";
  std::filesystem::path name = path;
  if (same_letters(name.extension().string(), ".gz")) name = name.stem();
  const std::string extension = name.extension();
  const auto is = [&](std::string_view word) { return same_letters(extension, word); };
  const bool csv = is(".csv") || is(".tsv") || is(".txt"), jsonl = is(".jsonl") || is(".ndjson"), npy = is(".npy");
  // a pipe has no name that would say what it holds
  std::error_code ignored;
  const bool is_pipe = !is_input && extension.empty() && std::filesystem::is_fifo(path, ignored);
  if (!csv && !jsonl && !npy && !is_input && !is_pipe) {
    return Error{"[table] " + path +
                 ": expected a name that ends in .csv, .tsv, .txt, .npy, .jsonl or .ndjson, found " +
                 (extension.empty() ? "none of them" : extension) + "; rename it after what it holds"};
  }
  const auto file = FileContent::read_all(path);
  if (!file) return Error{file.error()};
  std::span<const std::byte> bytes = file->bytes();
  Result<std::string> unpacked = std::string();
  if (is_gzip(bytes)) {
    unpacked = unpack_gzip(bytes, path);
    if (!unpacked) return Error{unpacked.error()};
    bytes = std::as_bytes(std::span(*unpacked));
  }
  if (npy) return parse_npy(bytes, path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  TableOptions read = options;
  read.style = recognise_style(text, options.style);
  const bool is_json = jsonl || ((is_input || is_pipe) && (text.starts_with('{') || text.starts_with('[')));
  const std::string source = is_input ? "stdin" : path;
  return is_json ? parse_jsonl(text, source, read) : parse_csv(text, source, read);
}

std::optional<std::size_t> first_row_not_later(const Table& table) {
  constexpr double kBefore = -std::numeric_limits<double>::infinity();
  std::vector<double> last(std::max<std::size_t>(table.series.size(), 1), kBefore);
  for (std::size_t r = 0; r < table.time.size(); ++r) {
    double& before = last[table.series_of.empty() ? 0 : static_cast<std::size_t>(table.series_of[r])];
    if (!(table.time[r] > before)) return r;
    before = table.time[r];
  }
  return {};
}

}  // namespace elastane
