#include "elastane/serve/nats/row_spool.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
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
  if (numbers.empty()) numbers.push_back(1);
  for (const std::uint64_t number : numbers) ELASTANE_TRY(spool.add_file(number));
  return spool;
}

Status RowSpool::add_file(std::uint64_t number) {
  ELASTANE_TRY_ASSIGN(AppendLog log, AppendLog::open(path(number)));
  File file{.number = number, .log = std::move(log), .last = {}};
  ELASTANE_TRY(file.log.read(0, file.log.size(), [&](std::uint64_t, std::span<const std::byte> bytes) -> Status {
    ELASTANE_TRY_ASSIGN(const RowBatch rows, parse_rows(bytes));
    file.last[rows.id] = std::max(file.last[rows.id], rows.last());
    return {};
  }));
  files_.push_back(std::move(file));
  return {};
}

void RowSpool::append(const RowBatch& rows) {
  File& file = files_.back();
  file.log.append(to_bytes(rows));
  file.last[rows.id] = std::max(file.last[rows.id], rows.last());
}

Status RowSpool::commit() {
  File& file = files_.back();
  ELASTANE_TRY(file.log.write());
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
  for (const File& file : files_) {
    if (const auto at = file.last.find(id); at == file.last.end() || at->second < first) continue;
    ELASTANE_TRY(file.log.read(0, file.log.size(), [&](std::uint64_t, std::span<const std::byte> bytes) -> Status {
      ELASTANE_TRY_ASSIGN(RowBatch rows, parse_rows(bytes));
      if (rows.id == id && rows.last() >= first && rows.first <= last) found.push_back(std::move(rows));
      return {};
    }));
  }
  return found;
}

Status RowSpool::remove_old(const std::function<std::uint64_t(const std::string&)>& confirmed) {
  while (files_.size() > 1) {
    const File& oldest = files_.front();
    const bool is_confirmed =
        std::ranges::all_of(oldest.last, [&](const auto& each) { return each.second <= confirmed(each.first); });
    std::error_code error;
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(path(oldest.number), error);
    const bool is_old = !error && std::chrono::duration<double>(age).count() >= options_.keep_seconds;
    if (!is_confirmed || !is_old) return {};
    fs::remove(path(oldest.number), error);
    if (error) return Error{"[spool] " + path(oldest.number) + ": cannot be removed: " + error.message()};
    files_.pop_front();
  }
  return {};
}

}  // namespace elastane::serve
