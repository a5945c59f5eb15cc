#include "command_line/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>

namespace elastane::command_line {

Option::Option(std::string names, Target target, std::string help)
    : names_(std::move(names)), help_(std::move(help)), target_(target) {}

Option& Option::required() {
  required_ = true;
  return *this;
}

Option& Option::range(double least, double most) {
  range_ = {.least = least, .most = most};
  return *this;
}

Option& Option::at_least(double least) { return range(least, std::numeric_limits<double>::infinity()); }

Option& Option::above(double limit) {
  at_least(limit);
  range_->open = true;
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

Option& Option::needs(std::string option) {
  needed_ = std::move(option);
  return *this;
}

Option& Option::excludes(std::string option) {
  excluded_ = std::move(option);
  return *this;
}

std::string Option::name() const {
  const std::size_t comma = names_.rfind(',');
  return comma == std::string::npos ? names_ : names_.substr(comma + 1);
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

Command& Command::alias(std::string name) {
  alias_ = std::move(name);
  return *this;
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

bool Command::has(std::string_view option) const {
  return std::ranges::any_of(options_, [&](const auto& o) { return o->name() == option; });
}

bool Command::was_given(std::string_view option) const { return std::ranges::find(given_, option) != given_.end(); }

std::vector<Command*> Command::commands() {
  std::vector<Command*> all;
  for (const auto& command : commands_) all.push_back(command.get());
  return all;
}

std::vector<Option*> Command::options() {
  std::vector<Option*> all;
  for (const auto& option : options_) all.push_back(option.get());
  return all;
}

Option& Command::at(std::string_view option) {
  const auto found = std::ranges::find(options_, option, [](const auto& o) { return o->name(); });
  if (found == options_.end()) throw std::logic_error("no option " + std::string(option));
  return **found;
}

namespace {

template <class T>
struct is_list : std::false_type {};
template <class T>
struct is_list<std::vector<T>> : std::true_type {};
template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

// "a, b, c"
std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

// what a range admits: "1 to 100", "at least 0", "more than 0"
std::string words_of(double least, double most, bool open) {
  if (std::isfinite(most)) return fmt::format("{} to {}", least, most);
  return fmt::format("{} {}", open ? "more than" : "at least", least);
}

// refuses a number outside of the range, and says which one
CLI::Validator within(double least, double most, bool open) {
  const std::string admitted = words_of(least, most, open);
  return {[=](std::string& text) -> std::string {
            double value = 0;
            if (!CLI::detail::lexical_cast(text, value)) return "expected a number, found " + text;
            const bool inside = (open ? value > least : value >= least) && value <= most;
            return inside ? "" : fmt::format("expected {}, found {}", admitted, text);
          },
          "(" + admitted + ")", "range"};
}

// refuses a negative number, which CLI11 would wrap around
CLI::Validator not_negative() {
  return {
      [](std::string& text) { return text.starts_with('-') ? "expected at least 0, found " + text : std::string(); },
      "", "unsigned"};
}

// refuses a word that is not one of these
CLI::Validator one_of(const std::vector<std::string>& words) {
  return {[words](std::string& text) -> std::string {
            if (std::ranges::find(words, text) != words.end()) return "";
            return fmt::format("expected one of {}, found {}", joined(words), text);
          },
          "{" + fmt::format("{}", fmt::join(words, ",")) + "}", "words"};
}

// the value of an option whose values are words or numbers
template <class T>
std::string text_of(const T& value) {
  if constexpr (is_optional<T>::value) {
    return value ? text_of(*value) : "";
  } else if constexpr (is_list<T>::value) {
    return fmt::format("{}", fmt::join(value, ","));
  } else {
    return fmt::format("{}", value);
  }
}

}  // namespace

// Hands a tree of commands to CLI11, and finds out which one was chosen.
class Parser {
 public:
  static void declare(Command& command, CLI::App& app) {
    if (!command.version_.empty()) app.set_version_flag("--version", command.version_);
    app.footer(command.footer_);  // or none: not the one of the program
    for (const auto& option : command.options_) declare(*option, app);
    for (const auto& below : command.commands_) declare(*below, *app.add_subcommand(below->name_, below->what_));
    if (!command.commands_.empty() && !command.run_) app.require_subcommand(1);
  }

  // the command that was asked for; remembers which of its options were given
  static Command& chosen(Command& command, CLI::App& app) {
    command.given_.clear();
    for (const auto& option : command.options_) {
      if (app.count(option->name()) > 0) command.given_.push_back(option->name());
    }
    for (const auto& below : command.commands_) {
      if (app.got_subcommand(below->name_)) return chosen(*below, *app.get_subcommand(below->name_));
    }
    for (const auto& option : command.options_) check_use(*option, command);
    return command;
  }

  // Refuses a first word that is not a command of a group, where CLI11 would only say that one is missing; replaces other
  // names of commands, which CLI11 would show in the help.
  static void check_words(const Command& command, std::span<std::string> words) {
    if (command.commands_.empty() || words.empty() || words.front().starts_with('-')) return;
    std::vector<std::string> known;
    for (const auto& below : command.commands_) {
      if (words.front() == below->alias_) words.front() = below->name_;
      if (words.front() == below->name_) return check_words(*below, words.subspan(1));
      known.push_back(below->name_);
    }
    for (const auto& option : command.options_) {
      if (!option->names_.starts_with('-')) return;  // a positional argument
    }
    throw CLI::ValidationError(command.name_,
                               fmt::format("unknown command \"{}\", expected one of {}", words.front(), joined(known)));
  }

  static int run(Command& command) {
    if (command.before_) command.before_();
    return command.run_ ? command.run_() : 0;
  }
  static void set_line(Command& command, std::string line) { command.line_ = std::move(line); }

  // an option that the chosen command does not have, and the commands beside it that have it; empty: something else
  static std::string refused_option(const Command& program, const CLI::App& app) {
    const Command *group = nullptr, *command = &program;
    const CLI::App* at = &app;
    for (bool deeper = true; deeper;) {
      deeper = false;
      for (const auto& below : command->commands_) {
        if (!at->got_subcommand(below->name_)) continue;
        group = command, command = below.get(), at = at->get_subcommand(below->name_);
        deeper = true;
        break;
      }
    }
    for (const std::string& word : app.remaining(true)) {
      if (!word.starts_with("--")) continue;
      const std::string name = word.substr(0, word.find('='));
      std::vector<std::string> others;
      for (const auto& beside : group != nullptr ? group->commands_ : program.commands_) {
        if (beside->has(name)) others.push_back(beside->name_);
      }
      return fmt::format("{}: {} is not one of its options{}", command->name_, name,
                         others.empty() ? "" : "; it is one of " + joined(others));
    }
    return "";
  }
  static const std::string& what(const Command& command) { return command.what_; }

 private:
  static void declare(const Option& o, CLI::App& app) {
    CLI::Option* made = std::visit([&](auto* target) { return add(o, *target, app); }, o.target_);
    if (o.required_) made->required();
    if (!o.type_.empty()) made->type_name(o.type_);
    const bool is_unsigned = std::holds_alternative<std::uint64_t*>(o.target_) ||
                             std::holds_alternative<std::optional<std::uint64_t>*>(o.target_);
    if (is_unsigned) made->check(not_negative());
    if (!o.words_.empty()) made->check(one_of(o.words_));
    if (o.range_) made->check(within(o.range_->least, o.range_->most, o.range_->open));
    if (!o.other_.empty()) made->group(fmt::format("Only with {} {}", o.other_, joined(o.other_values_)));
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
      }
      const bool has_default = !is_optional<T>::value && !o.required_ && !text_of(target).empty();
      if (o.shows_default_ && has_default) made->default_str(text_of(target));
      return made;
    }
  }

  static void check_use(const Option& o, const Command& command) {
    if (!command.was_given(o.name())) return;
    if (!o.needed_.empty() && !command.was_given(o.needed_)) {
      throw CLI::ValidationError(o.name(), fmt::format("used only together with {}", o.needed_));
    }
    if (!o.excluded_.empty() && command.was_given(o.excluded_)) {
      throw CLI::ValidationError(o.name(), fmt::format("not used together with {}", o.excluded_));
    }
    if (o.other_.empty()) return;
    const std::string value = value_of(o.other_, command);
    if (std::ranges::find(o.other_values_, value) != o.other_values_.end()) return;
    throw CLI::ValidationError(o.name(), fmt::format("not used with {} {}; it is used with {} {}", o.other_, value,
                                                     o.other_, joined(o.other_values_)));
  }

  static std::string value_of(const std::string& name, const Command& command) {
    for (const auto& option : command.options_) {
      if (option->name() == name) return std::visit([](auto* target) { return text_of(*target); }, option->target_);
    }
    return "";
  }
};

int Parsed::run() const {
  if (command != nullptr) return Parser::run(*command);
  fmt::print(code == 0 ? stdout : stderr, "{}", text);
  return code;
}

Parsed parse(Command& program, std::vector<std::string> arguments) {
  CLI::App app(Parser::what(program), program.name());
  Parser::declare(program, app);
  const std::string line = fmt::format("{} {}", program.name(), fmt::join(arguments, " "));
  try {
    Parser::check_words(program, arguments);
    std::ranges::reverse(arguments);  // CLI11 takes them from the end
    app.parse(arguments);
    Command& chosen = Parser::chosen(program, app);
    Parser::set_line(chosen, line);
    return {.command = &chosen, .text = ""};
  } catch (const CLI::CallForHelp&) {
    return {.text = app.help()};
  } catch (const CLI::CallForAllHelp&) {
    return {.text = app.help("", CLI::AppFormatMode::All)};
  } catch (const CLI::CallForVersion& version) {
    return {.text = std::string(version.what()) + "\n"};
  } catch (const CLI::ExtrasError& error) {
    const std::string refused = Parser::refused_option(program, app);
    return {.text = fmt::format("{}: {} (see --help)\n", program.name(), refused.empty() ? error.what() : refused),
            .code = 2};
  } catch (const CLI::ParseError& error) {
    return {.text = fmt::format("{}: {} (see --help)\n", program.name(), error.what()), .code = 2};
  }
}

int parse_and_run(Command& program, int count, const char* const* arguments) {
  return parse(program, {arguments + std::min(count, 1), arguments + count}).run();
}

}  // namespace elastane::command_line
