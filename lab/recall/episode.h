// A prompt with an instruction: six tasks that look alike but for one step, the marker, which names the task.
//
//   0                                                          first_query       length
//   |sink|······ records far from the queries ······|·· window ··|········ queries |
//
// Every step carries a value of an order-2 Markov chain. Some steps also bind a key to their value, one of them is
// flagged as the needle, some carry a point (x, y) of a noisy line. The last steps are queries: each asks for a key and for a
// point, and only the marker says which of six questions is meant:
//
//   recall      the value that the asked key was bound to
//   needle      the value of the flagged step
//   copy        the value of three steps ago
//   majority    whether most of the last nine values are in the upper half
//   markov      the value that most often follows the last two
//   regression  in which cell of y the line is at the asked x
//
// Records and the needle lie outside of what a streaming head sees from a query (sink and window of `layout`).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace elastane::recall {

enum class Task : std::uint8_t { recall, needle, copy, majority, markov, regression };
inline constexpr int kTasks = 6;
inline constexpr std::array<std::string_view, kTasks> kTaskNames = {"recall",   "needle", "copy",
                                                                    "majority", "markov", "regression"};

// where the marker is
enum class Position : std::uint8_t { front, middle, end };
inline constexpr int kPositions = 3;
inline constexpr std::array<std::string_view, kPositions> kPositionNames = {"front", "middle", "end"};

inline constexpr int kValues = 8, kKeys = 8, kRecords = 6, kQueries = 12;
inline constexpr int kCopyLag = 3, kMajorityWindow = 9;
inline constexpr double kSlope = 1.0, kLevel = 0.5, kHeight = kSlope + kLevel;  // of the line: y within ±kHeight
inline constexpr double kPointNoise = 0.05;

// what a streaming head sees of the past, in steps
struct Layout {
  int block = 16, sink = 16, local = 32;
};

struct Step {
  int value = 0;
  int key = -1;  // bound to the value; in a query: asked for
  bool needle = false, query = false;
  bool point = false;  // x is given; y too, unless this is a query
  double x = 0, y = 0;
  int marker = -1;  // the task, in one step
  int label = -1;   // of a query
};

struct Episode {
  Task task = Task::recall;
  Position position = Position::front;
  double slope = 0, level = 0;  // of the line
  std::vector<Step> steps;

  int length() const { return static_cast<int>(steps.size()); }
  int first_query() const { return length() - kQueries; }
};

struct EpisodeOptions {
  Task task = Task::recall;
  Position position = Position::front;
  int length = 128;  // a multiple of the block, at least shortest(layout)
  int records = kRecords;
  Layout layout = {};
  // for training: copy, majority and Markov, which every step can answer, are asked at every step from the marker on
  bool practice = false;
};

// the first step that a streaming head sees of its window from the last block
int window_begin(int length, const Layout& layout);
// room for the records between sink and window
int shortest(const Layout& layout);

// the value that most often follows two others: a Latin square, so that all values are equally frequent
int successor(int before_last, int last);

// the cell of y, 0 … kValues − 1
int cell_of(double y);

// depends on its arguments alone
Episode draw_episode(std::uint64_t seed, const EpisodeOptions& options);

// the label of step t, worked out from the steps up to t; −1 if t is not a query
int label_at(const Episode& episode, int t);

}  // namespace elastane::recall
