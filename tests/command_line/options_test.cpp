// command_line/options.h: what is declared is what is accepted, and everything else is refused with one line.
#include "command_line/options.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace elastane::command_line {
namespace {

using Words = std::vector<std::string>;

struct Values {
  bool flag = false;
  int count = 3;
  std::int64_t steps = -1;
  std::uint64_t seed = 1;
  double rate = 0.5;
  std::string name = "plain";
  std::optional<int> maybe_count;
  std::optional<std::int64_t> maybe_steps;
  std::optional<std::uint64_t> maybe_seed;
  std::optional<double> maybe_rate;
  std::optional<std::string> maybe_name;
  std::vector<int> counts;
  std::vector<double> rates;
  std::vector<std::string> names;
};

class Options : public ::testing::Test {
 protected:
  Options() {
    Command& work = program.command("work", "Does something");
    work.flag("--flag", v.flag, "a flag");
    work.option("-c,--count", v.count, "a count").range(1, 100);
    work.option("--steps", v.steps, "steps");
    work.option("--seed", v.seed, "a seed");
    work.option("--rate", v.rate, "a rate").above(0);
    work.option("--name", v.name, "a name").one_of({"plain", "fancy", "other"});
    work.option("--maybe-count", v.maybe_count, "a count");
    work.option("--maybe-steps", v.maybe_steps, "steps");
    work.option("--maybe-seed", v.maybe_seed, "a seed");
    work.option("--maybe-rate", v.maybe_rate, "a rate").at_least(0);
    work.option("--maybe-name", v.maybe_name, "a name").type("FILE");
    work.option("--counts", v.counts, "counts").range(0, 9);
    work.option("--rates", v.rates, "rates").values(2);
    work.option("--names", v.names, "names");
    work.option("--ribbon", ribbon, "a ribbon").only_with("--name", {"fancy", "other"});
    work.option("--bow", bow, "a bow").needs("--ribbon");
    work.flag("--bare", bare, "no ribbon").excludes("--flag");
    work.footer("Example:\n  tool work --flag");
    work.action([this] { return ++runs, 7; });
    Command& group = program.command("group", "A group of commands");
    group.command("first", "The first").alias("one").action([this] { return ++runs, 0; });
    group.command("second", "The second").action([] { return 0; });
  }

  Parsed given(Words words) { return parse(program, words); }
  Parsed work(Words words) {
    words.insert(words.begin(), "work");
    return parse(program, words);
  }

  // a refusal: exit code 2, nothing to run, and one line
  std::string refusal(const Parsed& parsed) {
    EXPECT_EQ(parsed.command, nullptr);
    EXPECT_EQ(parsed.code, 2);
    EXPECT_EQ(std::ranges::count(parsed.text, '\n'), 1) << parsed.text;
    EXPECT_TRUE(parsed.text.starts_with("tool: ") && parsed.text.ends_with("\n")) << parsed.text;
    return parsed.text;
  }

  Values v;
  std::string ribbon;
  int bow = 0, runs = 0;
  bool bare = false;
  Command program{"tool", "A tool"};
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(Options, ReadEveryKindOfTarget) {
  const Parsed parsed = work({"--flag",
                              "-c",
                              "5",
                              "--steps",
                              "-12345678901",
                              "--seed",
                              "18446744073709551615",
                              "--rate",
                              "1e-3",
                              "--name",
                              "fancy",
                              "--maybe-count",
                              "-2",
                              "--maybe-steps",
                              "9",
                              "--maybe-seed",
                              "8",
                              "--maybe-rate",
                              "0",
                              "--maybe-name",
                              "a b",
                              "--counts",
                              "1,2,3",
                              "--rates",
                              "0.5,-1",
                              "--names",
                              "x,y"});
  ASSERT_NE(parsed.command, nullptr) << parsed.text;
  EXPECT_TRUE(v.flag);
  EXPECT_EQ(v.count, 5);
  EXPECT_EQ(v.steps, -12345678901);
  EXPECT_EQ(v.seed, 18446744073709551615ULL);
  EXPECT_EQ(v.rate, 1e-3);
  EXPECT_EQ(v.name, "fancy");
  EXPECT_EQ(v.maybe_count, -2);
  EXPECT_EQ(v.maybe_steps, 9);
  EXPECT_EQ(v.maybe_seed, 8U);
  EXPECT_EQ(v.maybe_rate, 0.0);
  EXPECT_EQ(v.maybe_name, "a b");
  EXPECT_EQ(v.counts, (std::vector{1, 2, 3}));
  EXPECT_EQ(v.rates, (std::vector{0.5, -1.0}));
  EXPECT_EQ(v.names, (Words{"x", "y"}));
}

TEST_F(Options, LeaveWhatIsNotGivenAsItIs) {
  ASSERT_NE(work({}).command, nullptr);
  EXPECT_FALSE(v.flag);
  EXPECT_EQ(v.count, 3);
  EXPECT_EQ(v.name, "plain");
  EXPECT_FALSE(v.maybe_count || v.maybe_steps || v.maybe_seed || v.maybe_rate || v.maybe_name);
  EXPECT_TRUE(v.counts.empty() && v.rates.empty() && v.names.empty());
}

TEST_F(Options, RememberWhichWereGiven) {
  const Parsed parsed = work({"-c", "3"});
  ASSERT_NE(parsed.command, nullptr);
  EXPECT_TRUE(parsed.command->was_given("--count"));
  EXPECT_FALSE(parsed.command->was_given("--rate"));
  ASSERT_NE(work({}).command, nullptr);
  EXPECT_FALSE(parsed.command->was_given("--count"));
}

TEST_F(Options, RunTheActionAndReturnItsExitCode) {
  EXPECT_EQ(work({}).run(), 7);
  EXPECT_EQ(runs, 1);
  const char* arguments[] = {"tool", "work"};
  EXPECT_EQ(parse_and_run(program, 2, arguments), 7);
  EXPECT_EQ(runs, 2);
}

TEST_F(Options, RefuseNumbersOutsideOfTheirRange) {
  EXPECT_TRUE(holds(refusal(work({"--count", "0"})), "--count: expected 1 to 100, found 0"));
  EXPECT_TRUE(holds(refusal(work({"--count", "101"})), "--count: expected 1 to 100, found 101"));
  EXPECT_TRUE(holds(refusal(work({"--rate", "0"})), "--rate: expected more than 0, found 0"));
  EXPECT_TRUE(holds(refusal(work({"--maybe-rate", "-1"})), "--maybe-rate: expected at least 0, found -1"));
  EXPECT_TRUE(holds(refusal(work({"--maybe-rate", "nan"})), "--maybe-rate: expected at least 0, found nan"));
  EXPECT_TRUE(holds(refusal(work({"--counts", "1,10"})), "--counts: expected 0 to 9, found 10"));
}

TEST_F(Options, RefuseWhatIsNotANumber) {
  EXPECT_TRUE(holds(refusal(work({"--count", "many"})), "--count: expected a number, found many"));
  EXPECT_TRUE(holds(refusal(work({"--count", "1.5"})), "--count"));
  EXPECT_TRUE(holds(refusal(work({"--seed", "-1"})), "--seed"));
  EXPECT_TRUE(holds(refusal(work({"--maybe-steps", "x"})), "--maybe-steps"));
}

TEST_F(Options, RefuseWordsThatAreNotChoices) {
  EXPECT_TRUE(holds(refusal(work({"--name", "odd"})), "--name: expected one of plain, fancy, other, found odd"));
}

TEST_F(Options, RefuseListsOfAnotherLength) { refusal(work({"--rates", "1,2,3"})); }

TEST_F(Options, RefuseUnknownOptionsAndWords) {
  EXPECT_TRUE(holds(refusal(work({"--colour", "red"})), "--colour"));
  EXPECT_TRUE(holds(refusal(work({"more"})), "more"));
}

TEST_F(Options, RefuseAnOptionThatTheChosenValueDoesNotUse) {
  EXPECT_TRUE(holds(refusal(work({"--ribbon", "red"})),
                    "--ribbon: not used with --name plain; it is used with --name fancy, other"));
  EXPECT_NE(work({"--ribbon", "red", "--name", "fancy"}).command, nullptr);
  EXPECT_NE(work({"--name", "other", "--ribbon", "red"}).command, nullptr);
}

TEST_F(Options, RefuseAnOptionWithoutTheOneItNeeds) {
  EXPECT_TRUE(holds(refusal(work({"--bow", "1"})), "--bow: used only together with --ribbon"));
  EXPECT_NE(work({"--bow", "1", "--ribbon", "red", "--name", "fancy"}).command, nullptr);
}

TEST_F(Options, RefuseAnOptionTogetherWithTheOneItExcludes) {
  EXPECT_TRUE(holds(refusal(work({"--bare", "--flag"})), "--bare: not used together with --flag"));
  EXPECT_NE(work({"--bare"}).command, nullptr);
}

TEST_F(Options, RefuseUnknownCommandsAndSayWhichThereAre) {
  EXPECT_TRUE(holds(refusal(given({"play"})), R"(unknown command "play", expected one of work, group)"));
  EXPECT_TRUE(
      holds(refusal(given({"group", "third"})), R"(group: unknown command "third", expected one of first, second)"));
  refusal(given({}));
  refusal(given({"group"}));
}

TEST_F(Options, AcceptAnotherNameOfACommand) {
  EXPECT_EQ(given({"group", "one"}).run(), 0);
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(holds(given({"group", "--help"}).text, "one"));
}

TEST_F(Options, RefuseWhenWhatIsRequiredIsMissing) {
  std::string file;
  Command& read = program.command("read", "Reads a file");
  read.option("FILE", file, "the file").required();
  EXPECT_TRUE(holds(refusal(given({"read"})), "FILE is required"));
  EXPECT_NE(given({"read", "a,b.csv"}).command, nullptr);
  EXPECT_EQ(file, "a,b.csv");
}

TEST_F(Options, ExplainThemselves) {
  const Parsed help = work({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.command, nullptr);
  for (const char* part :
       {"tool work", "Does something", "-c,--count", "(1 to 100)", "=3", "more than 0", "plain,fancy,other",
        "--maybe-name FILE", "Only with --name fancy, other", "--ribbon", "Example:\n  tool work --flag"}) {
    EXPECT_TRUE(holds(help.text, part)) << part << " is missing in\n" << help.text;
  }
  const Parsed all = given({"--help"});
  for (const char* part : {"A tool", "work", "group", "A group of commands"})
    EXPECT_TRUE(holds(all.text, part)) << all.text;
}

TEST_F(Options, PrintTheVersion) {
  program.version("tool 1.2");
  EXPECT_EQ(given({"--version"}).text, "tool 1.2\n");
  EXPECT_EQ(given({"--version"}).code, 0);
}

TEST(Program, MayBeOneCommand) {
  int steps = 3;
  Command program("tool", "A tool");
  program.option("--steps", steps, "steps").range(1, 9);
  program.action([&] { return steps; });
  EXPECT_EQ(parse(program, {"--steps", "5"}).run(), 5);
  EXPECT_EQ(parse(program, {"--steps", "0"}).code, 2);
  EXPECT_EQ(parse(program, {"word"}).code, 2);
}

TEST(Action, MayThrowWhatTheUserShouldRead) {
  Command program("tool", "A tool");
  program.command("fail", "Fails").action([]() -> int { throw std::runtime_error("no"); });
  const char* arguments[] = {"tool", "fail"};
  EXPECT_THROW(parse_and_run(program, 2, arguments), std::runtime_error);
}

}  // namespace
}  // namespace elastane::command_line
