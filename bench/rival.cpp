#include "bench/rival.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "elastane/io/file.h"
#include "elastane/io/model_file.h"

namespace elastane::bench {
namespace {

std::filesystem::path fresh_path(const char* ending) {
  static int count = 0;
  return std::filesystem::temp_directory_path() / fmt::format("elastane-bench-{}-{}{}", ::getpid(), ++count, ending);
}

std::filesystem::path beside(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

}  // namespace

RivalFile::RivalFile(const ModelConfig& config, std::span<const Tensor> tensors) : path_(fresh_path(".safetensors")) {
  save_model(path_, config, tensors).value();
}

RivalFile::RivalFile(const Json& json) : path_(fresh_path(".json")) {
  const std::string text = json.dump();
  write_file(path_, std::as_bytes(std::span(text))).value();
}

RivalFile::~RivalFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

bool rival_exists(const std::string& name) { return std::filesystem::exists(beside(name)); }

std::optional<Json> ask_rival(const std::string& name, const std::string& arguments) {
  if (!rival_exists(name)) return std::nullopt;
  std::string answer;
  if (std::FILE* pipe = ::popen(fmt::format("'{}' {}", beside(name).string(), arguments).c_str(), "r")) {
    std::array<char, 4096> part;
    while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) answer.append(part.data(), n);
    ::pclose(pipe);
  }
  Json json = Json::parse(answer, nullptr, false);
  if (json.is_discarded()) throw std::runtime_error("[bench] " + name + " gave no answer");
  return json;
}

double deviation(std::span<const float> found, std::span<const float> expected) {
  if (found.size() != expected.size()) return std::numeric_limits<double>::infinity();
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(expected[i])));
    difference = std::max(difference, std::fabs(static_cast<double>(found[i]) - expected[i]));
  }
  return difference / largest;
}

}  // namespace elastane::bench
