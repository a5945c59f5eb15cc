#include "elastane/serve/model_store.h"

#include <algorithm>
#include <filesystem>

#include "elastane/core/base/checksum.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/io/file.h"
#include "elastane/serve/stream_id.h"

namespace elastane::serve {
namespace {

constexpr const char* kSuffix = ".safetensors";

bool is_name(const std::string& text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

}  // namespace

std::string model_name(std::span<const std::byte> file) { return hex_text(hash64(file)); }

Result<std::string> ModelStore::add(std::span<const std::byte> file) const {
  ELASTANE_TRY(parse_forecast_model(file, "model"));
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  const std::string name = model_name(file);
  ELASTANE_TRY(write_file(folder_ + "/" + name + kSuffix, file));
  return name;
}

Result<SharedForecastModel> ModelStore::load(const std::string& name) const {
  if (!is_name(name)) return Error{"[model] expected a name of sixteen digits, found " + name};
  return load_forecast_model(folder_ + "/" + name + kSuffix);
}

std::vector<std::string> ModelStore::names() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    if (entry.path().extension() == kSuffix) names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

Result<std::string> ModelStore::current() const {
  const std::string path = folder_ + "/current";
  if (std::error_code error; !std::filesystem::exists(path, error)) return std::string();
  ELASTANE_TRY_ASSIGN(const FileContent file, FileContent::open(path));
  const std::string name(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  if (!is_name(name)) return Error{"[model] " + path + ": expected the name of a model"};
  return name;
}

Status ModelStore::set_current(const std::string& name) const {
  return write_file(folder_ + "/current", std::as_bytes(std::span(name)));
}

}  // namespace elastane::serve
