// elastane_demo: the verb `elastane demo` alone, as a small program that needs few packages and builds in two minutes.
#include <fmt/core.h>

#include <exception>
#include <string>
#include <vector>

#include "apps/elastane/verbs.h"
#include "command_line/messages.h"

int main(int count, char** arguments) {
  elastane::command_line::Command program("elastane", "Stream a shipped model through a world that changes");
  elastane::app::add_demo(program);
  std::vector<std::string> words = {"demo"};
  words.insert(words.end(), arguments + 1, arguments + count);
  try {
    return elastane::command_line::parse(program, words).run();
  } catch (const std::exception& error) {
    elastane::command_line::print_stderr("elastane: {}\n", error.what());
    return 1;
  }
}
