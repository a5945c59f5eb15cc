// Reads the fields of a JSON object by name, and refuses values of the wrong type and unknown keys.
#pragma once

#include <array>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/io/json.h"

namespace elastane {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // for writing: keys in the order of the format

// a value that does not fit; parsers catch it and return its message
struct Misfit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Enum>
struct Spelling {
  Enum value;
  std::string_view word;
};
template <class Enum>
Spelling(Enum, const char*) -> Spelling<Enum>;  // clang 14 does not deduce aggregates by itself
// a whole number that fits an int; large unsigned numbers must not wrap around
inline bool is_whole(const Json& v) {
  constexpr std::int64_t kMost = 1'000'000'000;
  if (v.is_number_unsigned()) return v.get<std::uint64_t>() <= kMost;
  return v.is_number_integer() && v.get<std::int64_t>() >= -kMost && v.get<std::int64_t>() <= kMost;
}

// the fields of one JSON object; after the last, `done` refuses keys that were not read
class Fields {
 public:
  // `format`: the page that documents the keys
  Fields(const Json& object, std::string where, std::string format = "docs/model_format.md")
      : object_(object), where_(std::move(where)), format_(std::move(format)) {
    if (!object.is_object()) throw Misfit(where_ + "expected an object, found " + shown(object));
  }

  template <class T>
  void number(const char* key, T& out) {
    const Json* v = find(key);
    if (v == nullptr) return;
    if constexpr (std::is_same_v<T, bool>) {
      if (!v->is_boolean()) misfit(key, "true or false", *v);
      out = v->get<bool>();
    } else if constexpr (std::is_integral_v<T>) {
      if (!is_whole(*v)) misfit(key, "a whole number", *v);
      out = v->get<T>();
    } else {
      if (!v->is_number()) misfit(key, "a number", *v);
      out = v->get<T>();
    }
  }

  void list(const char* key, std::vector<int>& out) { list(key, out, "a list of whole numbers", is_whole); }
  void list(const char* key, std::vector<double>& out) {
    list(key, out, "a list of numbers", [](const Json& v) { return v.is_number(); });
  }
  void list(const char* key, std::vector<std::string>& out) {
    list(key, out, "a list of texts", [](const Json& v) { return v.is_string(); });
  }

  template <class Enum, std::size_t n>
  void choice(const char* key, const std::array<Spelling<Enum>, n>& spellings, Enum& out) {
    const Json* v = find(key);
    if (v != nullptr) out = meant(key, spellings, *v);
  }
  // a list of such words
  template <class Enum, std::size_t n>
  void choices(const char* key, const std::array<Spelling<Enum>, n>& spellings, std::vector<Enum>& out) {
    const Json* v = find(key);
    if (v == nullptr) return;
    if (!v->is_array()) misfit(key, "a list of words", *v);
    out.clear();
    for (const Json& item : *v) out.push_back(meant(key, spellings, item));
  }

  const Json* find(const char* key) {
    asked_.insert(key);
    const auto at = object_.find(key);
    return at == object_.end() ? nullptr : &*at;
  }

  void done() const {
    for (const auto& [key, value] : object_.items()) {
      if (!asked_.contains(key)) throw Misfit(where_ + key + ": unknown key; see " + format_);
    }
  }

  [[noreturn]] void misfit(const std::string& key, const std::string& expected, const Json& found) const {
    throw Misfit(where_ + key + ": expected " + expected + ", found " + shown(found));
  }

 private:
  template <class Enum, std::size_t n>
  Enum meant(const char* key, const std::array<Spelling<Enum>, n>& spellings, const Json& v) const {
    std::string words;
    for (const auto& s : spellings) {
      if (v.is_string() && v.get_ref<const std::string&>() == s.word) return s.value;
      words += (words.empty() ? "" : ", ") + std::string(s.word);
    }
    misfit(key, "one of " + words, v);
  }
  template <class T, class Fits>
  void list(const char* key, std::vector<T>& out, const char* expected, Fits fits) {
    const Json* v = find(key);
    if (v == nullptr) return;
    if (!v->is_array()) misfit(key, expected, *v);
    out.clear();
    for (const Json& item : *v) {
      if (!fits(item)) misfit(key, expected, *v);
      out.push_back(item.get<T>());
    }
  }

  // enough of a value to recognise it
  static std::string shown(const Json& value) {
    std::string text =
        value.is_structured() ? value.type_name() : value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > 60) text = text.substr(0, 60) + "…";
    return text;
  }

  const Json& object_;
  std::string where_, format_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace elastane
