#include "lab/frost/image_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/benchmark/statistics.h"

namespace elastane::frost {
namespace {

using benchmark::DepthRow;
using Rows = std::vector<DepthRow>;

// places in the curve of a network's row (lab/images/training_images.h)
constexpr std::size_t kShown = 6, kDistance = 6, kNorm = 12, kAccuracy = 15;

// one number of one kind of rows, seed by seed; numbers that were not measured are left out
template <class Number>
std::vector<double> over(const Rows& rows, const std::string& method, int size, Number number) {
  std::vector<double> values;
  for (const DepthRow& row : rows) {
    if (row.method != method || (size > 0 && row.size != size)) continue;
    const double value = number(row);
    if (std::isfinite(value) && value != benchmark::kNotMeasured) values.push_back(value);
  }
  return values;
}

std::string mean_of(const std::vector<double>& values, int digits) {
  if (values.empty()) return "–";
  return fmt::format("{:.{}f}", benchmark::over_seeds(values).mean, digits);
}
std::string with_interval(const std::vector<double>& values, int digits) {
  if (values.size() < 2) return mean_of(values, digits);
  const benchmark::Estimate e = benchmark::over_seeds(values);
  return fmt::format("{:.{}f} ± {:.{}f}", e.mean, digits, 0.5 * (e.interval.high - e.interval.low), digits);
}

double accuracy(const DepthRow& row) { return row.accuracy; }
double depth(const DepthRow& row) { return row.mean_depth; }
double later(const DepthRow& row) { return row.accuracy_at_3t; }
auto curve_at(std::size_t i) {
  return [i](const DepthRow& row) { return i < row.curve.size() ? row.curve[i] : benchmark::kNotMeasured; };
}

const ImagePart& part_of(const std::string& name) {
  return *std::ranges::find_if(image_parts(), [&](const ImagePart& part) { return name == part.part; });
}

// of a network at the best of the depths that its row has
double best_accuracy(const DepthRow& full) {
  double best = full.accuracy;
  for (std::size_t i = kAccuracy; i < full.curve.size(); ++i) best = std::max(best, full.curve[i]);
  return best;
}

// accuracy over that of the same network at its best depth
std::vector<double> shares(const Rows& rows, const std::string& network, const std::string& rule, int size) {
  return over(rows, network + rule, size, [&](const DepthRow& row) {
    for (const DepthRow& full : rows) {
      if (full.method == network && full.seed == row.seed) return row.accuracy / best_accuracy(full);
    }
    return benchmark::kNotMeasured;
  });
}

std::string networks_table(const Rows& rows, const ImagePart& part) {
  std::string text =
      "\n| network | seeds | accuracy at its depth, 95 % | at depth 1 | 2 | 4 | 8 | at 3 × depth | of the recursion's "
      "|\n"
      "| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n";
  const std::vector<double> ours = over(rows, "recursion", 0, accuracy);
  for (const char* method : part.methods) {
    const std::vector<double> full = over(rows, method, 0, accuracy);
    if (full.empty()) continue;
    text += fmt::format("| {} | {} | {} |", method, full.size(), with_interval(full, 4));
    for (std::size_t i = 0; i < 4; ++i) text += " " + mean_of(over(rows, method, 0, curve_at(kAccuracy + i)), 4) + " |";
    const double share = ours.empty() ? NAN : benchmark::over_seeds(full).mean / benchmark::over_seeds(ours).mean;
    text += fmt::format(" {} | {} |\n", mean_of(over(rows, method, 0, later), 4),
                        std::isfinite(share) ? fmt::format("{:.3f}", share) : "–");
  }
  return text;
}

std::string rules_table(const Rows& rows, const ImagePart& part) {
  std::string text =
      "\nLeast mean depth with 95 % and 98 % of the accuracy of the network's best depth, chosen on held-out images; "
      "shares of that accuracy are those of the test images.\n\n"
      "| network | rule | depth for 95 % | share | depth for 98 % | share | ρ(depth, ready) | "
      "multiply-adds |\n| --- | --- | --: | --: | --: | --: | --: | --: |\n";
  for (const char* method : part.methods) {
    for (const char* rule : {"/uniform", "/certificate", "/change", "/relative_change", "/margin", "/confidence",
                             "/patience", "/learned", "/ranking", "/ponder", "/act"}) {
      const std::string name = std::string(method) + rule;
      if (over(rows, name, 98, depth).empty()) continue;
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", method, rule + 1,
                          with_interval(over(rows, name, 95, depth), 2), mean_of(shares(rows, method, rule, 95), 3),
                          with_interval(over(rows, name, 98, depth), 2), mean_of(shares(rows, method, rule, 98), 3),
                          mean_of(over(rows, name, 98, [](const DepthRow& row) { return row.spearman; }), 2),
                          mean_of(over(rows, name, 98, [](const DepthRow& row) { return row.macs; }), 0));
    }
  }
  return text;
}

std::string proven_table(const Rows& rows, const ImagePart& part) {
  std::string text;
  for (const char* method : part.methods) {
    const std::string name = std::string(method) + "/proven";
    const std::vector<double> depths = over(rows, name, 100, depth);
    if (depths.empty()) continue;
    const auto sum = [&](auto number) {
      double total = 0;
      for (const double value : over(rows, name, 100, number)) total += value;
      return total;
    };
    text += fmt::format("| {} | {} | {} | {} | {:.0f} | {:.0f} | {} |\n", method, with_interval(depths, 2),
                        mean_of(over(rows, name, 100, accuracy), 4), mean_of(over(rows, name, 100, later), 4),
                        sum([](const DepthRow& row) { return row.cases; }),
                        sum([](const DepthRow& row) { return row.violations; }),
                        mean_of(over(rows, name, 100, [](const DepthRow& row) { return row.p50_us; }), 1));
  }
  if (text.empty()) return "";
  return "\nIn the engine, until no class can overtake the best one at infinite depth, at most 16 iterations (the "
         "first "
         "2,000 test images):\n\n"
         "| network | depth | accuracy | accuracy at depth 48 | proven | of these, differ at 1,000 iterations | p50 µs "
         "|\n| --- | --: | --: | --: | --: | --: | --: |\n" +
         text;
}

// depth of one rule over that of another, seed by seed
std::string paired_table(const Rows& rows) {
  std::string text;
  for (const char* ours : {"recursion/margin", "recursion/learned", "recursion/certificate"}) {
    for (const char* theirs : {"literal_ranking/ranking", "recursion_ranking/ranking", "recursion/ranking"}) {
      for (const int target : {95, 98}) {
        std::vector<double> ratio, apart;
        for (const DepthRow& a : rows) {
          for (const DepthRow& b : rows) {
            if (a.method != ours || b.method != theirs || a.seed != b.seed) continue;
            if (a.size != target || b.size != target) continue;
            ratio.push_back(a.mean_depth / b.mean_depth);
            apart.push_back(a.mean_depth - b.mean_depth);
          }
        }
        if (ratio.empty()) continue;
        text += fmt::format("| {} | {} | {} % | {} | {} |\n", ours, theirs, target, with_interval(ratio, 2),
                            with_interval(apart, 2));
      }
    }
  }
  if (text.empty()) return "";
  return "\nPaired by seed (95 % intervals of Student's t):\n\n| ours | ranking | of full accuracy | depth, ratio | "
         "depth, "
         "difference |\n| --- | --- | --: | --: | --: |\n" +
         text;
}

std::string quantiles_table(const Rows& rows, const std::vector<const char*>& methods) {
  constexpr int kQuantiles[] = {125, 250, 375, 500, 625, 750, 875, 1000};
  constexpr const char* kPaper[] = {"4.37 / .732", "6.06 / .845",  "7.26 / .900",  "8.30 / .931",
                                    "9.43 / .960", "10.77 / .979", "12.49 / .997", "16 / 1"};
  std::string head =
                  "\nDepth and share of the best depth's accuracy by the quantile of the scores that stops (paper: "
                  "CIFAR-100, of "
                  "62.0 %):\n\n| network |",
              line = "| --- |", paper = "| paper |", text;
  for (std::size_t i = 0; i < std::size(kQuantiles); ++i) {
    head += fmt::format(" {} % |", 0.1 * kQuantiles[i]);
    line += " --: |";
    paper += fmt::format(" {} |", kPaper[i]);
  }
  for (const char* method : methods) {
    const std::string name = std::string(method) + "/quantile";
    if (over(rows, name, 500, depth).empty()) continue;
    text += fmt::format("| {} |", method);
    for (const int q : kQuantiles) {
      text += fmt::format(" {} / {} |", mean_of(over(rows, name, q, depth), 2),
                          mean_of(shares(rows, method, "/quantile", q), 3));
    }
    text += "\n";
  }
  return text.empty() ? "" : head + "\n" + line + "\n" + paper + "\n" + text;
}

std::string cosines_table(const Rows& rows, const ImagePart& part) {
  std::string text =
      "\n| form | cos(h_t, h_T), t = 1 3 6 9 12 15 | ‖h_t − h_3T‖/‖h_3T‖, t = 1 6 15 | ‖h‖ at 1, T, 3T | accuracy at "
      "1, "
      "T | at 3T |\n| --- | --- | --- | --- | --- | --: |\n"
      "| paper, FROST | .30 .70 .90 .97 .99 .9996 | – | – | – | – |\n"
      "| paper, SSM | .05 .35 .71 .90 .98 .999 | – | – | – | – |\n";
  for (const char* method : part.methods) {
    if (over(rows, method, 0, accuracy).empty()) continue;
    const auto listed = [&](std::vector<std::size_t> places, int digits) {
      std::string all;
      for (const std::size_t i : places) {
        all += (all.empty() ? "" : " ") + mean_of(over(rows, method, 0, curve_at(i)), digits);
      }
      return all;
    };
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", method, listed({0, 1, 2, 3, 4, 5}, 4),
                        listed({kDistance, kDistance + 2, kDistance + kShown - 1}, 3),
                        listed({kNorm, kNorm + 1, kNorm + 2}, 1), listed({kAccuracy, kAccuracy + 4}, 3),
                        mean_of(over(rows, method, 0, later), 3));
  }
  return text;
}

std::string losses_table(const Rows& rows, const ImagePart& part) {
  std::string text =
      "\n| losses | accuracy at full depth | at q = 25 %: depth | accuracy | at q = 50 %: depth | accuracy | depth for "
      "98 % |\n| --- | --: | --: | --: | --: | --: | --: |\n";
  for (const char* method : part.methods) {
    const std::string name = std::string(method) + "/quantile";
    if (over(rows, method, 0, accuracy).empty()) continue;
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", method, with_interval(over(rows, method, 0, accuracy), 3),
                    mean_of(over(rows, name, 250, depth), 2), mean_of(over(rows, name, 250, accuracy), 3),
                    mean_of(over(rows, name, 500, depth), 2), mean_of(over(rows, name, 500, accuracy), 3),
                    mean_of(over(rows, std::string(method) + "/ranking", 98, depth), 2));
  }
  return text;
}

std::string lambda_table(const Rows& rows, const ImagePart& part) {
  std::string text =
      "\n| network | λ at 0, ¼, ½, ¾ and the end of training | accuracy at T | at 3T |\n| --- | --- | --: | --: |\n";
  for (const char* method : part.methods) {
    const std::string name = std::string(method) + "/lambda";
    std::string all;
    for (std::size_t i = 0; i < 5; ++i) all += (i == 0 ? "" : " ") + mean_of(over(rows, name, 0, curve_at(i)), 3);
    if (over(rows, method, 0, accuracy).empty()) continue;
    text += fmt::format("| {} | {} | {} | {} |\n", method, all, with_interval(over(rows, method, 0, accuracy), 3),
                        mean_of(over(rows, method, 0, later), 3));
  }
  return text;
}

}  // namespace

const std::vector<ImagePart>& image_parts() {
  static const std::vector<ImagePart> parts = {
      {"images",
       "cifar10",
       {"recursion", "recursion_ranking", "literal_ranking", "depth_1", "depth_2", "recursion_ponder", "recursion_act",
        "tied_ponder", "tied_act", "literal", "tied", "untied"},
       4},
      {"cosines",
       "digits",
       {"untied", "tied", "literal", "literal_ranking", "tied_ponder", "tied_act", "recursion", "recursion_99",
        "recursion_ponder"},
       0},
      {"losses",
       "digits",
       {"literal_ranking", "literal_relative", "literal_absolute", "literal_detached", "literal_relative_detached",
        "literal_absolute_detached"},
       0},
      {"lambda", "digits", {"literal_h2", "literal_h5", "literal", "literal_h10"}, 0}};
  return parts;
}

std::string image_table(const std::string& name, const Rows& all) {
  Rows rows;
  std::ranges::copy_if(all, std::back_inserter(rows), [&](const DepthRow& row) { return row.part == name; });
  if (rows.empty()) return "";
  const ImagePart& part = part_of(name);
  if (name == "images") {
    return "\n## Images: CIFAR-10 in 16 x 16 pixels\n" + networks_table(rows, part) + proven_table(rows, part) +
           rules_table(rows, part) + paired_table(rows) + quantiles_table(rows, part.methods);
  }
  if (name == "cosines") {
    return "\n## Cosines, and what they do not show: MNIST in 14 x 14 pixels with noise\n" + cosines_table(rows, part);
  }
  if (name == "losses") {
    return "\n## Losses of ranking, literal form, MNIST with noise\n" + losses_table(rows, part) +
           quantiles_table(rows, part.methods);
  }
  return "\n## λ and H, literal form, MNIST with noise\n\nThe paper: λ goes from .5 to .43 and .59 at H = .8; H = .2 "
         "drives it above 1.\n" +
         lambda_table(rows, part);
}

}  // namespace elastane::frost
