// Tests of elastane/io/trace.cpp: whole lines or a reason.
#include "elastane/io/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/io/folder.h"
#include "tests/io/small_disk.h"
#include "tests/io/trace_steps.h"

namespace elastane {
namespace {

std::vector<TraceStep> random_steps(int count, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<TraceStep> steps;
  for (int i = 0; i < count; ++i) steps.push_back(random_step(random));
  return steps;
}

void write_trace(const std::string& path, const std::vector<TraceStep>& steps, const TraceFields& fields = {},
                 const TraceOptions& options = {}) {
  TraceWriter writer = TraceWriter::open(path, fields, options).value();
  for (const TraceStep& step : steps) writer.write(step.position, step.time, step.report).value();
  writer.close().value();
}

struct Read {
  std::vector<TraceStep> steps;
  bool torn = false;
  std::string error;
};
Read read(const std::string& path) {
  Read found;
  const auto end = read_trace(path, [&](const TraceStep& step) { found.steps.push_back(step); });
  if (!end) return found.error = end.error(), found;
  EXPECT_EQ(end->steps, found.steps.size());
  found.torn = end->torn;
  return found;
}

bool same(const std::vector<TraceStep>& a, const std::vector<TraceStep>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const TraceStep& x, const TraceStep& y) { return elastane::same(x, y); });
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// --- there and back

TEST(Trace, GivesBackEveryStep) {
  const Folder folder;
  const auto steps = random_steps(1000);  // about ten of the reader's chunks
  for (const std::size_t buffer : {std::size_t{0}, std::size_t{1}, std::size_t{5000}, std::size_t{1} << 30}) {
    write_trace(folder / "t", steps, {{"model", "lorenz"}}, {.buffer = buffer});
    const Read found = read(folder / "t");
    EXPECT_EQ(found.error, "");
    EXPECT_FALSE(found.torn);
    EXPECT_TRUE(same(found.steps, steps)) << buffer;
  }
}

TEST(Trace, GivesBackItsHeader) {
  const Folder folder;
  const TraceFields fields = {
      {"model", "a \"quoted\"\nname \\ ü"}, {"metric", "sketch"}, {"", ""}, {"big", std::string(200'000, 'x')}};
  write_trace(folder / "t", random_steps(3), fields);
  TraceReader reader = TraceReader::open(folder / "t").value();
  EXPECT_EQ(reader.fields(), fields);
  EXPECT_EQ(reader.line(), 1U);
  TraceStep step;
  EXPECT_TRUE(reader.next(step).value());
  EXPECT_EQ(reader.line(), 2U);
}

TEST(Trace, ReadsOtherValuesOfAHeaderAsJson) {
  const Folder folder;
  write_text(folder / "t", "{\"model\":\"m\", \"depth\":[1, 2], \"elastane_trace\":1, \"seed\":7, \"x\":null}\n");
  const TraceFields expected = {{"model", "m"}, {"depth", "[1,2]"}, {"seed", "7"}, {"x", "null"}};
  EXPECT_EQ(TraceReader::open(folder / "t").value().fields(), expected);
}

TEST(Trace, WithoutStepsIsATrace) {
  const Folder folder;
  write_trace(folder / "t", {});
  EXPECT_EQ(read_text(folder / "t"), "{\"elastane_trace\":1}\n");
  EXPECT_EQ(read(folder / "t").error, "");
}

TEST(Trace, ReplacesAnOlderOne) {
  const Folder folder;
  write_trace(folder / "t", random_steps(10));
  write_trace(folder / "t", random_steps(2, 5));
  EXPECT_EQ(read(folder / "t").steps.size(), 2U);
}

// --- crashes

TEST(TraceWriter, HasEveryStepInTheFileAtOnce) {
  const Folder folder;
  const auto steps = random_steps(20);
  TraceWriter writer = TraceWriter::open(folder / "t").value();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    ASSERT_TRUE(writer.write(steps[i].position, steps[i].time, steps[i].report));
    const Read found = read(folder / "t");  // what a crash would leave
    EXPECT_FALSE(found.torn);
    EXPECT_EQ(found.steps.size(), i + 1);
  }
}

TEST(TraceWriter, WithABufferHasWholeLinesInTheFile) {
  const Folder folder;
  const auto steps = random_steps(200);
  TraceWriter writer = TraceWriter::open(folder / "t", {}, {.buffer = 10'000}).value();
  std::size_t most_waiting = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    ASSERT_TRUE(writer.write(steps[i].position, steps[i].time, steps[i].report));
    const Read found = read(folder / "t");
    EXPECT_FALSE(found.torn);
    most_waiting = std::max(most_waiting, i + 1 - found.steps.size());
  }
  EXPECT_GT(most_waiting, 1U);
  EXPECT_LT(most_waiting, 30U);
  ASSERT_TRUE(writer.flush());
  EXPECT_EQ(read(folder / "t").steps.size(), steps.size());
}

TEST(TraceReader, LeavesOutALastLineThatWasCutAnywhere) {
  const Folder folder;
  const auto steps = random_steps(3);
  write_trace(folder / "t", steps);
  const std::string whole = read_text(folder / "t");
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t size = whole.size(); size >= last; --size) {
    std::filesystem::resize_file(folder / "t", size);
    const Read found = read(folder / "t");
    ASSERT_EQ(found.error, "") << size;
    // with nothing of the line, or with all but its newline, nothing is torn
    const bool is_whole = size >= whole.size() - 1;
    EXPECT_EQ(found.torn, size > last && !is_whole) << size;
    EXPECT_TRUE(same(found.steps, {steps.begin(), steps.end() - (is_whole ? 0 : 1)})) << size;
  }
  // what a file system may leave after a power cut
  for (const std::size_t size : {last, last + 10, whole.size() - 1, whole.size()}) {
    write_text(folder / "zeros", whole.substr(0, size) + std::string(4096, '\0'));
    EXPECT_TRUE(read(folder / "zeros").torn) << size;
  }
}

TEST(TraceReader, RefusesALastLineThatIsWholeAndWrong) {
  const Folder folder;
  write_text(folder / "t", "{\"elastane_trace\":1}\n{\"step\":1}");
  EXPECT_TRUE(contains(read(folder / "t").error, "line 2: expected the field time, found none"));
}

// --- disks that are full

TEST(TraceWriter, SaysThatTheDiskIsFullOnTheNextWriteAndOnClose) {
  const Folder folder;
  const auto steps = random_steps(20);
  std::string first;
  {
    const SmallDisk full(5000);
    TraceWriter writer = TraceWriter::open(folder / "t").value();
    for (const TraceStep& step : steps) {
      const Status status = writer.write(step.position, step.time, step.report);
      if (first.empty()) first = status.error();
      EXPECT_EQ(status.error(), first);
    }
    EXPECT_EQ(writer.flush().error(), first);
    EXPECT_EQ(writer.close().error(), first);
    EXPECT_EQ(writer.close().error(), first);
  }
  EXPECT_TRUE(first.starts_with("[trace] " + (folder / "t") + ": cannot write: ")) << first;
  // what did fit can be read
  const Read found = read(folder / "t");
  EXPECT_EQ(found.error, "");
  EXPECT_GE(found.steps.size(), 3U);
  EXPECT_TRUE(same(found.steps, {steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(found.steps.size())}));
}

TEST(TraceWriter, WithABufferSaysAtTheLatestOnCloseThatTheDiskIsFull) {
  const Folder folder;
  const SmallDisk full(2000);
  TraceWriter writer = TraceWriter::open(folder / "t", {}, {.buffer = 1 << 20}).value();
  for (const TraceStep& step : random_steps(20)) EXPECT_TRUE(writer.write(step.position, step.time, step.report));
  EXPECT_TRUE(contains(writer.close().error(), "cannot write: "));
}

TEST(TraceWriter, SaysWhyItCannotBeOpened) {
  const Folder folder;
  for (const std::string& path : {folder / "missing/t", folder.path(), std::string("/dev/full"), std::string()}) {
    const auto writer = TraceWriter::open(path);
    ASSERT_FALSE(writer) << path;
    EXPECT_TRUE(writer.error().starts_with("[trace] " + path + ": cannot ")) << writer.error();
  }
  EXPECT_TRUE(contains(TraceWriter::open(folder / "t", {{"elastane_trace", "2"}}).error(), "name it otherwise"));
  EXPECT_TRUE(contains(TraceWriter::open(folder / "t", {{"model", "\xff\xfe"}}).error(),
                       "expected the header's fields in UTF-8"));
  EXPECT_TRUE(contains(TraceWriter::open(folder / "t", {{"x", std::string(2 << 20, 'x')}}).error(),
                       "expected a header of at most"));
  EXPECT_EQ(folder.files(), 0);
}

TEST(TraceWriter, MayWriteToDevicesAndPipes) {
  TraceWriter writer = TraceWriter::open("/dev/null").value();
  EXPECT_TRUE(writer.write(1, 0, {}));
  EXPECT_TRUE(writer.close());
}

TEST(TraceWriter, ThatIsClosedWritesNoMore) {
  const Folder folder;
  TraceWriter writer = TraceWriter::open(folder / "t").value();
  EXPECT_TRUE(writer.close());
  EXPECT_TRUE(writer.close());
  EXPECT_TRUE(contains(writer.write(1, 0, {}).error(), "expected an open trace, found it closed"));
  EXPECT_EQ(read(folder / "t").steps.size(), 0U);
}

TEST(TraceWriter, IsMovedWithWhatItGathered) {
  const Folder folder;
  {
    TraceWriter a = TraceWriter::open(folder / "a", {}, {.buffer = 1 << 20}).value();
    TraceWriter b = TraceWriter::open(folder / "b", {}, {.buffer = 1 << 20}).value();
    EXPECT_TRUE(a.write(1, 0, {}));
    EXPECT_TRUE(b.write(2, 0, {}));
    TraceWriter moved = std::move(a);
    EXPECT_TRUE(moved.write(3, 0, {}));
    moved = std::move(b);
    EXPECT_TRUE(moved.write(4, 0, {}));
  }
  for (const char* name : {"a", "b"}) {
    const Read found = read(folder / name);
    ASSERT_EQ(found.steps.size(), 2U) << name;
    EXPECT_EQ(found.steps[1].position, found.steps[0].position + 2);
  }
}

// --- files that are not traces

TEST(TraceReader, SaysWhyItCannotBeOpened) {
  const Folder folder;
  EXPECT_TRUE(contains(read(folder / "missing").error, "cannot open: No such file"));
  EXPECT_TRUE(contains(read(folder.path()).error, "expected a trace, found a folder"));
  const auto refusal = [&](const std::string& text) {
    write_text(folder / "t", text);
    const std::string error = read(folder / "t").error;
    EXPECT_TRUE(error.starts_with("[trace] " + (folder / "t"))) << error;
    EXPECT_LT(error.size(), 400U);
    return error;
  };
  const std::string header = "expected a header {\"elastane_trace\":1,…} in line 1, found ";
  EXPECT_TRUE(contains(refusal(""), header + "an empty file"));
  EXPECT_TRUE(contains(refusal("\n"), header));
  EXPECT_TRUE(contains(refusal("step,time\n1,2\n"), header + "step,time; this is not a trace"));
  EXPECT_TRUE(contains(refusal("{\"step\":1}\n"), header + "{\"step\":1}; this is not a trace"));
  EXPECT_TRUE(contains(refusal("{\"elastane_tr"), header));
  EXPECT_TRUE(contains(refusal("[\"elastane_trace\",1]\n"), header));
  EXPECT_TRUE(contains(refusal("{\"elastane_trace\":\"1\"}\n"), header));
  EXPECT_TRUE(contains(refusal("{\"elastane_trace\":1,\"elastane_trace\":1}\n"), header));
  EXPECT_TRUE(contains(refusal(std::string("{\"elastane_trace\":1}\0x\n", 23)), header + "a zero byte"));
  EXPECT_TRUE(contains(refusal(std::string(100'000, '\0')), header));
  EXPECT_TRUE(contains(refusal("{\"elastane_trace\":" + std::string(100'000, '[') + "\n"), header));
  EXPECT_TRUE(contains(refusal("{\"elastane_trace\":2}\n"), "expected version 1, found 2"));
  EXPECT_TRUE(
      contains(refusal(std::string(3 << 20, 'x')), "line 1: expected at most 1048576 bytes, found more; this is"));
}

TEST(TraceReader, NamesTheLineItRefuses) {
  const Folder folder;
  write_trace(folder / "t", random_steps(200));
  const std::string whole = read_text(folder / "t");
  for (const std::string wrong : {"garbage", "", "{}", "{\"step\":", "[1]", "\xff\xff"}) {
    for (const int line : {2, 3, 100, 201}) {
      std::size_t at = 0;
      for (int i = 1; i < line; ++i) at = whole.find('\n', at) + 1;
      write_text(folder / "bad", whole.substr(0, at) + wrong + "\n" + whole.substr(at));
      const Read found = read(folder / "bad");
      EXPECT_TRUE(
          found.error.starts_with("[trace] " + (folder / "bad") + ", line " + std::to_string(line) + ": expected "))
          << found.error;
      EXPECT_TRUE(found.error.ends_with("head -n " + std::to_string(line - 1) + " keeps them")) << found.error;
      EXPECT_EQ(found.steps.size(), static_cast<std::size_t>(line - 2));
    }
  }
}

TEST(TraceReader, ThatRefusedALineIsAtItsEnd) {
  const Folder folder;
  write_trace(folder / "t", random_steps(2));
  write_text(folder / "t", read_text(folder / "t") + "garbage\n" + read_text(folder / "t"));
  TraceReader reader = TraceReader::open(folder / "t").value();
  TraceStep step;
  EXPECT_TRUE(reader.next(step).value());
  EXPECT_TRUE(reader.next(step).value());
  EXPECT_FALSE(reader.next(step));
  EXPECT_FALSE(reader.next(step).value());
}

TEST(TraceReader, TakesLongLinesUpToALimit) {
  const Folder folder;
  constexpr std::size_t kLimit = 1 << 20;
  std::string line;
  append_trace_line({}, line);
  for (const std::size_t size : {std::size_t{70'000}, kLimit - 1, kLimit, kLimit + 1, kLimit + 70'000, 5 * kLimit}) {
    // a line of that size, by an unknown field, then one more
    std::string longer = "{\"x\":\"\"," + line.substr(1);
    longer.insert(6, std::string(size - (longer.size() - 1), 'x'));
    ASSERT_EQ(longer.size(), size + 1);
    write_text(folder / "t", "{\"elastane_trace\":1}\n" + longer + line);
    const Read found = read(folder / "t");
    EXPECT_EQ(found.error.empty(), size <= kLimit) << size << found.error;
    EXPECT_EQ(found.steps.size(), size <= kLimit ? 2U : 0U);
    const std::string why = size > kLimit ? "line 2: expected at most 1048576 bytes, found more" : "";
    EXPECT_TRUE(contains(found.error, why)) << found.error;
  }
}

}  // namespace
}  // namespace elastane
