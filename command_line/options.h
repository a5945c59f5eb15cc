// What a command takes: declared by verbs, training tasks and worlds alike, parsed in one place.
//
//   Command program("elastane", "Streams state-space models.");
//   Command& run = program.command("run", "Forecast rows as they arrive");
//   run.option("--model", options.model, "the forecaster").type("FILE").required();
//   run.option("--late", options.late, "accept rows that arrive up to N ticks late").range(0, 1000);
//   run.action([&] { return run_rows(options); });
//   return parse_and_run(program, count, arguments);
//
// Targets outlive the program. An option that a command does not declare is refused; so is one that only_with excludes.
// CLI11 does the parsing. It is included by options.cpp alone: it takes a compiler five seconds in every file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace elastane::command_line {

// what the words after an option are read into
using Target =
    std::variant<bool*, int*, std::int64_t*, std::uint64_t*, double*, std::string*, std::optional<int>*,
                 std::optional<std::int64_t>*, std::optional<std::uint64_t>*, std::optional<double>*,
                 std::optional<std::string>*, std::vector<int>*, std::vector<double>*, std::vector<std::string>*>;

// One option or flag. Each function returns the option itself, so that calls chain.
class Option {
 public:
  Option(std::string names, Target target, std::string help);

  Option& required();
  Option& range(double least, double most);        // of a number, or of every number of a list
  Option& at_least(double least);                  // likewise
  Option& above(double limit);                     // likewise: larger than that
  Option& one_of(std::vector<std::string> words);  // the only words that are accepted
  Option& type(std::string name);                  // shown in the help: FILE, DIR, X,Y
  Option& values(int count);                       // of a list: exactly this many
  Option& hide_default();                          // the help then does not show the target's value
  // Used only if `option` has one of these values; otherwise refused with a line that says so.
  Option& only_with(std::string option, std::vector<std::string> values);
  Option& needs(std::string option);  // refused unless that option is given as well

  std::string name() const;                                         // the long one: --output of "-o,--output"
  const std::vector<std::string>& words() const { return words_; }  // of one_of

 private:
  friend class Parser;
  std::string names_, help_, type_;
  Target target_;
  bool required_ = false, shows_default_ = true;
  int values_ = 0;
  struct Range {
    double least, most;
    bool open = false;  // `least` itself is excluded
  };
  std::optional<Range> range_;
  std::vector<std::string> words_;
  std::string other_;  // of only_with
  std::vector<std::string> other_values_;
  std::string needed_;  // of needs
};

// A command with its options, or a group of commands.
class Command {
 public:
  Command(std::string name, std::string what);

  // a name without dashes is a positional argument
  Option& option(std::string names, Target target, std::string help);
  Option& flag(std::string names, bool& target, std::string help) { return option(std::move(names), &target, help); }
  template <class T>
  Option& option(std::string names, T& target, std::string help) {
    return option(std::move(names), Target(&target), std::move(help));
  }

  Command& command(std::string name, std::string what);  // a command of this group
  Command& alias(std::string name);                      // another name that is accepted; the help does not show it
  Command& footer(std::string text);                     // examples and notes below the options
  Command& version(std::string text);                    // answers --version
  // What the command does; returns the exit code. It throws what the user should read.
  Command& action(std::function<int()> run);
  Command& before(std::function<void()> run);  // called before the action

  const std::string& name() const { return name_; }
  std::vector<Command*> commands();               // of this group
  std::vector<Option*> options();                 // all of them so far
  Option& at(std::string_view option);            // one of them, by its long name
  bool was_given(std::string_view option) const;  // on this command line
  const std::string& line() const { return line_; }  // the whole command line, for records

 private:
  friend class Parser;
  std::string name_, alias_, what_, footer_, version_;
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::function<int()> run_;
  std::function<void()> before_;
  std::string line_;
  std::vector<std::string> given_;  // names of the options on the command line
};

// What the command line asks for: a command to run, or a text to print.
struct Parsed {
  Command* command = nullptr;  // the chosen one, or null: then
  std::string text;            // goes to stdout if the code is 0 (help, version), else to stderr: one line
  int code = 0;                // 0, or 2 for wrong usage

  int run() const;  // prints the text, or runs the command's action; returns the exit code
};
Parsed parse(Command& program, std::vector<std::string> arguments);  // without the program's name

// Parses, then runs the chosen command. Exit codes: the action's; 0 after help; 2 for wrong usage, with one line on stderr.
// What an action throws is the caller's.
int parse_and_run(Command& program, int count, const char* const* arguments);

}  // namespace elastane::command_line
