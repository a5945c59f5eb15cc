#include "command_line/aligned_table.h"

#include <algorithm>

namespace elastane::command_line {
namespace {

// characters on a screen, of UTF-8: bytes that do not continue one
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string AlignedTable::text() const {
  std::vector<std::size_t> widths(header.size(), 3);
  const auto measure = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width(cells[i]));
  };
  measure(header);
  for (const auto& row : rows) measure(row);

  const auto is_left = [&](std::size_t column) { return static_cast<int>(column) < left; };
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string gap(widths[i] - width(cells[i]), ' ');
      out += "| " + (is_left(i) ? cells[i] + gap : gap + cells[i]) + " ";
    }
    out += "|\n";
  };
  line(header);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    out += "| " + std::string(widths[i] - 1, '-') + (is_left(i) ? "- " : ": ");
  }
  out += "|\n";
  for (const auto& row : rows) line(row);
  return out;
}

}  // namespace elastane::command_line
