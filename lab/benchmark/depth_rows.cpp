#include "lab/benchmark/depth_rows.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <stdexcept>

namespace elastane::benchmark {
namespace {

// every number with its key
template <class Row, class Visit>
void each_number(Row& row, Visit visit) {
  visit("solved", row.solved);
  visit("accuracy", row.accuracy);
  visit("accuracy_at_3t", row.accuracy_at_3t);
  visit("mean_depth", row.mean_depth);
  visit("oracle_depth", row.oracle_depth);
  visit("spearman", row.spearman);
  visit("violations", row.violations);
  visit("cases", row.cases);
  visit("madds", row.macs);
  visit("p50_us", row.p50_us);
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  std::vector<double> rank(values.size());
  for (std::size_t i = 0, j = 0; i < order.size(); i = j) {
    while (j < order.size() && values[order[j]] == values[order[i]]) ++j;
    for (std::size_t k = i; k < j; ++k) rank[order[k]] = 0.5 * static_cast<double>(i + j - 1);
  }
  return rank;
}

}  // namespace

nlohmann::ordered_json to_json(const DepthRow& row) {
  nlohmann::ordered_json json = {
      {"part", row.part}, {"task", row.task}, {"method", row.method}, {"size", row.size}, {"seed", row.seed}};
  each_number(row, [&](const char* key, double value) {
    if (value == kNotMeasured || !std::isfinite(value)) {
      json[key] = nullptr;
    } else {
      json[key] = value;
    }
  });
  if (!row.curve.empty()) json["curve"] = row.curve;
  if (!row.command.empty()) json["command"] = row.command;
  return json;
}

DepthRow depth_row_of(const nlohmann::json& json) {
  DepthRow row{.part = json.at("part"),
               .task = json.at("task"),
               .method = json.at("method"),
               .size = json.at("size"),
               .seed = json.at("seed")};
  each_number(row, [&](const char* key, double& value) {
    if (json.contains(key) && json.at(key).is_number()) value = json.at(key);
  });
  if (json.contains("curve")) row.curve = json.at("curve").get<std::vector<double>>();
  if (json.contains("command")) row.command = json.at("command");
  return row;
}

Result<std::vector<DepthRow>> read_depth_rows(const std::string& path) {
  std::vector<DepthRow> rows;
  std::ifstream file(path);
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    const bool whole = !file.eof();  // a line ends with a newline
    try {
      rows.push_back(depth_row_of(nlohmann::json::parse(text)));
    } catch (const nlohmann::json::exception&) {
      if (!whole) break;
      return Error{"[journal] " + path + ", line " + std::to_string(number) +
                   ": expected a row of the study, found something else; remove the line, or the file"};
    }
  }
  return rows;
}

void append(const std::string& path, const DepthRow& row) {
  if (path.empty()) return;
  std::ofstream file(path, std::ios::app);
  file << to_json(row).dump() << '\n';
  file.flush();
  if (!file) throw std::runtime_error("[journal] " + path + ": cannot be written");
}

double spearman(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks(a), y = ranks(b);
  const auto n = static_cast<double>(x.size());
  const double mean = 0.5 * (n - 1);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : std::nan("");
}

}  // namespace elastane::benchmark
