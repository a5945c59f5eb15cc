#include "web/studio_page.h"

#include "studio_files.h"

namespace elastane::web {
namespace {

constexpr std::string_view kHead =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Elastane studio</title>"
    "<meta name=\"viewport\" content=\"width=device-width\">";

// a < inside of the data must not end the element that holds it
std::string data_element(const char* id, std::string_view lines) {
  std::string element = std::string("<script type=\"application/x-ndjson\" id=\"") + id + "\">";
  for (const char c : lines) c == '<' ? element += "\\u003c" : element += c;
  return element + "</script>";
}

}  // namespace

StudioFile studio_file(std::string_view path) {
  static const std::string page = std::string(kHead) +
                                  "<link rel=\"stylesheet\" href=\"/studio.css\"></head><body><div id=\"studio\"></div>"
                                  "<script src=\"/studio.js\"></script></body></html>\n";
  if (path == "/studio") return {"text/html; charset=utf-8", page};
  if (path == "/studio.js") return {"text/javascript; charset=utf-8", studio::studio_js};
  if (path == "/studio.css") return {"text/css; charset=utf-8", studio::studio_css};
  return {};
}

std::string recorded_studio(std::string_view lines, std::string_view rows) {
  return std::string(kHead) + "<style>" + studio::studio_css + "</style></head><body><div id=\"studio\"></div>" +
         data_element("recorded", lines) + data_element("rows", rows) + "<script>" + studio::studio_js +
         "</script></body></html>\n";
}

}  // namespace elastane::web
