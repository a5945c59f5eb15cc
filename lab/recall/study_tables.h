// Tables and JSON rows of the study: accuracy against dense, sparse share against the best found by search, and against the
// best static choice at an equal share, with paired tests.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lab/recall/study.h"

namespace elastane::recall {

// Static heads at the share of a router: as many full heads as it has on average, rounded up, so that static never has
// fewer. The test is paired by sequence, over all seeds and positions.
std::string router_tables(const Study& study, const StudyOptions& options, nlohmann::ordered_json& rows);

// accuracy lost against dense by position of the instruction, for each pooling
std::string position_table(const Study& study, const StudyOptions& options, nlohmann::ordered_json& rows);

// share of sequences in which each head is full, by task
std::string heat_maps(const Study& study, const StudyOptions& options);

// how often drawn choices collapse or lose a task, by temperature
std::string temperature_table(const Study& study, const StudyOptions& options, nlohmann::ordered_json& rows);

// bits per byte against sparse share and counted keys
std::string text_table(const Study& study, nlohmann::ordered_json& rows);

std::string hybrid_table(const Study& study, const StudyOptions& options, nlohmann::ordered_json& rows);

}  // namespace elastane::recall
