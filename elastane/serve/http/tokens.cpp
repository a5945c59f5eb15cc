#include "elastane/serve/http/tokens.h"

#include <algorithm>

#include "elastane/io/cell.h"

namespace elastane::serve {
namespace {

constexpr std::size_t kShortest = 16;
constexpr std::size_t kLongestToken = 256;

std::uint8_t scope_of(std::string_view word) {
  if (word == "read") return static_cast<std::uint8_t>(Scope::read);
  if (word == "write") return static_cast<std::uint8_t>(Scope::write);
  if (word == "admin") return static_cast<std::uint8_t>(Scope::admin);
  return 0;
}

// compares all characters, so that the time does not tell how many are right
bool is_same(std::string_view known, std::string_view asked) {
  unsigned difference = known.size() == asked.size() ? 0 : 1;
  for (std::size_t i = 0; i < kLongestToken; ++i) {
    const unsigned a = i < known.size() ? static_cast<unsigned char>(known[i]) : 0;
    const unsigned b = i < asked.size() ? static_cast<unsigned char>(asked[i]) : 0;
    difference |= a ^ b;
  }
  return difference == 0;
}

}  // namespace

Result<Tokens> Tokens::parse(std::string_view text) {
  Tokens tokens;
  int number = 0;
  const auto refuse = [&](const std::string& why) {
    return Error{"[tokens] line " + std::to_string(number) + ": " + why};
  };
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    number += 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t gap = line.find_first_of(" \t");
    if (gap == line.npos) return refuse("expected a token and its scopes, found one word");
    Token token{.text = std::string(line.substr(0, gap))};
    if (token.text.size() < kShortest || token.text.size() > kLongestToken) {
      return refuse("expected a token of 16 to 256 characters");
    }
    std::string_view scopes = trimmed(line.substr(gap));
    while (!scopes.empty()) {
      const std::size_t comma = scopes.find(',');
      const std::uint8_t scope = scope_of(trimmed(scopes.substr(0, comma)));
      if (scope == 0) return refuse("unknown scope, expected read, write or admin");
      token.scopes |= scope;
      scopes.remove_prefix(comma == scopes.npos ? scopes.size() : comma + 1);
    }
    tokens.tokens_.push_back(std::move(token));
  }
  if (tokens.tokens_.empty()) return Error{"[tokens] expected at least one token, found none"};
  return tokens;
}

Tokens::Answer Tokens::check(std::string_view authorization, Scope scope) const {
  constexpr std::string_view kBearer = "bearer ";
  const bool is_bearer = same_letters(authorization.substr(0, kBearer.size()), kBearer);
  const std::string_view asked = is_bearer ? trimmed(authorization.substr(kBearer.size())) : "";
  std::uint8_t scopes = 0;
  bool is_known = false;
  for (const Token& token : tokens_) {
    const bool matches = is_same(token.text, asked);
    is_known = is_known || matches;
    scopes = static_cast<std::uint8_t>(scopes | (matches ? token.scopes : 0));
  }
  if (!is_known) return Answer::unknown;
  return (scopes & static_cast<std::uint8_t>(scope)) != 0 ? Answer::allowed : Answer::lacks_scope;
}

}  // namespace elastane::serve
