// Bearer tokens from a file, with what each may do.
//
//   # token, then its scopes: read, write, admin
//   6f1c…e2   read
//   9a70…41   read,write
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::serve {

enum class Scope : std::uint8_t { read = 1, write = 2, admin = 4 };

class Tokens {
 public:
  // refuses a token of fewer than 16 characters, an unknown scope, an empty list
  static Result<Tokens> parse(std::string_view text);

  enum class Answer : std::uint8_t { allowed, unknown, lacks_scope };
  // `authorization`: the header of that name. Takes the same time for every token that is not known.
  Answer check(std::string_view authorization, Scope scope) const;

 private:
  struct Token {
    std::string text;
    std::uint8_t scopes = 0;
  };
  std::vector<Token> tokens_;
};

}  // namespace elastane::serve
