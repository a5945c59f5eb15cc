// Which columns of a table are the channels of a model.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "elastane/io/row_reader.h"

namespace elastane {

// The names as a message lists them: a, b, c.
std::string comma_separated(const std::vector<std::string>& names);

// The column of each channel, after the first row was read: by name, or by position if the columns have no names. `source`
// is named in messages.
Result<std::vector<std::size_t>> columns_of_channels(const RowReader& reader, const std::vector<std::string>& names,
                                                     const std::string& source);

}  // namespace elastane
