#include "elastane/forecast/channel_columns.h"

#include <algorithm>

namespace elastane {

std::string comma_separated(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Result<std::vector<std::size_t>> columns_of_channels(const RowReader& reader, const std::vector<std::string>& names,
                                                     const std::string& source) {
  const auto& columns = reader.columns();
  std::vector<std::size_t> found;
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto at = std::ranges::find(columns, names[i]);
    if (at == columns.end()) missing.push_back(names[i]);
    found.push_back(static_cast<std::size_t>(at - columns.begin()));
  }
  if (!reader.is_named()) {
    if (columns.size() != names.size()) {
      return Error{"[rows] " + source + ": expected " + std::to_string(names.size()) + " values per row (" +
                   comma_separated(names) + "), found " + std::to_string(columns.size()) +
                   "; add a header to name them"};
    }
    for (std::size_t i = 0; i < names.size(); ++i) found[i] = i;
  } else if (!missing.empty()) {
    return Error{"[rows] " + source + ": expected the columns " + comma_separated(missing) +
                 ", which the model learned from; found " + comma_separated(columns)};
  }
  return found;
}

}  // namespace elastane
