// Runs a verb as the command line does, and keeps what it prints.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "command_line/options.h"

namespace elastane::app {

struct VerbRun {
  int code = 0;
  std::string out, refusal;  // stdout; the line for wrong usage
};

// throws what the verb throws
template <class Add>
VerbRun run_verb(Add add, std::vector<std::string> words) {
  command_line::Command program("elastane", "");
  add(program);
  const command_line::Parsed parsed = command_line::parse(program, std::move(words));
  VerbRun run{.code = parsed.code, .out = "", .refusal = parsed.code == 0 ? "" : parsed.text};
  if (parsed.command == nullptr) {
    if (run.code == 0) run.out = parsed.text;
    return run;
  }
  ::testing::internal::CaptureStdout();
  try {
    run.code = parsed.run();
  } catch (...) {
    ::testing::internal::GetCapturedStdout();
    throw;
  }
  run.out = ::testing::internal::GetCapturedStdout();
  return run;
}

inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace elastane::app
