// A report as one HTML file that needs nothing else: text, tables, and charts drawn as SVG.
//
//   Page page("A circuit that changes");
//   page.paragraph("…");
//   page.chart({.title = "error", .x_label = "step", .lines = {{"frozen", "#d64545", points}}});
//   write_file("report.html", page.html());
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace elastane::web {

using Points = std::vector<std::pair<double, double>>;

struct Line {
  std::string name, colour;
  Points points;
};

// a labelled position on the x axis
struct Mark {
  double x;
  std::string text;
};

struct Chart {
  std::string title, x_label, y_label;
  bool log_y = false;
  std::vector<Line> lines;
  std::vector<Mark> marks;
};

// bars: how often each value occurred
struct Histogram {
  std::string title, x_label;
  std::vector<std::pair<std::string, double>> bars;  // label, share
  std::string colour = "#2f7fd1";
};

std::string draw(const Chart& chart);  // an SVG picture

class Page {
 public:
  explicit Page(std::string title) : title_(std::move(title)) {}

  void heading(const std::string& text);
  void paragraph(const std::string& text);
  void table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);
  void chart(const Chart& chart);
  void histogram(const Histogram& histogram);

  std::string html() const;

 private:
  std::string title_, body_;
};

// Values by their bins: `count` bins of equal width up to the quantile `upto`; larger values go into a last one
Histogram histogram_of(std::vector<double> values, int count, double upto);

std::string escaped(const std::string& text);

}  // namespace elastane::web
