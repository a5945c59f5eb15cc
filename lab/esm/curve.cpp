#include "lab/esm/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "command_line/aligned_table.h"

namespace elastane::esm {
namespace {

using benchmark::Row;

// rivals in the picture, and where their names go
struct Shown {
  const char* agent;
  double dx, dy;
  const char* anchor;
};
constexpr std::array kShown = {Shown{"k0", 8, 4, "start"},          Shown{"random", -8, 12, "end"},
                               Shown{"uniform_1", 6, 14, "start"},  Shown{"ssm", 0, 16, "middle"},
                               Shown{"transformer", 8, 4, "start"}, Shown{"transformer_map", 0, -9, "middle"}};

constexpr double kWidth = 380, kHeight = 260, kLeft = 52, kTop = 34, kGap = 40, kBottom = 46;  // pixels
constexpr double kFewest = 1.5e3, kMost = 3e5;                                                 // multiply-adds

double across(double macs) { return kWidth * std::log(macs / kFewest) / std::log(kMost / kFewest); }

std::string text(double x, double y, const std::string& words, const char* look) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, look, words);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

// "0.02" of "price 0.02"
std::string number_of(const CurvePoint& p) { return p.settings.substr(p.settings.rfind(' ') + 1); }

// success from the worst that is shown, rounded down, to 1
struct Heights {
  double low = 0.9;

  double of(double success) const { return kHeight * (1 - success) / (1 - low); }
  double step() const { return 1 - low > 0.25 ? 0.1 : 0.02; }
};

Heights heights_of(const Curve& curve, const std::vector<const Row*>& rivals) {
  double least = 0.9;
  for (const CurvePoint& p : curve.points) least = std::min(least, p.success.interval.low);
  for (const Row* r : rivals) least = std::min(least, r->success.mean);
  return {std::max(0.0, std::floor((least - 0.01) * 20) / 20)};
}

std::string axes(const Heights& heights) {
  constexpr const char *kLine = "stroke=\"#e4e7eb\"", *kSmall = "font-size=\"11\" fill=\"#52606d\"";
  std::string out;
  for (double s = 1; s > heights.low - 1e-9; s -= heights.step()) {
    out += fmt::format("<path d=\"M0 {0:.1f}H{1}\" {2}/>\n", heights.of(s), kWidth, kLine);
    out += text(-6, heights.of(s) + 4, fmt::format("{:.2f}", s), fmt::format("text-anchor=\"end\" {}", kSmall).c_str());
  }
  for (const double macs : {3e3, 1e4, 3e4, 1e5}) {
    out += fmt::format("<path d=\"M{0:.1f} 0V{1}\" {2}/>\n", across(macs), kHeight, kLine);
    out += text(across(macs), kHeight + 16, fmt::format("{:.0f}k", macs / 1e3),
                fmt::format("text-anchor=\"middle\" {}", kSmall).c_str());
  }
  return out + text(kWidth / 2, kHeight + 34, "multiply-adds of a step", "font-size=\"12\" text-anchor=\"middle\"");
}

std::string panel(const Curve& curve) {
  std::vector<const Row*> rivals(kShown.size());
  for (std::size_t i = 0; i < kShown.size(); ++i) {
    const auto at = std::ranges::find(*curve.rivals, kShown[i].agent, [](const Row& r) { return r.card.name; });
    rivals[i] = at == curve.rivals->end() ? nullptr : &*at;
  }
  std::vector<const Row*> there = rivals;
  std::erase(there, nullptr);
  const Heights heights = heights_of(curve, there);

  std::string out = axes(heights) + text(0, -12, curve.title, "font-size=\"14\" font-weight=\"600\"");
  for (std::size_t i = 0; i < kShown.size(); ++i) {
    if (rivals[i] == nullptr) continue;
    const double x = across(rivals[i]->macs), y = heights.of(rivals[i]->success.mean);
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#9aa5b1\"/>\n", x, y);
    out += text(x + kShown[i].dx, y + kShown[i].dy, kShown[i].agent,
                fmt::format("font-size=\"11\" fill=\"#52606d\" text-anchor=\"{}\"", kShown[i].anchor).c_str());
  }
  std::string line;
  for (const CurvePoint& p : curve.points) {
    const double x = across(p.macs), y = heights.of(p.success.mean);
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x, y);
    out += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#6d28c9\" opacity=\"0.45\"/>\n", x,
                       heights.of(p.success.interval.low), heights.of(p.success.interval.high));
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#6d28c9\"/>\n", x, y);
  }
  out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#6d28c9\" stroke-width=\"1.5\"/>\n", line);
  // the ends of the line by their prices: those between lie too close
  for (const CurvePoint* p : {&curve.points.front(), &curve.points.back()}) {
    const bool cheap = p->macs <= std::min(curve.points.front().macs, curve.points.back().macs);
    out +=
        text(across(p->macs) + (cheap ? -6 : 2), heights.of(p->success.mean) + (cheap ? -8 : -10), "λ " + number_of(*p),
             cheap ? "font-size=\"11\" fill=\"#6d28c9\" text-anchor=\"end\"" : "font-size=\"11\" fill=\"#6d28c9\"");
  }
  return out;
}

}  // namespace

std::vector<CurvePoint> curve_points(const std::vector<benchmark::Record>& records, const std::vector<Row>& rows) {
  std::vector<CurvePoint> points;
  std::vector<std::vector<benchmark::Term>> terms;
  std::vector<std::vector<double>> macs, zeros;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string& settings = rows[i].card.settings;
    if (settings.empty()) continue;
    const auto at = std::ranges::find(points, settings, &CurvePoint::settings);
    const auto place = static_cast<std::size_t>(at - points.begin());
    if (at == points.end()) {
      points.push_back({.settings = settings, .success = {}, .depths = {}});
      terms.emplace_back(), macs.emplace_back(), zeros.emplace_back();
    }
    for (const benchmark::Outcome& o : records[i].outcomes) terms[place].push_back({o.world, o.success ? 1.0 : 0.0});
    macs[place].push_back(rows[i].macs);
    zeros[place].push_back(rows[i].idle_share);
    points[place].depths.push_back(rows[i].mean_depth);
  }
  for (std::size_t p = 0; p < points.size(); ++p) {
    points[p].success = benchmark::estimate(terms[p]);
    points[p].macs = mean(macs[p]);
    points[p].zero_share = mean(zeros[p]);
    points[p].mean_depth = mean(points[p].depths);
  }
  return points;
}

std::string curve_table(const std::vector<CurvePoint>& points, double unit) {
  app::AlignedTable table{
      .header = {"price of a micro-step", "success", "mean K", "of each training", "zero", "madds", "compute"}};
  for (const CurvePoint& p : points) {
    std::string each;
    for (const double depth : p.depths) each += fmt::format("{}{:.3f}", each.empty() ? "" : ", ", depth);
    table.rows.push_back(
        {number_of(p),
         fmt::format("{:.3f} ({:.3f} … {:.3f})", p.success.mean, p.success.interval.low, p.success.interval.high),
         fmt::format("{:.3f}", p.mean_depth), each, fmt::format("{:.3f}", p.zero_share), fmt::format("{:.0f}", p.macs),
         fmt::format("{:.4f}", p.macs / unit)});
  }
  return table.text();
}

benchmark::RowJson curve_json(const std::string& world, const std::vector<CurvePoint>& points, double unit) {
  benchmark::RowJson json = benchmark::RowJson::array();
  for (const CurvePoint& p : points) {
    json.push_back({{"agent", "esm, " + p.settings},
                    {"world", world},
                    {"maze_success", benchmark::number_json(p.success.mean)},
                    {"maze_ci", benchmark::as_json(p.success.interval)},
                    {"energy", nullptr},
                    {"energy_ci", nullptr},
                    {"compute", benchmark::number_json(p.macs / unit)},
                    {"step_p50_us", nullptr},
                    {"mean_depth", p.mean_depth},
                    {"zero_share", p.zero_share},
                    {"mean_depth_of_each_training", p.depths}});
  }
  return json;
}

std::string curve_figure(const std::vector<Curve>& curves) {
  const double width = static_cast<double>(curves.size()) * (kLeft + kWidth + kGap);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "font-family=\"system-ui, sans-serif\" fill=\"#1f2933\">\n<title>Success against compute: ESM trained with other "
      "prices of a micro-step</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, kTop + kHeight + kBottom);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    out += fmt::format("<g transform=\"translate({:.0f} {:.0f})\">\n{}</g>\n",
                       kLeft + static_cast<double>(i) * (kLeft + kWidth + kGap), kTop, panel(curves[i]));
  }
  return out + "</svg>\n";
}

}  // namespace elastane::esm
