#include "lab/training/run_folder.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "command_line/messages.h"
#include "elastane/io/file.h"
#include "elastane/io/json.h"

namespace elastane::lab {
namespace {

constexpr const char* kHeader = "step,loss,held_out,rate,gradient_norm,seconds";

void write_text(const std::string& path, const std::string& text) {
  write_file(path, std::as_bytes(std::span(text))).value();
}

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// the first option that differs, as "key: 0.01, now 0.1"
std::string difference(const nlohmann::ordered_json& before, const nlohmann::ordered_json& now) {
  for (const auto& [key, value] : now.items()) {
    if (!before.contains(key)) return fmt::format("{}: not given, now {}", key, value.dump());
    if (before[key] != value) return fmt::format("{}: {}, now {}", key, before[key].dump(), value.dump());
  }
  return "";
}

// what a crash left of a file that was being written
void remove_partial_files(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().find(".partial-") != std::string::npos) {
      std::filesystem::remove(entry.path(), ignored);
    }
  }
}

}  // namespace

RunFolder::RunFolder(std::string path, const nlohmann::ordered_json& options, bool resume, bool writes)
    : path_(std::move(path)), writes_(writes) {
  if (writes_) remove_partial_files(path_);
  const std::string record = path_ + "/run.json";
  const bool begun = std::filesystem::exists(record);
  if (resume && begun) {
    check_same_options(record, options);
    return;
  }
  if (begun && has_checkpoint()) {
    throw std::runtime_error(
        fmt::format("[run] {} already contains a run; continue it with --resume, or choose another --run", path_));
  }
  if (!writes_) return;
  std::error_code failed;
  std::filesystem::create_directories(path_, failed);
  if (failed) throw std::runtime_error(fmt::format("[run] cannot create {}: {}", path_, failed.message()));
  write_text(record, options.dump(2) + "\n");
}

void RunFolder::check_same_options(const std::string& record, const nlohmann::ordered_json& options) const {
  const auto before = nlohmann::ordered_json::parse(read_text(record), nullptr, false);
  if (before.is_discarded() || !before.contains("options")) {
    throw std::runtime_error(fmt::format("[run] {}: expected the options of a run, found something else", record));
  }
  const std::string differs = difference(before["options"], options["options"]);
  if (!differs.empty()) {
    throw std::runtime_error(fmt::format(
        "[run] {} was started with other options ({}); repeat those, or choose another --run", path_, differs));
  }
  for (const char* key : {"threads", "ranks", "commit"}) {
    const nlohmann::ordered_json then = before.value(key, nlohmann::ordered_json());
    if (!writes_ || then == options[key]) continue;
    command_line::print_stderr("[run] {} was started with {} {}, now {}: results may differ in the last bits\n", path_,
                               key, then.dump(), options[key].dump());
  }
}

bool RunFolder::has_checkpoint() const { return std::filesystem::exists(checkpoint_path()); }

double RunFolder::continue_from(std::int64_t step) {
  std::istringstream text(read_text(path_ + "/curves.csv"));
  std::string line;
  std::getline(text, line);
  while (std::getline(text, line)) {
    CurveRow row;
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    if (!(fields >> row.step >> row.loss >> row.held_out >> row.rate >> row.gradient_norm >> row.seconds)) break;
    if (row.step <= step) rows_.push_back(row);
  }
  return rows_.empty() ? 0 : rows_.back().seconds;
}

void RunFolder::add(const CurveRow& row) {
  rows_.push_back(row);
  if (!writes_) return;
  std::string text = std::string(kHeader) + "\n";
  for (const CurveRow& r : rows_) {
    text += fmt::format("{},{:.9g},{:.9g},{:.6g},{:.6g},{:.3f}\n", r.step, r.loss, r.held_out, r.rate, r.gradient_norm,
                        r.seconds);
  }
  write_text(path_ + "/curves.csv", text);
}

}  // namespace elastane::lab
