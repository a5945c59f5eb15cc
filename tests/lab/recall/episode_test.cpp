// lab/recall/episode.cpp: labels follow from the prompt, records lie as far as asked, and nothing gives answers away.
#include "lab/recall/episode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

namespace elastane::recall {
namespace {

struct Kind {
  Task task;
  Position position;
  int length;
};

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  for (int task = 0; task < kTasks; ++task) {
    for (int position = 0; position < kPositions; ++position) {
      for (const int length : {64, 128, 1024}) {
        all.push_back({static_cast<Task>(task), static_cast<Position>(position), length});
      }
    }
  }
  return all;
}

template <class Check>
void for_episodes(int count, Check check) {
  for (const Kind& kind : kinds()) {
    for (int seed = 0; seed < count; ++seed) {
      check(draw_episode(static_cast<std::uint64_t>(seed),
                         {.task = kind.task, .position = kind.position, .length = kind.length}));
    }
  }
}

int marker_of(const Episode& e) {
  int found = -1;
  for (int t = 0; t < e.length(); ++t) {
    if (e.steps[t].marker < 0) continue;
    EXPECT_EQ(found, -1) << "a second marker";
    found = t;
  }
  return found;
}

TEST(Episode, HasOneMarkerWhereItWasAskedFor) {
  for_episodes(20, [](const Episode& e) {
    const int at = marker_of(e), window = window_begin(e.length(), {}), last_block = e.length() - Layout{}.block;
    ASSERT_GE(at, 0);
    EXPECT_EQ(e.steps[at].marker, static_cast<int>(e.task));
    const int first[] = {0, Layout{}.sink, window}, end[] = {1, window, last_block};
    const auto position = static_cast<std::size_t>(e.position);
    EXPECT_TRUE(at >= first[position] && at < end[position]) << at;
  });
}

TEST(Episode, KeepsRecordsAndTheNeedleHiddenFromStreamingHeads) {
  for_episodes(20, [](const Episode& e) {
    const Layout layout;
    int needles = 0;
    std::set<int> keys;
    for (int t = 0; t < e.first_query(); ++t) {
      const Step& step = e.steps[t];
      needles += step.needle ? 1 : 0;
      if (step.key < 0) continue;
      EXPECT_TRUE(keys.insert(step.key).second) << "a key is bound once";
      EXPECT_GE(t, layout.sink);
      EXPECT_LT(t, e.length() - layout.local);  // the first query sees the blocks from there on
    }
    EXPECT_EQ(static_cast<int>(keys.size()), kRecords);
    EXPECT_EQ(needles, 1);
    for (int t = e.first_query(); t < e.length(); ++t) EXPECT_TRUE(keys.contains(e.steps[t].key));
  });
}

TEST(Episode, HasLabelsThatFollowFromThePrompt) {
  for_episodes(20, [](const Episode& e) {
    for (int t = 0; t < e.length(); ++t) {
      EXPECT_EQ(e.steps[t].query, t >= e.first_query());
      EXPECT_EQ(e.steps[t].label, label_at(e, t));
      EXPECT_EQ(e.steps[t].label >= 0, e.steps[t].query);
      EXPECT_LT(e.steps[t].label, kValues);
      EXPECT_TRUE(!e.steps[t].query || e.steps[t].y == 0) << "a query must not carry its answer";
    }
  });
}

TEST(Episode, DiffersBetweenTasksInMarkerAndLabelsAlone) {
  const Episode a = draw_episode(3, {.task = Task::recall}), b = draw_episode(3, {.task = Task::majority});
  for (int t = 0; t < a.length(); ++t) {
    Step x = a.steps[t], y = b.steps[t];
    EXPECT_EQ(x.value, y.value);
    EXPECT_EQ(x.key, y.key);
    EXPECT_EQ(x.needle, y.needle);
    EXPECT_EQ(x.point, y.point);
    EXPECT_EQ(x.x, y.x);
    EXPECT_EQ(x.y, y.y);
  }
}

TEST(Episode, WithPracticeAsksLocalTasksFromTheMarkerOn) {
  for (int task = 0; task < kTasks; ++task) {
    const EpisodeOptions plain{.task = static_cast<Task>(task), .position = Position::middle};
    EpisodeOptions practice = plain;
    practice.practice = true;
    const Episode a = draw_episode(5, plain), b = draw_episode(5, practice);
    const bool local = b.task == Task::copy || b.task == Task::majority || b.task == Task::markov;
    bool marked = false;  // the marker was there
    for (int t = 0; t < a.length(); ++t) {
      marked |= b.steps[t].marker >= 0;
      const bool extra = local && marked && t < b.first_query();
      EXPECT_EQ(b.steps[t].label >= 0, extra || b.steps[t].query) << t;
      EXPECT_TRUE(extra || a.steps[t].label == b.steps[t].label) << t;
      EXPECT_TRUE(!extra || b.task != Task::copy || b.steps[t].label == b.steps[t - kCopyLag].value) << t;
    }
  }
}

TEST(Episode, DependsOnItsArgumentsAlone) {
  const EpisodeOptions options{.task = Task::regression, .position = Position::middle};
  const Episode a = draw_episode(11, options), b = draw_episode(11, options), c = draw_episode(12, options);
  bool differs = false;
  for (int t = 0; t < a.length(); ++t) {
    EXPECT_EQ(a.steps[t].value, b.steps[t].value);
    EXPECT_EQ(a.steps[t].label, b.steps[t].label);
    differs |= a.steps[t].value != c.steps[t].value;
  }
  EXPECT_TRUE(differs);
}

TEST(Episode, GivesNothingAwayByFrequency) {
  // recalled values are uniform: the best guess without the prompt is right once in kValues
  std::array<int, kValues> count = {};
  const int episodes = 4000;
  for (int seed = 0; seed < episodes; ++seed) {
    const Episode e = draw_episode(static_cast<std::uint64_t>(seed), {.task = Task::recall, .length = 64});
    ++count[static_cast<std::size_t>(e.steps.back().label)];
  }
  const double expected = static_cast<double>(episodes) / kValues;
  double chi = 0;
  for (const int n : count) chi += (n - expected) * (n - expected) / expected;
  EXPECT_LT(chi, 24.3);  // 7 degrees of freedom, p = .001
}

TEST(Episode, HasASuccessorTableThatIsALatinSquare) {
  for (int a = 0; a < kValues; ++a) {
    std::set<int> row, column;
    for (int b = 0; b < kValues; ++b) row.insert(successor(a, b)), column.insert(successor(b, a));
    EXPECT_EQ(static_cast<int>(row.size()), kValues);
    EXPECT_EQ(static_cast<int>(column.size()), kValues);
  }
}

TEST(Episode, HasCellsThatCoverTheLine) {
  EXPECT_EQ(cell_of(-kHeight), 0);
  EXPECT_EQ(cell_of(kHeight), kValues - 1);
  EXPECT_EQ(cell_of(-1e9), 0);
  EXPECT_EQ(cell_of(1e-6), kValues / 2);
}

TEST(Episode, RefusesLengthsWithoutRoom) {
  EXPECT_THROW(draw_episode(1, {.length = 48}), std::invalid_argument);
  EXPECT_THROW(draw_episode(1, {.length = 130}), std::invalid_argument);
  EXPECT_THROW(draw_episode(1, {.length = 128, .layout = {.block = 8, .sink = 8, .local = 16}}), std::invalid_argument);
  EXPECT_EQ(shortest({}), 64);
}

}  // namespace
}  // namespace elastane::recall
