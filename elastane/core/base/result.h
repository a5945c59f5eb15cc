// A value, or the reason there is none. Used wherever something is loaded, configured or opened.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace elastane {

// One message for the user: [where] what was expected, what was found, what to change.
struct Error {
  std::string message;
};

// for those who take a value without asking first; throws std::runtime_error
[[noreturn]] void throw_error(const std::string& message);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }
  const std::string& error() const { return std::get<Error>(content_).message; }

  // access without asking first throws the error's message
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
