// Rows of a small model, and folders that are removed, for tests of the service.
#pragma once

#include <filesystem>
#include <string>

#include "elastane/forecast/forecast_file.h"
#include "elastane/serve/record.h"
#include "tests/forecast/small_forecaster.h"

namespace elastane::serve {

class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "elastane_serve_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// rows of a stream; each stream has its own values
inline RowBatch small_batch(const std::string& id, std::uint64_t first, int rows) {
  RowBatch batch{.id = id, .first = first};
  for (int i = 0; i < rows; ++i) {
    const int tick = static_cast<int>(first) + i;
    const auto row = small_row(tick + static_cast<int>(id.size()) * 7);
    batch.times.push_back(60.0 * tick);
    batch.values.insert(batch.values.end(), row.begin(), row.end());
  }
  return batch;
}

inline std::vector<std::byte> small_model_file(double step = 60) {
  return format_forecast_model(*small_forecaster(step)).value();
}

}  // namespace elastane::serve
