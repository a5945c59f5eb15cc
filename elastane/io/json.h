// Parses JSON strictly: every key of an object appears once, and nesting is limited.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane {

// Builds a document from the events of nlohmann's parser, in linear time: its own parser keeps the last of two equal keys,
// and with a callback it looks through all siblings at the end of every object. Values are copied and printed by
// recursion, so a hostile file could exhaust the stack.
class StrictJson {
 public:
  using Json = nlohmann::json;
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(number_integer_t value) { return add(value); }
  bool number_unsigned(number_unsigned_t value) { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) { return add(value); }
  bool string(string_t& value) { return add(std::move(value)); }
  bool binary(binary_t& /*bytes*/) { return false; }  // not in text
  bool start_object(std::size_t /*unknown*/) { return open(Json::object()); }
  bool start_array(std::size_t /*unknown*/) { return open(Json::array()); }
  bool end_object() { return open_.pop_back(), true; }
  bool end_array() { return open_.pop_back(), true; }
  bool key(string_t& word) {
    if (open_.back()->contains(word)) {
      why_ = "has the key " + word + " twice";
      return false;
    }
    slot_ = &(*open_.back())[word];
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/, const nlohmann::json::exception& /*why*/) {
    return false;
  }

  Result<Json> finish(bool is_whole) {
    if (is_whole) return std::move(root_);
    return Error{why_.empty() ? "is not JSON" : why_};
  }

 private:
  static constexpr std::size_t kDeepest = 32;

  // the value belongs to the last key, or to the end of the list, or is all
  template <class Value>
  Json* place(Value&& value) {
    if (open_.empty()) return &(root_ = std::forward<Value>(value));
    if (open_.back()->is_array()) return &open_.back()->emplace_back(std::forward<Value>(value));
    return &(*slot_ = std::forward<Value>(value));
  }
  template <class Value>
  bool add(Value&& value) {
    place(std::forward<Value>(value));
    return true;
  }
  bool open(Json empty) {
    if (open_.size() > kDeepest) {
      why_ = "is nested too deeply";
      return false;
    }
    open_.push_back(place(std::move(empty)));
    return true;
  }

  Json root_;
  std::vector<Json*> open_;  // lists and objects that are not closed; none of them moves while it is open
  Json* slot_ = nullptr;     // of the last key
  std::string why_;
};

// Messages do not name the file; the caller adds it.
inline Result<nlohmann::json> parse_json(std::string_view text) {
  StrictJson document;
  const bool is_whole = nlohmann::json::sax_parse(text.begin(), text.end(), &document);
  return document.finish(is_whole);
}

}  // namespace elastane
