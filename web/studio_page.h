// The studio: files that a server sends, and a recorded run as one file.
#pragma once

#include <string>
#include <string_view>

namespace elastane::web {

struct StudioFile {
  std::string_view type;  // "" if there is none of that name
  std::string_view text;
};
StudioFile studio_file(std::string_view path);  // "/studio", "/studio.js", "/studio.css"

// what a browser may do on these pages: nothing but read from the server they came from
inline constexpr const char* kStudioPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

// one file with everything in it: the lines of elastane run, and the rows that it read as lines of JSON, or none
std::string recorded_studio(std::string_view lines, std::string_view rows = {});

}  // namespace elastane::web
