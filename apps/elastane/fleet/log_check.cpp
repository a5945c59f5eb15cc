#include "apps/elastane/fleet/log_check.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace elastane::app {
namespace {

// the line without the number of the row and without micros, the only field that a clock decides
std::string without_clock(std::string_view line) {
  std::string text(line.substr(line.find(',')));
  const std::size_t begin = text.find("\"micros\":");
  if (begin != text.npos) text.erase(begin, text.find(',', begin) + 1 - begin);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

void LogCheck::expect_line(std::string_view line) {
  const auto json = nlohmann::json::parse(line);
  streams_[json.at("id").get<std::string>()].expected.push_back(without_clock(line));
  faults_.rows += 1;
}

void LogCheck::found(const serve::ForecastBatch& batch) {
  OneStream& stream = streams_[batch.id];
  for (const serve::ForecastRecord& each : batch.forecasts) {
    if (++stream.seen[each.number] > 1) {
      faults_.doubled += 1;
      continue;
    }
    if (each.number < stream.last) faults_.out_of_order += 1;
    stream.last = std::max(stream.last, each.number);
    std::string line;
    serve::append_line(batch.id, each, targets_, line);
    const std::string text = without_clock(line);
    const bool is_known = each.number >= 1 && each.number <= stream.expected.size();
    if (is_known && stream.expected[static_cast<std::size_t>(each.number - 1)] == text) continue;
    faults_.different += 1;
    if (!faults_.first_difference.empty()) continue;
    faults_.first_difference = "row " + std::to_string(each.number) + " of " + batch.id + ": expected " +
                               (is_known ? stream.expected[static_cast<std::size_t>(each.number - 1)] : "none") +
                               ", found " + text;
  }
}

LogFaults LogCheck::finish() const {
  LogFaults faults = faults_;
  for (const auto& [id, stream] : streams_) {
    for (std::uint64_t n = 1; n <= stream.expected.size(); ++n) faults.lost += stream.seen.contains(n) ? 0 : 1;
  }
  return faults;
}

}  // namespace elastane::app
