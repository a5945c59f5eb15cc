#include "web/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace elastane::web {
namespace {

constexpr double kWidth = 860, kHeight = 260, kLeft = 64, kRight = 16, kTop = 16, kBottom = 42;
constexpr const char* kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;color:#1f2933;background:#fff;max-width:900px;margin:2rem auto;padding:0 "
    "1rem}h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;margin:1rem 0}"
    "th,td{padding:.3rem .8rem;border-bottom:1px solid #e4e7eb;text-align:right}th:first-child,td:first-child"
    "{text-align:left}figure{margin:1rem 0}figcaption{font-weight:600;margin-bottom:.3rem}svg{width:100%;height:auto}"
    "";

struct Axis {
  double low = INFINITY, high = -INFINITY;
  bool log = false;

  void take(double v) {
    if (!std::isfinite(v) || (log && v <= 0)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  void widen() {
    if (!(low <= high)) low = log ? 0.1 : 0, high = 1;
    if (low == high) low = log ? low / 2 : low - 1, high = log ? high * 2 : high + 1;
  }
  double share(double v) const {  // 0 at low, 1 at high
    const double at = log ? std::log(std::max(v, low) / low) / std::log(high / low) : (v - low) / (high - low);
    return std::clamp(at, 0.0, 1.0);
  }
  // round numbers between low and high
  std::vector<double> ticks() const {
    std::vector<double> ticks;
    if (log) {
      const bool wide = high / low > 1e3;
      for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high; decade *= 10) {
        for (const double digit : {1.0, 2.0, 5.0}) {
          if ((digit == 1 || !wide) && digit * decade >= low && digit * decade <= high) ticks.push_back(digit * decade);
        }
      }
      return ticks;
    }
    const double rough = (high - low) / 5, unit = std::pow(10, std::floor(std::log10(rough)));
    const double step = rough / unit > 5 ? 10 * unit : rough / unit > 2 ? 5 * unit : 2 * unit;
    for (double t = std::ceil(low / step) * step; t <= high + 1e-9 * step; t += step) ticks.push_back(t);
    return ticks;
  }
};

double across(const Axis& x, double v) { return kLeft + (kWidth - kLeft - kRight) * x.share(v); }
double down(const Axis& y, double v) { return kTop + (kHeight - kTop - kBottom) * (1 - y.share(v)); }

std::string text(double x, double y, const char* anchor, const std::string& what) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor, escaped(what));
}

std::string begin_svg(const std::string& label, double height = kHeight) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" role=\"img\" "
      "aria-label=\"{}\" font-size=\"12\" fill=\"#52606d\">",
      kWidth, height, escaped(label));
}

// Names of lines with their colours: in the row of the label if they end before it, otherwise in rows below the picture.
struct ChartKey {
  std::string svg;
  double height = kHeight;  // of the picture with its key
};
ChartKey key_of(const std::vector<Line>& lines, const std::string& label) {
  const auto wide = [](const Line& line) { return 40 + 7.0 * static_cast<double>(line.name.size()); };
  double all = kLeft;
  for (const Line& line : lines) all += wide(line);
  const double label_begins = (kLeft + kWidth - kRight) / 2 - 3.5 * static_cast<double>(label.size());
  const bool fits = all <= (label.empty() ? kWidth : label_begins);
  ChartKey key;
  double left = kLeft, y = kHeight - 6;
  if (!fits) y = key.height += 16;
  for (const Line& line : lines) {
    if (left > kLeft && left + wide(line) > kWidth) left = kLeft, y += 16, key.height += 16;
    key.svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"18\" height=\"3\" fill=\"{}\"/>", left, y - 5,
                           line.colour);
    key.svg += text(left + 24, y, "start", line.name);
    left += wide(line);
  }
  if (!fits) key.height += 6;
  return key;
}

std::string axes(const Axis& x, const Axis& y, const Chart& c) {
  std::string out;
  for (const double t : y.ticks()) {
    const double at = down(y, t);
    out += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#e4e7eb\"/>", kLeft,
                       kWidth - kRight, at, at);
    out += text(kLeft - 6, at + 4, "end", fmt::format("{:g}", t));
  }
  for (const double t : x.ticks()) out += text(across(x, t), kHeight - kBottom + 16, "middle", fmt::format("{:g}", t));
  out += text((kLeft + kWidth - kRight) / 2, kHeight - 6, "middle", c.x_label);
  out += fmt::format("<text transform=\"translate(14 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                     (kTop + kHeight - kBottom) / 2, escaped(c.y_label));
  return out;
}

std::string polyline(const Line& line, const Axis& x, const Axis& y) {
  std::string out = fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" points=\"", line.colour);
  for (const auto& [a, b] : line.points) {
    if (std::isfinite(b)) out += fmt::format("{:.1f},{:.1f} ", across(x, a), down(y, b));
  }
  out += "\"/>";
  // a line of one point would not be seen
  if (line.points.size() == 1 && std::isfinite(line.points[0].second)) {
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>", across(x, line.points[0].first),
                       down(y, line.points[0].second), line.colour);
  }
  return out;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

void Page::heading(const std::string& text) { body_ += "<h2>" + escaped(text) + "</h2>\n"; }
void Page::paragraph(const std::string& text) { body_ += "<p>" + escaped(text) + "</p>\n"; }

void Page::table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  body_ += "<table><thead><tr>";
  for (const std::string& cell : header) body_ += "<th>" + escaped(cell) + "</th>";
  body_ += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    body_ += "<tr>";
    for (const std::string& cell : row) body_ += "<td>" + escaped(cell) + "</td>";
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table>\n";
}

std::string draw(const Chart& c) {
  Axis x, y{.log = c.log_y};
  for (const Line& line : c.lines) {
    for (const auto& [a, b] : line.points) {
      x.take(a);
      y.take(b);
    }
  }
  x.widen();
  y.widen();
  const ChartKey key = key_of(c.lines, c.x_label);
  std::string out = begin_svg(c.title, key.height) + axes(x, y, c);
  for (const Mark& mark : c.marks) {
    const double at = across(x, mark.x);
    out += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#52606d\" stroke-dasharray=\"3 3\"/>", at,
        kTop, kHeight - kBottom);
    out += text(at - 2, kTop - 4, "start", mark.text);
  }
  for (const Line& line : c.lines) out += polyline(line, x, y);
  return out + key.svg + "</svg>";  // the key, for a picture without its page
}

void Page::chart(const Chart& c) {
  body_ += "<figure><figcaption>" + escaped(c.title) + "</figcaption>" + draw(c) + "</figure>\n";
}

void Page::histogram(const Histogram& h) {
  double highest = 1e-12;
  for (const auto& [label, share] : h.bars) highest = std::max(highest, share);
  Axis y{0, highest};
  const double width = (kWidth - kLeft - kRight) / static_cast<double>(std::max<std::size_t>(1, h.bars.size()));
  body_ += "<figure><figcaption>" + escaped(h.title) + "</figcaption>" + begin_svg(h.title);
  for (std::size_t i = 0; i < h.bars.size(); ++i) {
    const double left = kLeft + width * static_cast<double>(i), top = down(y, h.bars[i].second);
    body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>", left + 1,
                         top, width - 2, kHeight - kBottom - top, h.colour);
    body_ += text(left + width / 2, kHeight - kBottom + 16, "middle", h.bars[i].first);
    if (h.bars[i].second > 0)
      body_ += text(left + width / 2, top - 3, "middle", fmt::format("{:.3g} %", 100 * h.bars[i].second));
  }
  body_ += text((kLeft + kWidth - kRight) / 2, kHeight - 6, "middle", h.x_label) + "</svg></figure>\n";
}

std::string Page::html() const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0}</title><style>{1}</style></head><body>\n<h1>{0}</h1>\n{2}</body></"
      "html>\n",
      escaped(title_), kStyle, body_);
}

Histogram histogram_of(std::vector<double> values, int count, double upto) {
  Histogram h;
  if (values.empty()) return h;
  std::ranges::sort(values);
  const double limit = values[static_cast<std::size_t>(upto * static_cast<double>(values.size() - 1))];
  const double low = values.front(), width = std::max((limit - low) / count, 1e-12);
  std::vector<double> shares(static_cast<std::size_t>(count) + 1);
  for (const double v : values) {
    const double bin = std::min(std::floor((v - low) / width), static_cast<double>(count));
    shares[static_cast<std::size_t>(std::max(0.0, bin))] += 1.0 / static_cast<double>(values.size());
  }
  for (int i = 0; i < count; ++i) h.bars.emplace_back(fmt::format("{:.3g}", low + (i + 0.5) * width), shares[i]);
  h.bars.emplace_back("beyond", shares.back());
  return h;
}

}  // namespace elastane::web
