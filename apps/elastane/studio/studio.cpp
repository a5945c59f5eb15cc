// elastane studio: a recorded run as a page to look at.
#include <fmt/core.h>

#include <memory>

#include "apps/elastane/verbs.h"
#include "elastane/io/file.h"
#include "web/studio_page.h"

namespace elastane::app {

void add_studio(command_line::Command& program) {
  struct Options {
    std::string input, output = "studio.html";
  };
  auto options = std::make_shared<Options>();
  command_line::Command& verb = program.command("studio", "Write a page that shows the forecasts of a recorded run");
  verb.option("input", options->input, "lines of elastane run, as JSON").required().type("FILE");
  verb.option("-o,--output", options->output, "the page").type("FILE");
  verb.footer(
      "Example:\n  elastane run --model load.safetensors --input load.csv > run.jsonl\n"
      "  elastane studio run.jsonl -o studio.html\n\nThe studio of a running service is at its address /studio.");
  verb.action([options] {
    const auto file = FileContent::read_all(options->input).value();
    const std::string page =
        web::recorded_studio({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()});
    write_file(options->output, std::as_bytes(std::span(page))).value();
    fmt::print("{}\n", options->output);
    return 0;
  });
}

}  // namespace elastane::app
