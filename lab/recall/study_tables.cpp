#include "lab/recall/study_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "command_line/aligned_table.h"
#include "lab/benchmark/statistics.h"
#include "lab/recall/episode.h"
#include "lab/recall/study_select.h"

namespace elastane::recall {
namespace {

using benchmark::Estimate;
using benchmark::Term;
using command_line::AlignedTable;
using Json = nlohmann::ordered_json;

constexpr double kEqualShares = 0.01;  // tasks with shares closer than this are treated alike: the router collapsed
constexpr double kLost = 0.05;         // accuracy of a task that counts as lost

std::string number(double v, int digits = 3) { return std::isfinite(v) ? fmt::format("{:.{}f}", v, digits) : "–"; }

Json json_number(double v) { return std::isfinite(v) ? Json(std::round(v * 1e5) / 1e5) : Json(nullptr); }

// the router against static heads on the same sequences, all seeds and positions
benchmark::Comparison against_static(const Study& study, Filter router, const std::string& task) {
  std::vector<Term> ours, theirs;
  router.task = task;
  for (const std::uint64_t seed : seeds_of(study, router)) {
    router.seed = seed;
    Filter still = static_of(study, router);
    still.task = task;
    for (const StudyLine* line : lines_of(study, router)) {
      still.position = line->position;
      const Lines rival = lines_of(study, still);
      if (rival.empty() || rival.front()->hits.size() != line->hits.size()) continue;
      const auto at = std::ranges::find(kPositionNames, line->position) - kPositionNames.begin();
      for (std::size_t i = 0; i < line->hits.size(); ++i) {
        const int world = static_cast<int>(at * 100'000 + static_cast<std::ptrdiff_t>(i));
        ours.push_back({world, static_cast<double>(line->hits[i]), static_cast<double>(line->labels[i])});
        theirs.push_back({world, static_cast<double>(rival.front()->hits[i]), static_cast<double>(line->labels[i])});
      }
    }
  }
  return ours.empty() ? benchmark::Comparison{.difference = {kNaN, {}}, .ratio = {}, .p = kNaN}
                      : benchmark::compare(ours, theirs);
}

struct TaskTests {
  std::vector<double> difference, p;  // by task; p after Holm
};
TaskTests tests_of(const Study& study, const Filter& router) {
  TaskTests tests;
  for (const std::string_view task : kTaskNames) {
    const benchmark::Comparison found = against_static(study, router, std::string(task));
    tests.difference.push_back(found.difference.mean);
    tests.p.push_back(found.p);
  }
  tests.p = benchmark::holm(tests.p);
  return tests;
}

// one row per line, as the programs read them
void add_rows(const Study& study, const Filter& f, const TaskTests* tests, Json& rows) {
  for (const StudyLine* line : lines_of(study, f)) {
    Filter same{line->part, line->backbone, line->method, line->setting, line->task, line->position, line->seed};
    Filter still = static_of(study, {line->part, line->backbone, line->method, line->setting, {}, {}, line->seed});
    still.task = line->task, still.position = line->position;
    const auto task = static_cast<std::size_t>(std::ranges::find(kTaskNames, line->task) - kTaskNames.begin());
    rows.push_back(
        {{"part", line->part},
         {"backbone", line->backbone},
         {"task", line->task},
         {"method", line->setting.empty() ? line->method : fmt::format("{} ({})", line->method, line->setting)},
         {"seed", line->seed},
         {"position", line->position},
         {"accuracy", json_number(line->accuracy())},
         {"dense_accuracy", json_number(accuracy(dense_lines(study, same)))},
         {"sparse_share", json_number(line->sparse_share())},
         {"static_accuracy", json_number(accuracy(lines_of(study, still)))},
         {"p_value", tests != nullptr && task < tests->p.size() ? json_number(tests->p[task]) : Json(nullptr)}});
  }
}

std::vector<std::string> header_with_tasks(std::vector<std::string> begin, const std::vector<std::string>& end) {
  begin.insert(begin.end(), kTaskNames.begin(), kTaskNames.end());
  begin.insert(begin.end(), end.begin(), end.end());
  return begin;
}

std::vector<std::string> task_cells(const Study& study, Filter f, double (*value)(const Lines&)) {
  std::vector<std::string> cells;
  for (const std::string_view task : kTaskNames) {
    f.task = std::string(task);
    cells.push_back(number(value(lines_of(study, f))));
  }
  return cells;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

const std::vector<std::string> kMethods = {"dense", "search",   "examples", "examples_stream",
                                           "paper", "released", "price",    "static_0"};

std::string interval(const Estimate& e) {
  return std::isfinite(e.interval.low) ? fmt::format("{:.3f} ({:.3f}–{:.3f})", e.mean, e.interval.low, e.interval.high)
                                       : number(e.mean);
}

std::string accuracy_table(const Study& study, const std::string& backbone, bool shares) {
  AlignedTable table{.header = header_with_tasks({"method"}, {"mean", "seeds"}), .rows = {}};
  for (const std::string& method : kMethods) {
    const Filter f{.part = "router", .backbone = backbone, .method = method};
    if (lines_of(study, f).empty()) continue;
    std::vector<std::string> row = {method};
    append(row, task_cells(study, f, shares ? share : accuracy));
    append(row,
           {interval(over_seeds(study, f, shares ? share : accuracy)), fmt::format("{}", seeds_of(study, f).size())});
    table.rows.push_back(row);
  }
  return table.text();
}

bool is_router(const std::string& method) {
  return method != "dense" && method != "search" && !method.starts_with("static");
}

// what the study claims, one line per router: the task that loses most, the sparse share against the one found by search,
// and the task on which as many static heads are worst
std::string claims_table(const Study& study, const std::string& backbone) {
  AlignedTable table{.header = {"router", "least of dense accuracy", "in", "sparse share", "by search", "hardest task",
                                "over static", "p", "largest loss by position"},
                     .rows = {}};
  const double searched = share(lines_of(study, {.part = "router", .backbone = backbone, .method = "search"}));
  for (const std::string& method : kMethods) {
    const Filter all{.part = "router", .backbone = backbone, .method = method};
    if (!is_router(method) || lines_of(study, all).empty()) continue;
    const TaskTests tests = tests_of(study, all);
    double least = HUGE_VAL, loss = 0, lowest = HUGE_VAL;
    std::size_t worst = 0, hardest = 0;
    for (std::size_t task = 0; task < kTaskNames.size(); ++task) {
      Filter f = all;
      f.task = std::string(kTaskNames[task]);
      const double dense = accuracy(dense_lines(study, f)), own = accuracy(lines_of(study, f));
      if (own / dense < least) least = own / dense, worst = task;
      const double rival = (own - tests.difference[task]) / dense;
      if (rival < lowest) lowest = rival, hardest = task;
      for (const std::string_view position : kPositionNames) {
        f.position = std::string(position);
        loss = std::max(loss, accuracy(dense_lines(study, f)) - accuracy(lines_of(study, f)));
      }
    }
    table.rows.push_back(
        {method, number(least), std::string(kTaskNames[worst]), number(share(lines_of(study, all))), number(searched),
         std::string(kTaskNames[hardest]),
         std::isfinite(tests.difference[hardest]) ? fmt::format("{:+.3f}", tests.difference[hardest]) : "–",
         std::isfinite(tests.p[hardest]) ? fmt::format("{:.2g}", tests.p[hardest]) : "–", number(loss)});
  }
  return table.text();
}

std::string static_table(const Study& study, const std::string& backbone) {
  AlignedTable table{.header = header_with_tasks({"router − static at equal share"}, {"static heads"}), .rows = {}};
  for (const std::string& method : kMethods) {
    const Filter f{.part = "router", .backbone = backbone, .method = method};
    if (!is_router(method) || lines_of(study, f).empty()) continue;
    const TaskTests tests = tests_of(study, f);
    std::vector<std::string> row = {method};
    for (std::size_t task = 0; task < tests.p.size(); ++task) {
      row.push_back(std::isfinite(tests.difference[task])
                        ? fmt::format("{:+.3f} (p {:.2g})", tests.difference[task], tests.p[task])
                        : "–");
    }
    std::string heads;
    for (const std::uint64_t seed : seeds_of(study, f)) {
      Filter one = f;
      one.seed = seed;
      const std::string name = static_of(study, one).method;
      heads += (heads.empty() ? "" : " ") + name.substr(name.find('_') + 1);
    }
    row.push_back(heads);
    table.rows.push_back(row);
  }
  return table.text();
}

}  // namespace

std::string router_tables(const Study& study, const StudyOptions&, Json& rows) {
  std::string text;
  for (const std::string backbone : kBackbones) {
    if (lines_of(study, {.part = "router", .backbone = backbone, .method = "dense"}).empty()) continue;
    text += fmt::format(
        "\n## Router, {}\n\nWhat is claimed: least of dense accuracy ≥ .99, share within .03 of the search, over "
        "static "
        "with p < .01, loss ≤ .02:\n\n{}\n",
        backbone, claims_table(study, backbone));
    text += fmt::format("Accuracy, mean over positions and seeds; 95 % over seeds:\n\n{}\n",
                        accuracy_table(study, backbone, false));
    text += fmt::format("Sparse share; search: the fewest full heads that keep .99 of dense, task by task:\n\n{}\n",
                        accuracy_table(study, backbone, true));
    text += fmt::format(
        "Against the best static heads, as many as the router has on average, rounded up; p paired by sequence, after "
        "Holm:\n\n{}",
        static_table(study, backbone));
    for (const std::string& method : kMethods) {
      const Filter f{.part = "router", .backbone = backbone, .method = method};
      const TaskTests tests = method == "dense" ? TaskTests{} : tests_of(study, f);
      add_rows(study, f, &tests, rows);
    }
  }
  return text;
}

std::string position_table(const Study& study, const StudyOptions&, Json& rows) {
  AlignedTable table{.header = {"router sees", "position", "loss, mean", "loss, worst task", "sparse share", "seeds"},
                     .rows = {},
                     .left = 2};
  const auto add = [&](const std::string& name, const Filter& router) {
    for (const std::string_view position : kPositionNames) {
      Filter f = router;
      f.position = std::string(position);
      const Lines lines = lines_of(study, f);
      if (lines.empty()) return;
      double worst = 0;
      for (const std::string_view task : kTaskNames) {
        f.task = std::string(task);
        worst = std::max(worst, accuracy(dense_lines(study, f)) - accuracy(lines_of(study, f)));
      }
      f.task.reset();
      table.rows.push_back({name, f.position.value(), number(accuracy(dense_lines(study, f)) - accuracy(lines)),
                            number(worst), number(share(lines)), fmt::format("{}", seeds_of(study, f).size())});
    }
    if (router.part == "position") add_rows(study, router, nullptr, rows);
  };
  for (const std::string backbone : kBackbones) {
    for (const std::string form : {"examples", "examples_stream"}) {
      add(fmt::format("edges and maximum, {}{}", backbone, form == "examples" ? "" : ", block by block"),
          {.part = "router", .backbone = backbone, .method = form});
    }
  }
  for (const std::string setting : {"edges_maximum", "edges", "edges, trained at the front", "mean", "maximum"}) {
    add(setting + ", half the sequences",
        {.part = "position", .backbone = kBackbones[0], .method = "examples", .setting = setting});
  }
  return "\n## Position of the instruction, and pooling\n\n" + table.text();
}

std::string heat_maps(const Study& study, const StudyOptions&) {
  std::string text;
  for (const std::string backbone : kBackbones) {
    const Filter all{.part = "router", .backbone = backbone, .method = "examples"};
    const Lines any = lines_of(study, all);
    if (any.empty()) continue;
    AlignedTable table{.header = header_with_tasks({"layer", "head"}, {}), .rows = {}, .left = 2};
    for (std::size_t head = 0; head < any.front()->heads.size(); ++head) {
      std::vector<std::string> row = {fmt::format("{}", head / 4), fmt::format("{}", head % 4)};
      for (const std::string_view task : kTaskNames) {
        Filter f = all;
        f.task = std::string(task);
        row.push_back(number(mean(lines_of(study, f), [&](const StudyLine& l) { return l.heads[head]; }), 2));
      }
      table.rows.push_back(row);
    }
    text += fmt::format("\n## Heat map, {}: share of prompts in which a head is full, by task\n\n{}", backbone,
                        table.text());
  }
  return text;
}

std::string temperature_table(const Study& study, const StudyOptions&, Json& rows) {
  AlignedTable table{.header = {"temperature", "seeds", "accuracy", "sparse share", "alike for all tasks",
                                "a task lost", "no spread in a task"},
                     .rows = {}};
  for (const Temperatures& t : kTemperatures) {
    const Filter f{.part = "temperature", .backbone = kBackbones[0], .method = "paper", .setting = t.setting};
    const std::vector<std::uint64_t> seeds = seeds_of(study, f);
    if (seeds.empty()) continue;
    int alike = 0, lost = 0;
    double rigid = 0;
    for (const std::uint64_t seed : seeds) {
      double least = 1, most = 0, worst = 0;
      for (const std::string_view task : kTaskNames) {
        Filter one = f;
        one.seed = seed, one.task = std::string(task);
        const Lines lines = lines_of(study, one);
        least = std::min(least, share(lines)), most = std::max(most, share(lines));
        worst = std::max(worst, accuracy(dense_lines(study, one)) - accuracy(lines));
        rigid += std::ranges::all_of(lines, [](const StudyLine* l) { return l->spread() == 0; }) ? 1.0 / kTasks : 0;
      }
      alike += most - least < kEqualShares ? 1 : 0, lost += worst > kLost ? 1 : 0;
    }
    table.rows.push_back({t.setting, fmt::format("{}", seeds.size()), number(accuracy(lines_of(study, f))),
                          number(share(lines_of(study, f))), fmt::format("{} of {}", alike, seeds.size()),
                          fmt::format("{} of {}", lost, seeds.size()),
                          number(rigid / static_cast<double>(seeds.size()), 2)});
    add_rows(study, f, nullptr, rows);
  }
  return "\n## Temperature of drawn choices (the paper's method)\n\n" + table.text();
}

std::string text_table(const Study& study, Json& rows) {
  AlignedTable table{.header = {"heads", "ε", "bits per byte", "over dense", "sparse share", "multiply-adds per byte",
                                "of dense", "µs per byte", "of dense", "seeds"},
                     .rows = {},
                     .left = 2};
  const auto bits = [](const Lines& lines) { return mean(lines, [](const StudyLine& l) { return l.bits(); }); };
  const auto add = [&](const std::string& method, const std::string& setting, const Filter& dense) {
    const Filter f{.part = "text", .backbone = "language", .method = method, .setting = setting};
    const Lines lines = lines_of(study, f);
    if (lines.empty()) return;
    const double base = bits(dense_lines(study, dense));
    const auto cost = [&](double StudyLine::*what) { return mean(lines, [=](const StudyLine& l) { return l.*what; }); };
    const double macs = cost(&StudyLine::macs), dense_macs = cost(&StudyLine::dense_macs),
                 micros = cost(&StudyLine::micros), dense_micros = cost(&StudyLine::dense_micros);
    table.rows.push_back({method, setting, number(bits(lines), 4), fmt::format("{:+.4f}", bits(lines) - base),
                          number(share(lines)), fmt::format("{:.0f}", macs), number(macs / dense_macs),
                          number(micros, 2), number(micros / dense_micros),
                          fmt::format("{}", seeds_of(study, f).size())});
    add_rows(study, f, nullptr, rows);
  };
  const Filter dense{.part = "text", .backbone = "language", .method = "dense", .setting = kTextEpsilons[0]};
  add("dense", kTextEpsilons[0], dense);
  for (const std::string epsilon : kTextEpsilons) {
    add("examples", epsilon, dense);
    add("examples_stream", epsilon, dense);
  }
  for (int heads = 0; heads <= 12; ++heads) add(fmt::format("static_{}", heads), "", dense);
  return "\n## Text: cost of a byte in the engine, step by step (`examples`: the whole prompt at once), dense in "
         "turn\n\n" +
         table.text();
}

std::string hybrid_table(const Study& study, const StudyOptions&, Json& rows) {
  AlignedTable table{.header = header_with_tasks({"attention", ""}, {"mean"}), .rows = {}, .left = 2};
  for (const std::string method : {"dense", "search", "examples", "examples_stream", "static_1", "static_0"}) {
    const Filter f{.part = "hybrid", .backbone = "recall_hybrid", .method = method};
    if (lines_of(study, f).empty()) continue;
    for (const bool shares : {false, true}) {
      std::vector<std::string> row = {shares ? "" : method, shares ? "shut" : "accuracy"};
      append(row, task_cells(study, f, shares ? share : accuracy));
      row.push_back(interval(over_seeds(study, f, shares ? share : accuracy)));
      table.rows.push_back(row);
    }
    add_rows(study, f, nullptr, rows);
  }
  return "\n## Hybrid: Mamba, and attention opened by a gate; shut: a head sees its own block of 16 steps\n\n" +
         table.text();
}

}  // namespace elastane::recall
