#include "elastane/serve/nats/row_spool.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace elastane::serve {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kBegin = "spool-", kEnd = ".log";

// of a file of a spool; none: it is another file
std::optional<std::uint64_t> number_of(const std::string& name) {
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return {};
  const char* const end = name.data() + name.size() - kEnd.size();
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(name.data() + kBegin.size(), end, number);
  if (error != std::errc() || rest != end || number == 0) return {};
  return number;
}

}  // namespace

std::string RowSpool::path(std::uint64_t number) const {
  char name[40];
  std::snprintf(name, sizeof name, "/spool-%06llu.log", static_cast<unsigned long long>(number));
  return folder_ + name;
}

Result<RowSpool> RowSpool::open(const std::string& folder, const RowSpoolOptions& options) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error{"[spool] " + folder + ": cannot be made: " + error.message()};
  RowSpool spool(folder, options);
  std::vector<std::uint64_t> numbers;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (const auto number = number_of(entry.path().filename().string())) numbers.push_back(*number);
  }
  if (error) return Error{"[spool] " + folder + ": cannot be read: " + error.message()};
  std::ranges::sort(numbers);
  if (numbers.empty()) {
    numbers.push_back(1);
    const fs::path before = folder + "/spool.log";  // the only file of earlier programs
    if (fs::exists(before, error)) fs::rename(before, spool.path(1), error);
    if (error) return Error{"[spool] " + before.string() + ": cannot be renamed: " + error.message()};
  }
  for (const std::uint64_t number : numbers) ELASTANE_TRY(spool.add_file(number));
  return spool;
}

std::size_t RowSpool::index_of(const std::string& id) {
  return streams_.try_emplace(id, streams_.size()).first->second;
}

void RowSpool::File::add(std::size_t stream, const Range& rows) {
  if (stream >= ranges.size()) ranges.resize(stream + 1);
  Range& range = ranges[stream];
  range = {.first = std::min(range.first, rows.first), .last = std::max(range.last, rows.last)};
}

Status RowSpool::add_file(std::uint64_t number) {
  ELASTANE_TRY_ASSIGN(AppendLog log, AppendLog::open(path(number)));
  File file{.number = number, .log = std::move(log), .ranges = {}, .confirmed = {}};
  ELASTANE_TRY(file.log.read(0, file.log.size(), [&](std::uint64_t, std::span<const std::byte> bytes) -> Status {
    ELASTANE_TRY_ASSIGN(const RowBatch rows, parse_rows(bytes));
    file.add(index_of(rows.id), {rows.first, rows.last()});
    return {};
  }));
  files_.push_back(std::move(file));
  return {};
}

void RowSpool::append(const RowBatch& rows) {
  files_.back().log.append(to_bytes(rows));
  waiting_.push_back({index_of(rows.id), {rows.first, rows.last()}});
}

Status RowSpool::commit() {
  const auto waiting = std::exchange(waiting_, {});
  File& file = files_.back();
  ELASTANE_TRY(file.log.write());
  for (const auto& [stream, rows] : waiting) file.add(stream, rows);
  if (!waiting.empty()) file.confirmed.reset();
  ELASTANE_TRY(file.log.sync());
  // where no file can be added, the last one grows
  if (file.log.size() >= options_.file_bytes) (void)add_file(file.number + 1);
  return {};
}

Status RowSpool::read(const Each& each) const {
  for (const File& file : files_) {
    ELASTANE_TRY(file.log.read(0, file.log.size(), [&](std::uint64_t, std::span<const std::byte> bytes) -> Status {
      ELASTANE_TRY_ASSIGN(RowBatch rows, parse_rows(bytes));
      return each(std::move(rows));
    }));
  }
  return {};
}

Result<std::vector<RowBatch>> RowSpool::rows(const std::string& id, std::uint64_t first, std::uint64_t last) const {
  std::vector<RowBatch> found;
  const auto stream = streams_.find(id);
  if (stream == streams_.end()) return found;
  for (const File& file : files_) {
    const Range range = file.range(stream->second);
    if (range.last < first || range.first > last) continue;
    ELASTANE_TRY(file.log.read(0, file.log.size(), [&](std::uint64_t, std::span<const std::byte> bytes) -> Status {
      ELASTANE_TRY_ASSIGN(RowBatch rows, parse_rows(bytes));
      if (rows.id == id && rows.last() >= first && rows.first <= last) found.push_back(std::move(rows));
      return {};
    }));
  }
  return found;
}

bool RowSpool::is_confirmed(const File& file, const std::function<std::uint64_t(const std::string&)>& confirmed) const {
  return std::ranges::all_of(streams_, [&](const auto& stream) {
    const std::uint64_t last = file.range(stream.second).last;
    return last == 0 || last <= confirmed(stream.first);
  });
}

// of the first file, to the last one: where no later file has rows of their streams
Status RowSpool::carry_last_rows() {
  const File& oldest = files_.front();
  std::vector<bool> stays(oldest.ranges.size());
  for (std::size_t i = 0; i < stays.size(); ++i) {
    stays[i] = std::none_of(files_.begin() + 1, files_.end(), [&](const File& each) { return each.range(i).last > 0; });
  }
  std::vector<RowBatch> last;
  ELASTANE_TRY(oldest.log.read(0, oldest.log.size(), [&](std::uint64_t, std::span<const std::byte> bytes) -> Status {
    ELASTANE_TRY_ASSIGN(const RowBatch rows, parse_rows(bytes));
    const std::size_t stream = streams_.at(rows.id);
    if (!stays[stream] || rows.last() != oldest.ranges[stream].last) return {};
    stays[stream] = false;
    const auto values = rows.row(rows.rows() - 1);
    last.push_back({.id = rows.id,
                    .first = rows.last(),
                    .has_dates = rows.has_dates,
                    .times = {rows.times.back()},
                    .values = {values.begin(), values.end()}});
    return {};
  }));
  for (const RowBatch& row : last) append(row);
  return last.empty() ? Status() : commit();
}

Status RowSpool::remove_old(const std::function<std::uint64_t(const std::string&)>& confirmed) {
  const auto now = std::chrono::steady_clock::now();
  while (files_.size() > 1) {
    File& oldest = files_.front();
    if (!oldest.confirmed && !is_confirmed(oldest, confirmed)) return {};
    if (!oldest.confirmed) oldest.confirmed = now;
    if (std::chrono::duration<double>(now - *oldest.confirmed).count() < options_.keep_seconds) return {};
    ELASTANE_TRY(carry_last_rows());
    std::error_code error;
    fs::remove(path(oldest.number), error);
    if (error) return Error{"[spool] " + path(oldest.number) + ": cannot be removed: " + error.message()};
    files_.pop_front();
  }
  return {};
}

}  // namespace elastane::serve
