// elastane bench forecast: rows per second and time per row of `elastane run`, this program's and an earlier one's.
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "bench/bench.h"
#include "bench/timing.h"
#include "elastane/core/base/random.h"

namespace elastane::bench {
namespace {

namespace fs = std::filesystem;

struct StreamSize {
  int channels, horizon, rows;
};
constexpr int kLearned = 2'400;

struct RunTimes {
  double p50 = 0, p99 = 0, rows_per_second = 0, rows_per_cpu_second = 0;
};

// a folder that is removed with this object
class BenchFolder {
 public:
  BenchFolder() : path_(fs::temp_directory_path() / fmt::format("elastane-bench-forecast-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  BenchFolder(const BenchFolder&) = delete;
  BenchFolder& operator=(const BenchFolder&) = delete;
  ~BenchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// channels with a season of 24 rows and an autoregression each
void write_rows_of(const StreamSize& size, const std::string& learned, const std::string& streamed) {
  Random random(kWeightSeed);
  std::vector<double> mood(static_cast<std::size_t>(size.channels));
  std::ofstream files[] = {std::ofstream(learned), std::ofstream(streamed)};
  for (std::ofstream& file : files) {
    for (int c = 0; c < size.channels; ++c) file << (c > 0 ? "," : "") << "c" << c;
    file << "\n";
  }
  for (int t = 0; t < kLearned + size.rows; ++t) {
    std::ofstream& file = files[t < kLearned ? 0 : 1];
    for (int c = 0; c < size.channels; ++c) {
      double& m = mood[static_cast<std::size_t>(c)];
      m = 0.8 * m + random.normal();
      const double value = 40 + 6 * std::sin(2 * std::numbers::pi * (t + 3 * c) / 24) + m;
      file << (c > 0 ? "," : "") << fmt::format("{:.3f}", value);
    }
    file << "\n";
  }
}

void call(const std::string& command) {
  if (std::system(command.c_str()) != 0) throw std::runtime_error("[bench] expected exit code 0 of " + command);
}

std::string content_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// the number before `mark`
double number_before(const std::string& text, const std::string& mark) {
  const std::size_t end = text.find(mark);
  if (end == text.npos) return NAN;
  const std::size_t begin = text.find_last_of(" ;", end - 1) + 1;
  return std::stod(text.substr(begin, end - begin));
}

// of processor time that finished child processes took: what other programs take is not in it
double child_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

RunTimes run_program(const std::string& program, const StreamSize& size, const BenchFolder& folder,
                     const std::string& output) {
  const std::string model = folder.file("model.safetensors"), errors = folder.file("stderr");
  call(fmt::format("'{}' train series --input '{}' --horizon {} --season 24 --no-choice -o '{}' > '{}' 2>&1", program,
                   folder.file("learned.csv"), size.horizon, model, folder.file("log")));
  const double cpu_before = child_seconds();
  const double took = micros([&] {
    call(fmt::format("'{}' run --model '{}' --input '{}' --start warm > '{}' 2> '{}'", program, model,
                     folder.file("streamed.csv"), output, errors));
  });
  const std::string text = content_of(errors);
  return {number_before(text, " µs per row (p50)"), number_before(text, " (p99)"), 1e6 * size.rows / took,
          size.rows / (child_seconds() - cpu_before)};
}

// the largest difference between forecasts of two runs, over the largest forecast
double difference(const std::string& a, const std::string& b) {
  std::ifstream first(a), second(b);
  std::string x, y;
  double largest = 0, apart = 0;
  while (std::getline(first, x) && std::getline(second, y)) {
    const Json left = Json::parse(x).at("forecast"), right = Json::parse(y).at("forecast");
    for (std::size_t h = 0; h < left.size(); ++h) {
      for (std::size_t i = 0; i < left[h].size(); ++i) {
        largest = std::fmax(largest, std::fabs(left[h][i].get<double>()));
        apart = std::fmax(apart, std::fabs(left[h][i].get<double>() - right[h][i].get<double>()));
      }
    }
  }
  return apart / largest;
}

struct ForecastBench {
  std::string json, before;
  int rows = 20'000;
};

void bench_forecast(const ForecastBench& options) {
  const BenchFolder folder;
  const std::string self = fs::read_symlink("/proc/self/exe");
  fmt::print(
      "| program | channels | rows ahead | p50 µs | p99 µs | rows per second | per second of processor time | largest "
      "difference |\n");
  fmt::print("| --- | --: | --: | --: | --: | --: | --: | --: |\n");
  Json rows = Json::array();
  for (const StreamSize& size :
       {StreamSize{1, 1, 10 * options.rows}, StreamSize{1, 24, options.rows}, StreamSize{7, 24, options.rows}}) {
    write_rows_of(size, folder.file("learned.csv"), folder.file("streamed.csv"));
    std::vector<std::pair<std::string, std::string>> programs = {{"now", self}};
    if (!options.before.empty()) programs.insert(programs.begin(), {"before", options.before});
    for (const auto& [which, program] : programs) {
      const RunTimes m = run_program(program, size, folder, folder.file(which));
      const bool is_compared = which == "now" && programs.size() > 1;
      const Json apart = is_compared ? Json(difference(folder.file("before"), folder.file("now"))) : Json();
      fmt::print("| {} | {} | {} | {:.2f} | {:.2f} | {:.0f} | {:.0f} | {} |\n", which, size.channels, size.horizon,
                 m.p50, m.p99, m.rows_per_second, m.rows_per_cpu_second,
                 is_compared ? fmt::format("{:.1e}", apart.get<double>()) : "");
      std::fflush(stdout);
      rows.push_back({{"program", which},
                      {"channels", size.channels},
                      {"horizon", size.horizon},
                      {"p50_us", m.p50},
                      {"p99_us", m.p99},
                      {"rows_per_second", m.rows_per_second},
                      {"rows_per_cpu_second", m.rows_per_cpu_second},
                      {"largest_difference", apart}});
    }
  }
  write_rows(options.json, rows);
}

}  // namespace

void add_bench_forecast(command_line::Command& bench) {
  auto options = std::make_shared<ForecastBench>();
  command_line::Command& verb = bench.command("forecast", "Time per row of elastane run, from the table to the line");
  verb.option("--rows", options->rows, "rows per size; ten times as many of one channel, one row ahead")
      .range(1000, 1e8);
  verb.option("--before", options->before, "an earlier elastane program to compare with").type("FILE");
  verb.option("--json", options->json, "write the rows to this file, as a JSON list").type("FILE");
  verb.footer("Example:\n  elastane bench forecast --before ../old/elastane --json forecast.json");
  verb.action([options] {
    bench_forecast(*options);
    return 0;
  });
}

}  // namespace elastane::bench
