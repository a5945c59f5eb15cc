// Fuzzes elastane/forecast/forecast_file.cpp and forecast_snapshot.cpp: no bytes may crash the readers of a forecaster or
// of a snapshot. Whatever is read can observe rows, and is written as it was.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "elastane/core/base/checksum.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/forecast/row_stream.h"
#include "tests/forecast/small_forecaster.h"

namespace elastane {
namespace {

void try_model(std::span<const std::byte> bytes) {
  auto model = parse_forecast_model(bytes, "fuzz");
  if (!model) return model.error().empty() ? std::abort() : void();
  if (model->start.size() > 100'000) return;  // sound, but slow
  const auto shared = std::make_shared<const ForecastModel>(*std::move(model));
  for (const bool warm : {false, true}) {
    Forecaster forecaster(shared, {.warm = warm});
    const std::vector<double> row(static_cast<std::size_t>(shared->config.channels), 0.5);
    for (int t = 0; t < 3; ++t) forecaster.observe(row);
    forecaster.observe_at(forecaster.tick() + 2, row);
  }
}

void try_snapshot(std::vector<std::byte> bytes) {
  if (parse_forecast_snapshot(bytes)) return;
  // whatever it holds, with a right size and checksum
  constexpr std::size_t kHeader = 64, kChecksum = 4;
  if (bytes.size() < kHeader + kChecksum) return;
  const std::uint64_t body = bytes.size() - kHeader - kChecksum;
  std::memcpy(bytes.data() + 48, &body, sizeof body);
  const std::uint32_t crc = crc32(std::span(bytes).first(bytes.size() - kChecksum));
  std::memcpy(bytes.data() + bytes.size() - kChecksum, &crc, kChecksum);
  auto snapshot = parse_forecast_snapshot(bytes);
  if (!snapshot) return snapshot.error().empty() ? std::abort() : void();
  if (format_forecast_snapshot(*snapshot).size() != bytes.size()) std::abort();

  static const SharedForecastModel model = small_forecaster(60);
  static const Forecaster forecaster(model);
  snapshot->fingerprint = forecaster.fingerprint();
  snapshot->learning = Learning::kalman;
  for (const auto input : {RowStream::Input::later_rows, RowStream::Input::all_rows}) {
    RowStream stream(model, {.late = 4});
    if (const Status restored = stream.restore(*snapshot, input); !restored) {
      if (restored.error().empty()) std::abort();
      continue;
    }
    for (const char* line : {"6000,1,2", "6060,1,2", "6000,1,2"}) {
      if (const Result<bool> row = stream.feed_line(line); !row && row.error().empty()) std::abort();
    }
  }
}

}  // namespace
}  // namespace elastane

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elastane;
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  try_model(bytes);
  try_snapshot(std::move(bytes));
  return 0;
}
