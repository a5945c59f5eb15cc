#include "lab/maze/map_file.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "elastane/io/file.h"
#include "lab/maze/map_error.h"

namespace elastane::maze {
namespace {

std::string line_name(int line) { return "line " + std::to_string(line); }
std::string quoted(std::string_view text) {
  std::string shown = "'";
  for (const char c : text.substr(0, 40)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + "'";
}

// lines one after the other, without their ends
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return line;
  }
  int number() const { return number_; }

 private:
  std::string_view rest_;
  int number_ = 0;
};

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (!line.empty()) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
  return fields;
}

template <class T>
std::optional<T> number_of(std::string_view text) {
  T value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct MapHeader {
  int width = 0, height = 0;
};

// "type octile", "height 32", "width 32", "map", in any order but for the last
Result<MapHeader> parse_header(Lines& lines) {
  MapHeader header;
  while (const auto line = lines.next()) {
    if (*line == "map") {
      if (header.width > 0 && header.height > 0) return header;
      return map_error(line_name(lines.number()), "width and height before the map", "none");
    }
    const auto fields = fields_of(*line);
    const bool pair = fields.size() == 2;
    if (pair && fields[0] == "type") {
      if (fields[1] != "octile") return map_error(line_name(lines.number()), "type octile", quoted(fields[1]));
    } else if (pair && (fields[0] == "width" || fields[0] == "height")) {
      const auto side = number_of<int>(fields[1]);
      if (!side || *side < 1 || *side > kMaxSide)
        return map_error(line_name(lines.number()), std::string(fields[0]) + " from 1 to 4096", quoted(fields[1]));
      (fields[0] == "width" ? header.width : header.height) = *side;
    } else {
      return map_error(line_name(lines.number()), "type, width, height or map", quoted(*line));
    }
  }
  return map_error("map", "a line that says map", "the end of the text");
}

bool is_free(char letter) { return letter == '.' || letter == 'G' || letter == 'S'; }
bool is_solid(char letter) { return letter == '@' || letter == 'O' || letter == 'T' || letter == 'W'; }

}  // namespace

Result<Grid> parse_map(std::string_view text) {
  Lines lines(text);
  const auto header = parse_header(lines);
  if (!header) return Error{header.error()};
  Grid map(header->width, header->height, true);
  for (int y = 0; y < header->height; ++y) {
    const auto line = lines.next();
    if (!line) return map_error("map", std::to_string(header->height) + " rows", std::to_string(y));
    if (line->size() != static_cast<std::size_t>(header->width)) {
      return map_error(line_name(lines.number()), std::to_string(header->width) + " cells",
                       std::to_string(line->size()), "make all rows as wide as the map says it is");
    }
    for (int x = 0; x < header->width; ++x) {
      const char letter = (*line)[static_cast<std::size_t>(x)];
      if (!is_free(letter) && !is_solid(letter))
        return map_error(cell_name({x, y}), "one of . G S @ O T W", quoted({&letter, 1}));
      map.set_wall({x, y}, is_solid(letter));
    }
  }
  while (const auto line = lines.next()) {
    if (fields_of(*line).empty()) continue;
    return map_error(line_name(lines.number()), "the end after " + std::to_string(header->height) + " rows",
                     quoted(*line), "make the height as many as there are rows");
  }
  return map;
}

Result<std::vector<MapScenario>> parse_scenarios(std::string_view text) {
  Lines lines(text);
  std::vector<MapScenario> scenarios;
  while (const auto line = lines.next()) {
    const auto fields = fields_of(*line);
    if (fields.empty() || fields[0] == "version") continue;
    if (fields.size() != 9) return map_error(line_name(lines.number()), "9 fields", std::to_string(fields.size()));
    int whole[6];
    for (std::size_t i = 0; i < 6; ++i) {
      const auto value = number_of<int>(fields[2 + i]);
      if (!value || *value < 0 || *value > kMaxSide)
        return map_error(line_name(lines.number()), "a whole number from 0 to 4096", quoted(fields[2 + i]));
      whole[i] = *value;
    }
    const auto shortest = number_of<double>(fields[8]);
    if (!shortest || !(*shortest >= 0) || !std::isfinite(*shortest))
      return map_error(line_name(lines.number()), "a length", quoted(fields[8]));
    scenarios.push_back({.map = std::string(fields[1]),
                         .width = whole[0],
                         .height = whole[1],
                         .start = {whole[2], whole[3]},
                         .goal = {whole[4], whole[5]},
                         .shortest = *shortest});
  }
  return scenarios;
}

std::string text_of(const std::string& path) {
  const FileContent file = FileContent::open(path).value();
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

}  // namespace elastane::maze
