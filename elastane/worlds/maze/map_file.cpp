#include "elastane/worlds/maze/map_file.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "elastane/core/base/random.h"

namespace elastane::maze {
namespace {

constexpr int kTries = 10'000;  // at finding a wall that may open

Error wrong(const std::string& where, const std::string& expected, const std::string& found,
            const char* change = "see the MovingAI format") {
  return Error{"[maze] " + where + ": expected " + expected + ", found " + found + "; " + change};
}

std::string line_name(int line) { return "line " + std::to_string(line); }
std::string cell_name(Cell c) { return "cell (" + std::to_string(c.x) + ", " + std::to_string(c.y) + ")"; }
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
      return wrong(line_name(lines.number()), "width and height before the map", "none");
    }
    const auto fields = fields_of(*line);
    const bool pair = fields.size() == 2;
    if (pair && fields[0] == "type") {
      if (fields[1] != "octile") return wrong(line_name(lines.number()), "type octile", quoted(fields[1]));
    } else if (pair && (fields[0] == "width" || fields[0] == "height")) {
      const auto side = number_of<int>(fields[1]);
      if (!side || *side < 1 || *side > kMostSide)
        return wrong(line_name(lines.number()), std::string(fields[0]) + " from 1 to 4096", quoted(fields[1]));
      (fields[0] == "width" ? header.width : header.height) = *side;
    } else {
      return wrong(line_name(lines.number()), "type, width, height or map", quoted(*line));
    }
  }
  return wrong("map", "a line that says map", "the end of the text");
}

bool is_free(char letter) { return letter == '.' || letter == 'G' || letter == 'S'; }
bool is_solid(char letter) { return letter == '@' || letter == 'O' || letter == 'T' || letter == 'W'; }

// cells on a shortest way from the start to the goal, without these two
std::vector<Cell> way_of(const Task& task) {
  const std::vector<double> lengths = lengths_to(task.before, task.goal, task.moves);
  std::vector<Cell> way;
  Cell at = task.start;
  while (!(at == task.goal)) {
    int best = kStay;
    double least = kNoWay;
    for (int w = 0; w < way_count(task.moves); ++w) {
      if (!task.before.can_move(at, w)) continue;
      const Cell next = at + kWays[static_cast<std::size_t>(w)];
      const double length = way_length(w) + lengths[static_cast<std::size_t>(task.before.index(next))];
      if (length < least) least = length, best = w;
    }
    at = at + kWays[static_cast<std::size_t>(best)];
    if (!(at == task.goal)) way.push_back(at);
  }
  return way;
}

// does everybody who had a way still have one?
bool keeps_ways(const Task& task) {
  const std::vector<double> had = lengths_to(task.before, task.goal, task.moves);
  const std::vector<double> have = lengths_to(task.after, task.goal, task.moves);
  for (int i = 0; i < task.after.cells(); ++i) {
    const auto c = static_cast<std::size_t>(i);
    if (had[c] < kNoWay && !task.after.is_wall(i) && have[c] == kNoWay) return false;
  }
  return true;
}

}  // namespace

Result<Grid> parse_map(std::string_view text) {
  Lines lines(text);
  const auto header = parse_header(lines);
  if (!header) return Error{header.error()};
  Grid map(header->width, header->height, true);
  for (int y = 0; y < header->height; ++y) {
    const auto line = lines.next();
    if (!line) return wrong("map", std::to_string(header->height) + " rows", std::to_string(y));
    if (line->size() != static_cast<std::size_t>(header->width)) {
      return wrong(line_name(lines.number()), std::to_string(header->width) + " cells", std::to_string(line->size()),
                   "make all rows as wide as the map says it is");
    }
    for (int x = 0; x < header->width; ++x) {
      const char letter = (*line)[static_cast<std::size_t>(x)];
      if (!is_free(letter) && !is_solid(letter))
        return wrong(cell_name({x, y}), "one of . G S @ O T W", quoted({&letter, 1}));
      map.set_wall({x, y}, is_solid(letter));
    }
  }
  return map;
}

Result<std::vector<MapErrand>> parse_errands(std::string_view text) {
  Lines lines(text);
  std::vector<MapErrand> errands;
  while (const auto line = lines.next()) {
    const auto fields = fields_of(*line);
    if (fields.empty() || fields[0] == "version") continue;
    if (fields.size() != 9) return wrong(line_name(lines.number()), "9 fields", std::to_string(fields.size()));
    int whole[6];
    for (std::size_t i = 0; i < 6; ++i) {
      const auto value = number_of<int>(fields[2 + i]);
      if (!value || *value < 0 || *value > kMostSide)
        return wrong(line_name(lines.number()), "a whole number from 0 to 4096", quoted(fields[2 + i]));
      whole[i] = *value;
    }
    const auto shortest = number_of<double>(fields[8]);
    if (!shortest || !(*shortest >= 0) || !std::isfinite(*shortest))
      return wrong(line_name(lines.number()), "a length", quoted(fields[8]));
    errands.push_back({.map = std::string(fields[1]),
                       .width = whole[0],
                       .height = whole[1],
                       .start = {whole[2], whole[3]},
                       .goal = {whole[4], whole[5]},
                       .shortest = *shortest});
  }
  return errands;
}

Result<Task> make_task(const Grid& map, const MapErrand& errand, Told told) {
  if (map.width() != errand.width || map.height() != errand.height) {
    const auto size = [](int width, int height) { return std::to_string(width) + " x " + std::to_string(height); };
    return wrong("map", size(errand.width, errand.height), size(map.width(), map.height()),
                 "take the map that the scenario names");
  }
  for (const auto& [name, cell] : {std::pair{"start", errand.start}, std::pair{"goal", errand.goal}}) {
    if (map.has(cell) && !map.is_wall(cell)) continue;
    return wrong(std::string(name) + " at " + cell_name(cell), "a free cell", map.has(cell) ? "a wall" : "the outside",
                 "begin and end where one can stand");
  }
  Task task{.plan = told == Told::map ? map : Grid(map.width(), map.height(), false),
            .before = map,
            .after = map,
            .doors = {},
            .start = errand.start,
            .goal = errand.goal,
            .moves = Moves::eight};
  measure(task);
  if (task.shortest < kNoWay) return task;
  return wrong("way from " + cell_name(errand.start) + " to " + cell_name(errand.goal), "one", "none",
               "open a wall between them");
}

Task with_change(Task task, const WallChange& change, std::uint64_t seed) {
  Random random(seed, 9ULL << 48U);
  task.seed = seed;
  std::vector<Cell> way = way_of(task);
  for (int closed = 0; closed < change.closed && !way.empty();) {
    const auto which = static_cast<std::size_t>(random.below(static_cast<int>(way.size())));
    const Cell c = way[which];
    way.erase(way.begin() + static_cast<std::ptrdiff_t>(which));
    task.after.set_wall(c, true);
    if (!keeps_ways(task)) {
      task.after.set_wall(c, false);
      continue;
    }
    task.doors.push_back(c);
    ++closed;
  }
  for (int opened = 0, tries = 0; opened < change.opened && tries < kTries; ++tries) {
    const Cell c = task.after.cell(random.below(task.after.cells()));
    if (!task.before.is_wall(c) || !task.after.is_wall(c)) continue;
    task.after.set_wall(c, false);
    task.doors.push_back(c);
    ++opened;
  }
  task.change_at = static_cast<int>(task.shortest * random.uniform(0.1, 0.5));
  return task;
}

}  // namespace elastane::maze
