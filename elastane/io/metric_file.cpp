#include "elastane/io/metric_file.h"

#include <algorithm>

#include "elastane/io/stored_file.h"

namespace elastane {
namespace {

constexpr const char* kFormat = "1";

// throws Misfit
MetricWeights read_metric(const std::string& text, ArrayReader& reader) {
  const std::string& where = reader.where();
  if (text != kFormat) throw Misfit(where + "format: expected 1, found " + text);
  MetricWeights weights;
  std::vector<double> rows;
  const Shape diagonal = reader.take("diagonal", weights.diagonal), factor = reader.take("factor", rows);
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
  if (const Status sound = validate(weights); !sound) throw Misfit(where + without_tag(sound.error()));
  return weights;
}

Status write_metric(const MetricWeights& weights, StoredContent& to) {
  if (Status sound = validate(weights); !sound) return sound;
  to.text = kFormat;
  const LearnedMetric metric = weights.view();
  std::vector<double> rows;
  for (int j = 0; j < weights.rank(); ++j) {
    rows.insert(rows.end(), metric.factor[j], metric.factor[j] + weights.latents());
  }
  to.add("diagonal", weights.diagonal);
  to.add("factor", std::move(rows), {weights.rank(), weights.latents()});
  return {};
}

constexpr StoredFile<MetricWeights> kMetricFile = {"elastane_metric", "metric", "a learned metric", write_metric,
                                                   read_metric};

}  // namespace

Result<std::vector<std::byte>> format_metric(const MetricWeights& weights,
                                             std::map<std::string, std::string> metadata) {
  return format(kMetricFile, weights, std::move(metadata));
}
Result<MetricWeights> parse_metric_file(std::span<const std::byte> bytes, const std::string& source) {
  return parse(kMetricFile, bytes, source);
}
Status save_metric(const std::string& path, const MetricWeights& weights, std::map<std::string, std::string> metadata) {
  return save(kMetricFile, path, weights, std::move(metadata));
}
Result<MetricWeights> load_metric(const std::string& path) { return load(kMetricFile, path); }

}  // namespace elastane
