#include "elastane/core/metric/metric.h"

#include <string>
#include <utility>

namespace elastane {
namespace {

constexpr std::pair<Metric, std::string_view> kNames[] = {
    {Metric::automatic, "automatic"}, {Metric::euclidean, "euclidean"},
    {Metric::fixed, "fixed"},         {Metric::latent_covariance, "latent_covariance"},
    {Metric::learned, "learned"},     {Metric::literal, "literal"},
    {Metric::sketch, "sketch"},       {Metric::conjugate_gradient, "conjugate_gradient"},
    {Metric::exact, "exact"},         {Metric::kalman, "kalman"},
    {Metric::native, "native"},
};

}  // namespace

std::string_view name(Metric metric) {
  for (const auto& [value, text] : kNames) {
    if (value == metric) return text;
  }
  return "?";
}

Result<Metric> parse_metric(std::string_view text) {
  std::string known;
  for (const auto& [value, candidate] : kNames) {
    if (candidate == text) return value;
    known += known.empty() ? "" : ", ";
    known += candidate;
  }
  return Error{"[metric] expected one of " + known + ", found \"" + std::string(text) + "\""};
}

}  // namespace elastane
