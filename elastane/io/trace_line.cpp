#include "elastane/io/trace_line.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

namespace elastane {
namespace {

using Counts = std::array<std::int64_t, kStages>;
using Times = std::array<double, kStages>;

// the position of a field in a TraceStep
using Place = std::variant<std::uint64_t TraceStep::*, double TraceStep::*, Stop StepReport::*, Metric StepReport::*,
                           int StepReport::*, bool StepReport::*, double StepReport::*, Counts StepReport::*,
                           Times StepReport::*>;
struct Field {
  std::string_view name;
  Place place;
};

// the fields of a line, in the order in which they are written
constexpr Field kFields[] = {
    {"step", &TraceStep::position},
    {"time", &TraceStep::time},
    {"stop", &StepReport::stop},
    {"metric", &StepReport::metric},
    {"granted", &StepReport::granted},
    {"K", &StepReport::depth},
    {"accepted", &StepReport::accepted},
    {"trials", &StepReport::trials},
    {"cut", &StepReport::cut},
    {"loss_before", &StepReport::loss_before},
    {"loss_after", &StepReport::loss_after},
    {"horizon_before", &StepReport::horizon_before},
    {"horizon_after", &StepReport::horizon_after},
    {"kappa", &StepReport::kappa},
    {"predicted", &StepReport::predicted},
    {"ratio", &StepReport::ratio},
    {"alpha", &StepReport::alpha},
    {"length", &StepReport::length},
    {"radius", &StepReport::radius},
    {"damping", &StepReport::damping},
    {"condition", &StepReport::condition},
    {"madds", &StepReport::macs},
    {"micros", &StepReport::micros},
    {"products", &StepReport::products},
    {"elapsed", &StepReport::elapsed},
    {"overrun", &StepReport::overrun},
};
constexpr int kFieldCount = std::size(kFields);

template <class T>
auto& at(TraceStep& step, T TraceStep::*place) {
  return step.*place;
}
template <class T>
auto& at(TraceStep& step, T StepReport::*place) {
  return step.report.*place;
}
template <class T>
const auto& at(const TraceStep& step, T TraceStep::*place) {
  return step.*place;
}
template <class T>
const auto& at(const TraceStep& step, T StepReport::*place) {
  return step.report.*place;
}

// --- writing

void append(std::string_view word, std::string& text) { text.append(1, '"').append(word).append(1, '"'); }
void append(Stop stop, std::string& text) { append(name(stop), text); }
void append(Metric metric, std::string& text) { append(name(metric), text); }
void append(bool flag, std::string& text) { text += flag ? "true" : "false"; }

template <class Number>
requires std::is_arithmetic_v<Number>
void append(Number value, std::string& text) {
  if constexpr (std::is_floating_point_v<Number>) {
    // readers take -0 for an integer, which loses the sign
    if (value == 0 && std::signbit(value)) return void(text += "-0.0");
    if (!std::isfinite(value)) return void(text += "null");
  }
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

template <class Number>
void append(const std::array<Number, kStages>& values, std::string& text) {
  for (int s = 0; s < kStages; ++s) {
    text += s == 0 ? '{' : ',';
    append(name(static_cast<Stage>(s)), text);
    text += ':';
    append(values[static_cast<std::size_t>(s)], text);
  }
  text += '}';
}

// --- reading

// a value from the parser
struct Null {};
struct Real {
  double value;
  std::string_view literal;
};
enum class Nest : std::uint8_t { object, list };
using Found = std::variant<Null, bool, std::int64_t, std::uint64_t, Real, std::string_view, Nest>;

std::string shown(const Found& found) {
  if (const auto* flag = std::get_if<bool>(&found)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&found)) return std::to_string(*whole);
  if (const auto* whole = std::get_if<std::uint64_t>(&found)) return std::to_string(*whole);
  if (const auto* real = std::get_if<Real>(&found)) return excerpt(real->literal);
  if (const auto* text = std::get_if<std::string_view>(&found)) return "\"" + excerpt(*text) + "\"";
  if (const auto* nest = std::get_if<Nest>(&found)) return *nest == Nest::object ? "an object" : "a list";
  return "null";
}

// each returns what was expected if the value is something else

std::string accept(const Found& found, double& out) {
  if (const auto* real = std::get_if<Real>(&found)) return out = real->value, "";
  if (const auto* whole = std::get_if<std::uint64_t>(&found)) return out = static_cast<double>(*whole), "";
  if (const auto* whole = std::get_if<std::int64_t>(&found)) return out = static_cast<double>(*whole), "";
  if (std::holds_alternative<Null>(found)) return out = std::numeric_limits<double>::quiet_NaN(), "";
  return "a number or null";
}

std::string accept(const Found& found, bool& out) {
  if (const auto* flag = std::get_if<bool>(&found)) return out = *flag, "";
  return "true or false";
}

template <class Whole>
requires std::is_integral_v<Whole> std::string accept(const Found& found, Whole& out) {
  const auto* positive = std::get_if<std::uint64_t>(&found);
  const auto* negative = std::get_if<std::int64_t>(&found);
  if (positive != nullptr && std::in_range<Whole>(*positive)) return out = static_cast<Whole>(*positive), "";
  if (negative != nullptr && std::in_range<Whole>(*negative)) return out = static_cast<Whole>(*negative), "";
  return "a whole number from " + std::to_string(std::numeric_limits<Whole>::min()) + " to " +
         std::to_string(std::numeric_limits<Whole>::max());
}

template <class Enum>
std::string accept_word(const Found& found, int count, Enum& out) {
  const auto* text = std::get_if<std::string_view>(&found);
  for (int i = 0; text != nullptr && i < count; ++i) {
    if (name(static_cast<Enum>(i)) == *text) return out = static_cast<Enum>(i), "";
  }
  std::string words = "one of ";
  for (int i = 0; i < count; ++i) words.append(i == 0 ? "" : ", ").append(name(static_cast<Enum>(i)));
  return words;
}
std::string accept(const Found& found, Stop& out) { return accept_word(found, kStopReasons, out); }
std::string accept(const Found& found, Metric& out) { return accept_word(found, kMetrics, out); }

// turns the events of the parser into fields of a step; a tree would be slow for long traces
class Events {
 public:
  explicit Events(std::string_view line, TraceStep& step) : line_(line), step_(step) {}

  bool null() { return value(Null{}); }
  bool boolean(bool flag) { return value(flag); }
  bool number_integer(std::int64_t whole) { return value(whole); }
  bool number_unsigned(std::uint64_t whole) { return value(whole); }
  bool number_float(double real, const std::string& literal) { return value(Real{real, literal}); }
  bool string(const std::string& text) { return value(std::string_view(text)); }
  bool binary(const nlohmann::json::binary_t& /*bytes*/) { return false; }  // not in text
  bool start_object(std::size_t /*unknown*/) { return open(Nest::object); }
  bool start_array(std::size_t /*unknown*/) { return open(Nest::list); }
  bool end_object() { return depth_ -= 1, true; }
  bool end_array() { return depth_ -= 1, true; }
  bool key(const std::string& word);
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::json::exception& why);

  // why the line is refused; nothing if it is a step
  std::string verdict() const;

 private:
  bool open(Nest nest);
  bool value(const Found& found);
  bool refuse(std::string_view where, const std::string& expected, const std::string& found) {
    why_.append(where).append(where.empty() ? "" : ": ").append("expected ").append(expected);
    why_.append(", found ").append(found);
    return false;
  }

  static constexpr int kNone = -1;
  const std::string_view line_;
  TraceStep& step_;
  int depth_ = 0;      // nesting of objects and lists
  int field_ = kNone;  // the field whose value comes next; kNone if it is unknown
  int stage_ = kNone;  // the same inside macs and micros
  std::array<bool, kFieldCount> seen_ = {};
  std::array<bool, kStages> staged_ = {};
  std::string why_;
};

bool Events::key(const std::string& word) {
  if (depth_ == 1) {
    field_ = kNone;
    for (int f = 0; f < kFieldCount && field_ == kNone; ++f) {
      if (kFields[f].name == word) field_ = f;
    }
    if (field_ == kNone || !std::exchange(seen_[static_cast<std::size_t>(field_)], true)) return true;
    return refuse(word, "it once", "it twice");
  }
  if (depth_ == 2 && field_ != kNone) {
    stage_ = kNone;
    for (int s = 0; s < kStages && stage_ == kNone; ++s) {
      if (name(static_cast<Stage>(s)) == word) stage_ = s;
    }
    if (stage_ == kNone || !std::exchange(staged_[static_cast<std::size_t>(stage_)], true)) return true;
    return refuse(std::string(kFields[field_].name) + "." + word, "it once", "it twice");
  }
  return true;
}

bool Events::open(Nest nest) {
  const bool is_line = depth_ == 0 && nest == Nest::object;
  const bool is_stages = depth_ == 1 && nest == Nest::object && field_ != kNone &&
                         (std::holds_alternative<Counts StepReport::*>(kFields[field_].place) ||
                          std::holds_alternative<Times StepReport::*>(kFields[field_].place));
  if (is_stages) staged_ = {}, stage_ = kNone;
  if (!is_line && !is_stages && !value(nest)) return false;
  depth_ += 1;
  return true;
}

bool Events::value(const Found& found) {
  if (depth_ == 0) return refuse("", "an object", shown(found));
  // unknown fields and everything inside them
  if (field_ == kNone || depth_ > 2 || (depth_ == 2 && stage_ == kNone)) return true;
  const auto take = [&](auto& place) {
    using T = std::remove_reference_t<decltype(place)>;
    if constexpr (std::is_same_v<T, Counts> || std::is_same_v<T, Times>) {
      if (depth_ == 1) return std::string("an object of stages");
      return accept(found, place[static_cast<std::size_t>(stage_)]);
    } else {
      return accept(found, place);
    }
  };
  const Field& field = kFields[field_];
  const std::string expected = std::visit([&](auto place) { return take(at(step_, place)); }, field.place);
  if (expected.empty()) return true;
  std::string where(field.name);
  if (depth_ == 2) where.append(".").append(name(static_cast<Stage>(stage_)));
  return refuse(where, expected, shown(found));
}

bool Events::parse_error(std::size_t position, const std::string& /*token*/, const nlohmann::json::exception& why) {
  const std::size_t begin = std::min(position == 0 ? 0 : position - 1, line_.size());
  const bool too_large = why.id == 406;  // nlohmann's out_of_range for numbers
  if (too_large) return refuse("", "numbers within a double's range", "one beyond it");
  const std::string rest = excerpt(line_.substr(begin));
  if (line_.empty()) return refuse("", "a step", "an empty line");
  return refuse("", "JSON", rest.empty() ? "the line's end" : rest + " at column " + std::to_string(begin + 1));
}

std::string Events::verdict() const {
  if (!why_.empty()) return why_;
  for (int f = 0; f < kFieldCount; ++f) {
    if (!seen_[static_cast<std::size_t>(f)])
      return "expected the field " + std::string(kFields[f].name) + ", found none";
  }
  return "";
}

// only where there is a guard; readers skip what they do not know
void append_guard(const GuardReport& guard, std::string& text) {
  if (guard.speaker == Speaker::unguarded) return;
  const auto add = [&](const char* key, const auto& value) {
    text += ',';
    append(std::string_view(key), text);
    text += ':';
    append(value, text);
  };
  add("speaker", name(guard.speaker));
  add("reason", name(guard.reason));
  add("weight", guard.weight);
  add("frozen_loss", guard.frozen_loss);
  add("adapted_loss", guard.adapted_loss);
  add("debt", guard.debt);
}

}  // namespace

void append_trace_line(const TraceStep& step, std::string& text) {
  char before = '{';
  for (const Field& field : kFields) {
    text += std::exchange(before, ',');
    append(field.name, text);
    text += ':';
    std::visit([&](auto place) { append(at(step, place), text); }, field.place);
  }
  append_guard(step.report.guard, text);
  text += "}\n";
}

Status parse_trace_line(std::string_view line, TraceStep& step) {
  // the parser takes a zero byte for the end of the text
  if (line.find('\0') != line.npos) return Error{"expected JSON, found a zero byte"};
  step = {};
  Events events(line, step);
  nlohmann::json::sax_parse(line.begin(), line.end(), &events);
  const std::string why = events.verdict();
  if (why.empty()) return {};
  return Error{why};
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kMost = 24;
  std::string shown;
  for (const char c : text.substr(0, kMost)) shown += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > kMost ? shown + "..." : shown;
}

}  // namespace elastane
