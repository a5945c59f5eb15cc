#include "elastane/io/metric_file.h"

#include <algorithm>

#include "elastane/io/file.h"
#include "elastane/io/stored_arrays.h"

namespace elastane {
namespace {

constexpr const char* kKey = "elastane_metric";
constexpr const char* kFormat = "1";

// throws Misfit
MetricWeights read(const Safetensors& file, const std::string& source) {
  const std::string where = "[metric] " + source + ": ";
  const auto format = file.metadata.find(kKey);
  if (format == file.metadata.end()) throw Misfit(where + "expected a learned metric, found another safetensors file");
  if (format->second != kFormat) throw Misfit(where + "format: expected 1, found " + format->second);
  MetricWeights weights;
  std::vector<double> rows;
  ArrayReader reader(file, where);
  const Shape diagonal = reader.take("diagonal", weights.diagonal), factor = reader.take("factor", rows);
  reader.done();
  const auto d = static_cast<std::int64_t>(weights.diagonal.size());
  if (d == 0 || d > 1'000'000)
    throw Misfit(where + "diagonal: expected 1 to 1000000 numbers, found " + std::to_string(d));
  expect_shape(where, "diagonal", {d}, diagonal);
  expect_shape(where, "factor", {factor.empty() ? 0 : factor[0], d}, factor);
  // rows are padded to whole vectors
  const auto stride = static_cast<std::size_t>(double_stride(static_cast<int>(d))), width = static_cast<std::size_t>(d);
  weights.factor.resize(rows.size() / width * stride);
  for (std::size_t at = 0, to = 0; at < rows.size(); at += width, to += stride) {
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(at), width,
                weights.factor.begin() + static_cast<std::ptrdiff_t>(to));
  }
  if (const Status sound = validate(weights); !sound) throw Misfit(source + ": " + sound.error());
  return weights;
}

}  // namespace

Result<std::vector<std::byte>> format_metric(const MetricWeights& weights,
                                             std::map<std::string, std::string> metadata) {
  if (Status sound = validate(weights); !sound) return Error{sound.error()};
  metadata[kKey] = kFormat;
  const LearnedMetric metric = weights.view();
  std::vector<double> rows;
  for (int j = 0; j < weights.rank(); ++j) {
    rows.insert(rows.end(), metric.factor[j], metric.factor[j] + weights.latents());
  }
  const std::vector<StoredTensor> tensors = {stored("diagonal", weights.diagonal),
                                             stored("factor", rows, {weights.rank(), weights.latents()})};
  return format_safetensors(metadata, tensors);
}

Result<MetricWeights> parse_metric_file(std::span<const std::byte> bytes, const std::string& source) {
  return parse_stored(bytes, source, read);
}

Status save_metric(const std::string& path, const MetricWeights& weights, std::map<std::string, std::string> metadata) {
  const auto bytes = format_metric(weights, std::move(metadata));
  if (!bytes) return Error{bytes.error()};
  return write_file(path, *bytes);
}

Result<MetricWeights> load_metric(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return Error{file.error()};
  return parse_metric_file(file->bytes(), path);
}

}  // namespace elastane
