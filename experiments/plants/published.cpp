#include "experiments/plants/published.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "elastane/io/table.h"

namespace elastane::published {
namespace {

// deviations of A and R in train, mean over runs
constexpr float kOwnUnits[] = {1.165437F, 0.667682F};

void append(std::vector<float>& to, std::span<const double> from) {
  for (const double value : from) to.push_back(static_cast<float>(value));
}

}  // namespace

std::string folder() {
  const char* given = std::getenv("ELASTANE_DATA");
  return std::string(given != nullptr ? given : "../shared/data") + "/plant";
}

bool found() { return std::filesystem::exists(folder() + "/rlc") && std::filesystem::exists(folder() + "/cstr"); }

// time, v, i, u, v again; all scaled. The header has two columns of one name, so rows are read without it
Result<std::vector<plant::Record>> circuit(const std::string& split) {
  const std::string path = folder() + "/rlc/RLC_data_" + split + "_nl.csv";
  std::ifstream file(path);
  std::string header;
  std::getline(file, header);
  const std::string rows(std::istreambuf_iterator<char>(file), {});
  const auto table = parse_csv(rows, path);
  if (!table) return Error{table.error()};
  if (table->columns.size() != 5) return Error{"[circuit] " + path + ": expected 5 columns of numbers"};
  plant::Record record{.inputs = 1, .outputs = 2, .measured = 1, .u = {}, .y = {}};
  for (std::size_t r = 0; r < table->rows; ++r) {
    append(record.u, table->row(r).subspan(3, 1));
    append(record.y, table->row(r).subspan(1, 2));
  }
  return std::vector{record};
}

// flow and temperature, in this order; A and R
Result<std::vector<plant::Record>> reactor(const std::string& split, bool as_in_training) {
  const std::string name = split == "transfer" ? "transf" : split;
  const auto u = read_table(folder() + "/cstr/u_" + name + ".npy"),
             y = read_table(folder() + "/cstr/y_" + name + ".npy");
  if (!u) return Error{u.error()};
  if (!y) return Error{y.error()};
  if (u->rows != y->rows || u->columns.size() != 2 || y->columns.size() != 2) {
    return Error{"[reactor] " + folder() + ": expected two inputs and two outputs in equally many rows"};
  }
  // the first outputs tell where the reactor is, all others are to be predicted
  std::vector<plant::Record> records(u->series.size(), {.inputs = 2, .outputs = 2, .measured = 2});
  for (std::size_t r = 0; r < u->rows; ++r) {
    plant::Record& record = records[static_cast<std::size_t>(u->series_of[r])];
    if (record.start.empty()) {
      append(record.start, y->row(r));
      continue;
    }
    append(record.u, u->row(r));
    append(record.y, y->row(r));
  }
  const bool converts = as_in_training && (split == "transfer" || split == "eval");
  for (plant::Record& record : records) {
    for (std::vector<float>* values : {&record.start, &record.y}) {
      for (std::size_t i = 0; converts && i < values->size(); ++i) (*values)[i] *= kOwnUnits[i % 2];
    }
  }
  return records;
}

}  // namespace elastane::published
