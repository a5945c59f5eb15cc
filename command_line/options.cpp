#include "command_line/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <type_traits>

namespace elastane::command_line {

Option::Option(std::string names, Target target, std::string help)
    : names_(std::move(names)), help_(std::move(help)), target_(target) {}

Option& Option::required() {
  required_ = true;
  return *this;
}

Option& Option::range(double least, double most) {
  range_ = {least, most};
  return *this;
}

Option& Option::one_of(std::vector<std::string> words) {
  words_ = std::move(words);
  return *this;
}

Option& Option::type(std::string name) {
  type_ = std::move(name);
  return *this;
}

Option& Option::values(int count) {
  values_ = count;
  return *this;
}

Option& Option::hide_default() {
  shows_default_ = false;
  return *this;
}

Option& Option::only_with(std::string option, std::vector<std::string> values) {
  other_ = std::move(option);
  other_values_ = std::move(values);
  return *this;
}

Command::Command(std::string name, std::string what) : name_(std::move(name)), what_(std::move(what)) {}

Option& Command::option(std::string names, Target target, std::string help) {
  options_.push_back(std::make_unique<Option>(std::move(names), target, std::move(help)));
  return *options_.back();
}

Command& Command::command(std::string name, std::string what) {
  commands_.push_back(std::make_unique<Command>(std::move(name), std::move(what)));
  return *commands_.back();
}

Command& Command::footer(std::string text) {
  footer_ = std::move(text);
  return *this;
}

Command& Command::version(std::string text) {
  version_ = std::move(text);
  return *this;
}

Command& Command::action(std::function<int()> run) {
  run_ = std::move(run);
  return *this;
}

Command& Command::before(std::function<void()> run) {
  before_ = std::move(run);
  return *this;
}

bool Command::was_given(std::string_view option) const { return std::ranges::find(given_, option) != given_.end(); }

namespace {

template <class T>
struct is_list : std::false_type {};
template <class T>
struct is_list<std::vector<T>> : std::true_type {};
template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

// a number as the help prints it: 5, 0.01, 1e+06
std::string number(double value) { return fmt::format("{}", value); }

// "one word", or "one of a, b, c"
std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

// refuses a number outside of the range with one line that names it
CLI::Validator within(double least, double most) {
  return {[=](std::string& text) {
            double value = 0;
            if (!CLI::detail::lexical_cast(text, value)) return "expected a number, found " + text;
            return value >= least && value <= most
                       ? std::string()
                       : fmt::format("expected {} to {}, found {}", number(least), number(most), text);
          },
          "", "range"};
}

}  // namespace

// Hands a tree of commands to CLI11, and remembers which one was chosen.
class Parser {
 public:
  static void declare(Command& command, CLI::App& app) {
    if (!command.version_.empty()) app.set_version_flag("--version", command.version_);
    if (!command.footer_.empty()) app.footer(command.footer_);
    for (const auto& option : command.options_) declare(*option, app);
    for (const auto& below : command.commands_) declare(*below, *app.add_subcommand(below->name_, below->what_));
    if (!command.commands_.empty() && !command.run_) app.require_subcommand(1);
  }

  // the command that was asked for, with the names of the options that were given
  static Command& chosen(Command& command, CLI::App& app) {
    for (const auto& option : command.options_) {
      if (app.count(first_name(*option)) > 0) command.given_.push_back(first_name(*option));
    }
    for (const auto& below : command.commands_) {
      if (app.got_subcommand(below->name_)) return chosen(*below, *app.get_subcommand(below->name_));
    }
    for (const auto& option : command.options_) check_use(*option, command, app);
    return command;
  }

  static int run(Command& command) {
    if (command.before_) command.before_();
    return command.run_ ? command.run_() : 0;
  }
  static void set_line(Command& command, std::string line) { command.line_ = std::move(line); }
  static const std::string& what(const Command& command) { return command.what_; }

 private:
  // the last of "-o,--out", which is the long one
  static std::string first_name(const Option& option) {
    const std::size_t comma = option.names_.rfind(',');
    return comma == std::string::npos ? option.names_ : option.names_.substr(comma + 1);
  }

  static void declare(const Option& o, CLI::App& app) {
    CLI::Option* made = std::visit([&](auto* target) { return add(o, *target, app); }, o.target_);
    if (o.required_) made->required();
    if (!o.type_.empty()) made->type_name(o.type_);
    if (!o.words_.empty()) made->check(CLI::IsMember(o.words_));
    if (o.range_) made->check(within(o.range_->first, o.range_->second));
  }

  template <class T>
  static CLI::Option* add(const Option& o, T& target, CLI::App& app) {
    if constexpr (std::is_same_v<T, bool>) {
      return app.add_flag(o.names_, target, o.help_);
    } else {
      CLI::Option* made = app.add_option(o.names_, target, o.help_);
      if constexpr (is_list<T>::value) {
        made->delimiter(',');
        if (o.values_ > 0) made->expected(o.values_);
        if (o.shows_default_ && !target.empty()) made->capture_default_str();
      } else if constexpr (!is_optional<T>::value) {
        if (o.shows_default_ && !o.required_ && !is_empty(target)) made->capture_default_str();
      }
      return made;
    }
  }

  template <class T>
  static bool is_empty(const T& target) {
    if constexpr (std::is_same_v<T, std::string>) return target.empty();
    return false;
  }

  static void check_use(const Option& o, const Command& command, const CLI::App& app) {
    if (o.other_.empty() || !command.was_given(first_name(o))) return;
    const std::string value = app.get_option(o.other_)->as<std::string>();
    if (std::ranges::find(o.other_values_, value) != o.other_values_.end()) return;
    throw CLI::ValidationError(
        first_name(o), fmt::format("not used with {} {}; it goes with {}", o.other_, value, joined(o.other_values_)));
  }
};

int parse_and_run(Command& program, int count, const char* const* arguments) {
  CLI::App app(Parser::what(program), program.name());
  Parser::declare(program, app);
  Command* chosen = nullptr;
  try {
    app.parse(count, arguments);
    chosen = &Parser::chosen(program, app);
    std::string line = program.name();
    for (int i = 1; i < count; ++i) line += std::string(" ") + arguments[i];
    Parser::set_line(*chosen, line);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return Parser::run(*chosen);
}

}  // namespace elastane::command_line
