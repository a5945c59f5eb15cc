// Rows of `elastane reproduce recall` as a table: means over seeds with their 95 % intervals, least and most.
#pragma once

#include <string>
#include <vector>

#include "lab/recall/recall_rows.h"

namespace elastane::recall {

// Markdown; rows of one model, length and number of pairs are one line. Columns that nothing fills are left out.
std::string table_of(const std::string& part, const std::vector<RecallRow>& rows);

// what the part's figures mean
std::string explanation_of(const std::string& part);

// charts and, of a memory with a budget, what was written when and why: one HTML page
std::string recall_page(const std::vector<RecallRow>& rows);

}  // namespace elastane::recall
