#include "lab/language/text.h"

#include <array>
#include <fstream>
#include <iterator>

namespace elastane::language {
namespace {

constexpr std::array kLearn = {"GPL-1",  "GPL-2",    "GPL-3",    "LGPL-2",  "LGPL-2.1",
                               "LGPL-3", "GFDL-1.2", "GFDL-1.3", "MPL-1.1", "Artistic"};
constexpr std::array kHeldOut = {"MPL-2.0"};
constexpr std::array kTest = {"Apache-2.0", "CC0-1.0"};

template <class Names>
Status append(const std::string& folder, const Names& names, std::vector<std::uint8_t>& to) {
  for (const char* name : names) {
    const std::string path = folder + "/" + name;
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    if (bytes.empty()) {
      return Error{"[text] " + path +
                   ": expected the text of a licence, found nothing; install the package base-files"};
    }
    for (const char c : bytes) {
      const auto byte = static_cast<std::uint8_t>(c);
      to.push_back(byte < kSymbols ? byte : kSymbols - 1);
    }
  }
  return {};
}

}  // namespace

Result<Text> read_text(const std::string& folder) {
  Text text;
  if (Status read = append(folder, kLearn, text.learn); !read) return Error{read.error()};
  if (Status read = append(folder, kHeldOut, text.held_out); !read) return Error{read.error()};
  if (Status read = append(folder, kTest, text.test); !read) return Error{read.error()};
  return text;
}

}  // namespace elastane::language
