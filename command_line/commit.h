// Which Elastane this is: its version, and the commit it was built from.
#pragma once

#include <string>

namespace elastane::command_line {

std::string version();
std::string commit();  // "unknown" outside of a repository; ends in "+" where files had been changed

}  // namespace elastane::command_line
