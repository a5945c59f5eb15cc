#include "elastane/io/row_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_set>
#include <utility>

#include "elastane/io/csv.h"
#include "elastane/io/jsonl.h"
#include "elastane/io/trace_line.h"

namespace elastane {

struct RecordInProgress {
  CsvRecord record;
  JsonLine json;
  std::vector<TableField> ordered;  // the fields of a JSON object, in the order of the columns
};

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool is_time_name(std::string_view name) {
  constexpr std::array<std::string_view, 5> kWords = {"time", "timestamp", "date", "datetime", "ds"};
  // T is more often a temperature
  return name == "t" || std::any_of(kWords.begin(), kWords.end(), [&](auto word) { return same_letters(word, name); });
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("c" + std::to_string(i));
  return names;
}

std::string fields_of(std::size_t count) { return std::to_string(count) + (count == 1 ? " field" : " fields"); }

Status check_count(std::size_t columns) {
  if (columns <= kMostColumns) return {};
  return Error{"expected at most " + std::to_string(kMostColumns) + " columns, found " + std::to_string(columns) +
               "; a table has one row for each time"};
}

}  // namespace

RowReader::RowReader(RowFormat format, std::string source, const TableOptions& options)
    : format_(format), source_(std::move(source)), options_(options), reading_(Owned<RecordInProgress>::make()) {}

bool RowReader::is_inside_record() const { return reading_->record.is_open(); }

Error RowReader::refuse(const std::string& why) const {
  return Error{"[table] " + source_ + ", line " + std::to_string(begin_) + ": " + why};
}

Error RowReader::refuse(const std::string& column, const std::string& why) const {
  return Error{"[table] " + source_ + ", line " + std::to_string(begin_) + ", column " + excerpt(column) + ": " + why};
}

Result<bool> RowReader::feed(std::string_view line, TableRow& row) {
  line_ += 1;
  if (!reading_->record.is_open()) begin_ = line_;
  if (!header_) return Error{header_.error()};
  if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() + reading_->record.size() > kLongestRow) {
    reading_->record.begin(delimiter_);
    return refuse("expected at most " + std::to_string(kLongestRow) +
                  " bytes per row, found more; is a quote not closed?");
  }
  if (!reading_->record.is_open() && trimmed(line).empty()) return false;
  return format_ == RowFormat::csv ? feed_csv(line, row) : feed_json(line, row);
}

Status RowReader::finish() const {
  if (reading_->record.is_open())
    return refuse("expected a closing quote, found the end; close it, or double it if it is text");
  return {};
}

// --- separated values

Result<bool> RowReader::feed_csv(std::string_view line, TableRow& row) {
  const bool is_first = names_.empty();
  if (!reading_->record.is_open()) {
    if (is_first) delimiter_ = recognise_delimiter(line);
    reading_->record.begin(delimiter_);
  }
  if (!reading_->record.add(line)) {
    // a quote may span lines only in a column of text; otherwise one that is never closed would swallow valid rows
    if (is_first || !options_.strict || reading_->record.open_field() == roles_.id) return false;
    reading_->record.begin(delimiter_);
    return refuse("expected a closing quote, found the line's end; close it, or double it if it is text");
  }
  auto fields = reading_->record.split(options_.style);
  if (fields && shows_decimal_comma(*fields)) {
    options_.style.decimal_comma = true;
    fields = reading_->record.split(options_.style);
  }
  if (!fields) return refuse(fields.error());
  if (!is_first) return take(*fields, row);

  const bool has_header = std::any_of(fields->begin(), fields->end(),
                                      [](const TableField& f) { return f.cell.kind == TableCellKind::text; });
  if (!has_header) {
    if (const Status few = check_count(fields->size()); !few) return refuse(few.error());
    return take_first(numbered(fields->size()), false, *fields, row);
  }
  header_ = read_header(*fields);
  if (!header_) return Error{header_.error()};
  return false;
}

// 12,5 where fields are not separated by commas, and no number of the row has a point
bool RowReader::shows_decimal_comma(std::span<const TableField> fields) const {
  if (delimiter_ == ',' || options_.style.decimal_comma) return false;
  bool has_comma = false;
  for (const TableField& f : fields) {
    const bool has_point = f.text.find('.') != f.text.npos;
    if (f.cell.kind == TableCellKind::number && has_point) return false;
    if (f.cell.kind != TableCellKind::text || f.text.find(',') == f.text.npos) continue;
    has_comma = has_comma || read_cell(f.text, {.decimal_comma = true}).kind == TableCellKind::number;
  }
  return has_comma;
}

Status RowReader::read_header(std::span<const TableField> fields) {
  if (const Status few = check_count(fields.size()); !few) return refuse(few.error());
  std::vector<std::string> names = numbered(fields.size());
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (const auto name = trimmed(fields[i].text); !name.empty()) names[i] = name;
    if (!seen.insert(names[i]).second) return refuse(names[i], "expected it once, found it twice; rename one");
  }
  name_columns(std::move(names), true);
  return {};
}

// --- JSON

Result<bool> RowReader::feed_json(std::string_view line, TableRow& row) {
  if (const Status parsed = parse_json_line(line, reading_->json, options_.style); !parsed)
    return refuse(parsed.error());
  if (names_.empty()) {
    if (reading_->json.fields.empty()) return refuse("expected at least one value in the first line, found none");
    if (const Status few = check_count(reading_->json.fields.size()); !few) return refuse(few.error());
    lists_ = reading_->json.is_list;
    return take_first(lists_ ? numbered(reading_->json.fields.size()) : reading_->json.keys, !lists_,
                      reading_->json.fields, row);
  }
  if (reading_->json.is_list != lists_) {
    return refuse(lists_ ? "expected a list as in the first line, found an object"
                         : "expected an object as in the first line, found a list");
  }
  if (lists_) return take(reading_->json.fields, row);
  if (const Status known = order_by_key(); !known) return Error{known.error()};
  return take(reading_->ordered, row);
}

// the fields of an object in the order of the first line; keys that are left out are missing
Status RowReader::order_by_key() {
  reading_->ordered.assign(names_.size(), TableField{{TableCellKind::missing, kNan}, {}});
  for (std::size_t i = 0; i < reading_->json.keys.size(); ++i) {
    // most lines have the order of the first
    const bool in_order = i < names_.size() && names_[i] == reading_->json.keys[i];
    const auto at = in_order ? position_.end() : position_.find(reading_->json.keys[i]);
    if (!in_order && at == position_.end()) {
      if (!options_.strict || !options_.needed.empty()) continue;
      return refuse(reading_->json.keys[i],
                    "expected a key of the first line, found another; name all columns in the first line");
    }
    reading_->ordered[in_order ? i : at->second] = reading_->json.fields[i];
  }
  return {};
}

// --- rows

void RowReader::name_columns(std::vector<std::string> names, bool named) {
  names_ = std::move(names);
  named_ = named;
  needed_.assign(names_.size(), true);
  roles_ = {};
  position_.clear();
  for (std::size_t i = 0; i < names_.size(); ++i) {
    position_[names_[i]] = i;
    if (named_ && !options_.needed.empty())
      needed_[i] = std::ranges::find(options_.needed, names_[i]) != options_.needed.end();
    if (!roles_.id && names_[i] == "unique_id") roles_.id = i;
    if (!roles_.time && is_time_name(names_[i])) roles_.time = i;
  }
  // a date and the time of day in two columns
  const auto find = [&](std::string_view word) {
    return static_cast<std::size_t>(
        std::ranges::find_if(names_, [&](const std::string& name) { return same_letters(name, word); }) -
        names_.begin());
  };
  if (const std::size_t date = find("date"), clock = find("time"); date < names_.size() && clock < names_.size()) {
    roles_.time = date;
    roles_.clock = clock;
  }
}

// a row that also names the columns; if it is refused, they are still unknown
Result<bool> RowReader::take_first(std::vector<std::string> names, bool named, std::span<const TableField> fields,
                                   TableRow& row) {
  name_columns(std::move(names), named);
  auto taken = take(fields, row);
  if (!taken) names_.clear();
  return taken;
}

Result<bool> RowReader::take(std::span<const TableField> fields, TableRow& row) {
  if (fields.size() != names_.size()) {
    return refuse("expected " + fields_of(names_.size()) + " as in the first line, found " +
                  std::to_string(fields.size()) + "; leave a field empty if its value is missing");
  }
  // the first valid row decides whether the first column is a time
  Roles roles = roles_;
  const std::size_t first = roles.id == 0 ? 1 : 0;
  if (!roles.complete && !roles.time && first < fields.size() && fields[first].cell.kind == TableCellKind::time) {
    roles.time = first;
  }
  row.values.clear();
  row.id.clear();
  row.time = kNan;
  row.infinite = row.unread = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Status taken = i == roles.id      ? take_id(fields[i], row)
                         : i == roles.time  ? take_time(fields[i], roles, row)
                         : i == roles.clock ? Status()
                                            : take_value(i, fields[i], row);
    if (!taken) return Error{taken.error()};
  }
  if (roles.clock) {
    const auto clock = parse_clock(trimmed(fields[*roles.clock].text));
    if (!clock) {
      return refuse(names_[*roles.clock], "expected a time of day such as 18:30:00, beside the column " +
                                              names_[*roles.time] + ", found " + excerpt(fields[*roles.clock].text));
    }
    row.time += *clock;
  }
  roles.complete = true;
  if (!std::exchange(roles_, roles).complete) {
    columns_.clear();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (i != roles.id && i != roles.time && i != roles.clock) columns_.push_back(names_[i]);
    }
    time_column_ = roles.time ? names_[*roles.time] : "";
    id_column_ = roles.id ? names_[*roles.id] : "";
  }
  return true;
}

Status RowReader::take_id(const TableField& field, TableRow& row) const {
  row.id = trimmed(field.text);
  if (row.id.size() > kLongestId) {
    row.id.clear();
    return refuse(names_[*roles_.id],
                  "expected the name of a series of at most " + std::to_string(kLongestId) + " bytes, found more");
  }
  if (row.id.empty()) return refuse(names_[*roles_.id], "expected the name of a series, found nothing");
  return {};
}

Status RowReader::take_time(const TableField& field, Roles& roles, TableRow& row) const {
  const TableCell& cell = field.cell;
  if (cell.kind == TableCellKind::missing) return {};
  const bool date = cell.kind == TableCellKind::time, number = cell.kind == TableCellKind::number;
  if ((!date && !number) || roles.dates.value_or(date) != date) {
    const char* expected = !roles.dates   ? "seconds or a date such as 2024-05-01T12:30:00Z"
                           : *roles.dates ? "a date such as 2024-05-01T12:30:00Z"
                                          : "seconds as a number";
    const bool is_ambiguous = parse_time(trimmed(field.text), DateOrder::day_first).has_value();
    return refuse(names_[*roles.time], std::string("expected ") + expected + ", found " + excerpt(field.text) +
                                           (is_ambiguous ? "; say whether the day or the month is first "
                                                           "(--time-format day_first or month_first)"
                                                         : ""));
  }
  roles.dates = date;
  if (number && roles.unit == 0) roles.unit = epoch_unit(cell.value);
  row.time = number ? cell.value * roles.unit : cell.value;
  return {};
}

Status RowReader::take_value(std::size_t column, const TableField& field, TableRow& row) const {
  const TableCell& cell = field.cell;
  const bool is_text = cell.kind == TableCellKind::text || cell.kind == TableCellKind::time;
  if (is_text && options_.strict && needed_[column]) {
    return refuse(names_[column], "expected a number, found " + excerpt(trimmed(field.text)) +
                                      "; write ? or leave it empty if it is missing");
  }
  row.infinite += cell.kind == TableCellKind::infinite ? 1 : 0;
  row.unread += is_text ? 1 : 0;
  row.values.push_back(cell.kind == TableCellKind::number ? cell.value : kNan);
  return {};
}

}  // namespace elastane
