// A value, or the reason why there is none. Used wherever something is loaded, configured or opened.
//
//   Result<Config> load(const std::string& path) {
//     ELASTANE_TRY_ASSIGN(const std::string text, read_file(path));   // a Result: its value, or return its error
//     ELASTANE_TRY(check(text));                                      // a Status: return its error, if there is one
//     return parse(text);
//   }
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace elastane {

// One message for the user: [where] what was expected, what was found, what to change.
struct Error {
  std::string message;
};

// throws std::runtime_error; called where a value is taken that is not there
[[noreturn]] void throw_error(const std::string& message);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }
  const std::string& error() const { return std::get<Error>(content_).message; }

  // throws the error's message if there is no value
  T& value() & { return checked(), std::get<T>(content_); }
  const T& value() const& { return checked(), std::get<T>(content_); }
  T value() && { return checked(), std::move(std::get<T>(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  void checked() const {
    if (content_.index() != 0) throw_error(error());
  }

  std::variant<T, Error> content_;
};

// Success, or the reason for failure.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : message_(std::move(error.message)), failed_(true) {}

  explicit operator bool() const { return !failed_; }
  const std::string& error() const { return message_; }
  void value() const {
    if (failed_) throw_error(message_);
  }

 private:
  std::string message_;
  bool failed_ = false;
};

}  // namespace elastane

// returns the error of a Status or Result, if it has one
#define ELASTANE_TRY(expression)                                                           \
  do {                                                                                     \
    if (const auto& tried = (expression); !tried) return ::elastane::Error{tried.error()}; \
  } while (false)

// declares a variable with the value of a Result, or returns its error
#define ELASTANE_TRY_ASSIGN(declaration, expression) \
  ELASTANE_TRY_ASSIGN_NAMED(ELASTANE_JOINED(tried_, __LINE__), declaration, expression)
#define ELASTANE_TRY_ASSIGN_NAMED(tried, declaration, expression) \
  auto tried = (expression);                                      \
  if (!tried) return ::elastane::Error{tried.error()};            \
  declaration = std::move(tried).value()
#define ELASTANE_JOINED(a, b) ELASTANE_JOINED_NOW(a, b)
#define ELASTANE_JOINED_NOW(a, b) a##b
