#include "lab/recall/recall_rows.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace elastane::recall {
namespace {

using RowJson = nlohmann::ordered_json;

// calls f(name, field) for every optional field
template <class Row, class F>
void each_figure(Row& row, F f) {
  f("length", row.length);
  f("pairs", row.pairs);
  f("accuracy", row.accuracy);
  f("accuracy_changed", row.accuracy_changed);
  f("state_bytes", row.state_bytes);
  f("write_share", row.write_share);
  f("p50_us", row.p50_us);
  f("bits_per_byte", row.bits_per_byte);
  f("train_seconds", row.train_seconds);
}

}  // namespace

RowJson to_json(const RecallRow& row) {
  RowJson json = {{"part", row.part}, {"model", row.model}, {"seed", row.seed}};
  each_figure(row, [&](const char* name, const auto& field) { json[name] = field ? RowJson(*field) : RowJson(); });
  return json;
}

RecallRow row_of(const RowJson& json) {
  RecallRow row{.part = json.at("part"), .model = json.at("model"), .seed = json.at("seed")};
  each_figure(row, [&](const char* name, auto& field) {
    if (!json.at(name).is_null()) field = json.at(name).get<typename std::decay_t<decltype(field)>::value_type>();
  });
  return row;
}

Result<std::vector<RecallRow>> read_rows(const std::string& path) {
  std::vector<RecallRow> rows;
  std::ifstream file(path);
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    const bool whole = !file.eof();  // a line ends with a newline
    try {
      rows.push_back(row_of(RowJson::parse(text)));
    } catch (const nlohmann::json::exception&) {
      if (!whole) break;
      return Error{"[journal] " + path + ", line " + std::to_string(number) +
                   ": expected a row of recall, found something else; remove the line, or the file"};
    }
  }
  return rows;
}

void append_row(const std::string& path, const RecallRow& row) {
  std::ofstream(path, std::ios::app) << to_json(row).dump() << "\n";
}

}  // namespace elastane::recall
