#include "lab/plant/published_runs.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "elastane/io/table.h"

namespace elastane::plant {
namespace {

// deviations of A and R in train, mean over runs
constexpr float kOwnUnits[] = {1.165437F, 0.667682F};

void append(std::vector<float>& to, std::span<const double> from) {
  for (const double value : from) to.push_back(static_cast<float>(value));
}

// outputs just before the first step say where the reactor is; the others are to be predicted
std::vector<Record> reactor_records(const Table& u, const Table& y) {
  std::vector<Record> records(u.series.size(), {.inputs = 2, .outputs = 2, .measured = 2});
  for (std::size_t r = 0; r < u.rows; ++r) {
    Record& record = records[static_cast<std::size_t>(u.series_of[r])];
    if (record.start.empty()) {
      append(record.start, y.row(r));
      continue;
    }
    append(record.u, u.row(r));
    append(record.y, y.row(r));
  }
  return records;
}

}  // namespace

bool PublishedRuns::found() const {
  return std::filesystem::exists(folder_ + "/rlc") && std::filesystem::exists(folder_ + "/cstr");
}

// time, v, i, u, v again; all scaled. The header has two columns of the same name, so rows are read without it
Result<std::vector<Record>> PublishedRuns::circuit(const std::string& split) const {
  const std::string path = folder_ + "/rlc/RLC_data_" + split + "_nl.csv";
  std::ifstream file(path);
  std::string header;
  std::getline(file, header);
  const std::string rows(std::istreambuf_iterator<char>(file), {});
  const auto table = parse_csv(rows, path);
  if (!table) return Error{table.error()};
  if (table->columns.size() != 5) return Error{"[circuit] " + path + ": expected 5 columns of numbers"};
  Record record{.inputs = 1, .outputs = 2, .measured = 1, .u = {}, .y = {}};
  for (std::size_t r = 0; r < table->rows; ++r) {
    append(record.u, table->row(r).subspan(3, 1));
    append(record.y, table->row(r).subspan(1, 2));
  }
  return std::vector{record};
}

// inputs: flow and temperature, in this order; outputs: A and R
Result<std::vector<Record>> PublishedRuns::reactor(const std::string& split, bool as_in_training) const {
  const std::string name = split == "transfer" ? "transf" : split;
  const auto u = read_table(folder_ + "/cstr/u_" + name + ".npy"), y = read_table(folder_ + "/cstr/y_" + name + ".npy");
  if (!u) return Error{u.error()};
  if (!y) return Error{y.error()};
  if (u->rows != y->rows || u->columns.size() != 2 || y->columns.size() != 2) {
    return Error{"[reactor] " + folder_ + ": expected two inputs and two outputs in equally many rows"};
  }
  std::vector<Record> records = reactor_records(*u, *y);
  if (!as_in_training || (split != "transfer" && split != "eval")) return records;
  for (Record& record : records) {
    for (std::vector<float>* values : {&record.start, &record.y}) {
      for (std::size_t i = 0; i < values->size(); ++i) (*values)[i] *= kOwnUnits[i % 2];
    }
  }
  return records;
}

}  // namespace elastane::plant
