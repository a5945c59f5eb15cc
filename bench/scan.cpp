// elastane bench scan: the scans of training, forward and backward, against LibTorch's own operations in the same run.
#include <ATen/Parallel.h>
#include <fmt/core.h>
#include <malloc.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/scan.h"
#include "bench/scan_rivals.h"
#include "elastane/io/file.h"
#include "elastane/train/scan_function.h"
#include "lab/training/keep_pages.h"

namespace elastane::bench {
namespace {

using at::Tensor;
using Json = nlohmann::ordered_json;

struct Problem {
  std::string kernel;
  std::int64_t batch, length, channels, state;
  bool rivals;  // they would need too much memory or time where sequences are long
};

// y of the leaves, by one of three methods
struct Method {
  const char* name;
  std::function<Tensor(const std::vector<Tensor>&)> y;
};

std::vector<Tensor> leaves_of(const Problem& p) {
  at::manual_seed(1);
  const auto rows = [&] { return at::randn({p.batch, p.length, p.channels}); };
  if (p.kernel == "leaky") return {-at::rand({p.batch, p.length, p.channels}), rows()};
  return {-at::rand({p.state, p.channels}) * 4, 0.001 + 0.1 * at::rand({p.batch, p.length, p.channels}), rows(),
          at::randn({p.batch, p.length, p.state}), at::randn({p.batch, p.length, p.state})};
}

std::vector<Method> methods_of(const Problem& p) {
  std::vector<Method> methods;
  if (p.kernel == "leaky") {
    methods.push_back({"ours", [p](const auto& in) {
                         return train::leaky_scan(in[0], in[1], at::zeros({p.batch, p.channels})).y;
                       }});
    for (const auto& [name, scan] : {std::pair{"naive", &scan_by_loop}, std::pair{"parallel", &scan_in_parallel}}) {
      methods.push_back({name, [scan = scan](const auto& in) { return scan(1 + in[0], -in[0] * in[1]); }});
    }
    return methods;
  }
  methods.push_back({"ours", [p](const auto& in) {
                       const Tensor start = at::zeros({p.batch, p.state, p.channels});
                       return train::selective_scan(in[0], in[1], in[2], in[3], in[4], start).y;
                     }});
  for (const auto& [name, scan] : {std::pair{"naive", &scan_by_loop}, std::pair{"parallel", &scan_in_parallel}}) {
    methods.push_back({name, [scan = scan](const auto& in) {
                         const Tensor decay = at::exp(in[1].unsqueeze(2) * in[0]);  // (batch, length, state, channels)
                         const Tensor drive = (in[1] * in[2]).unsqueeze(2) * in[3].unsqueeze(3);
                         return at::matmul(in[4].unsqueeze(2), scan(decay, drive)).squeeze(2);
                       }});
  }
  return methods;
}

std::vector<Tensor> forward_and_back(const Method& method, const std::vector<Tensor>& leaves) {
  return torch::autograd::grad({method.y(leaves).square().sum()}, leaves);
}

double milliseconds(const std::function<void()>& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

// a line of /proc/self/status, in megabytes
double memory(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::stod(line.substr(line.find(':') + 1)) / 1024;
  }
  return 0;
}

// how much more memory the process had at its fullest. From then on the process is slow, so times come first
double peak(const std::function<void()>& f) {
  ::mallopt(M_MMAP_THRESHOLD, 1 << 16);  // large tensors go back to the system at once
  ::mallopt(M_TRIM_THRESHOLD, 1 << 16);
  ::malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  const double before = memory("VmRSS");
  f();
  return memory("VmHWM") - before;
}

double deviation(const Tensor& found, const Tensor& expected) {
  return ((found - expected).abs().max() / expected.abs().max()).item<double>();
}

// what a problem takes, the three methods in turn, medians
Json measure(const Problem& p, int repeats) {
  std::vector<Tensor> leaves = leaves_of(p);
  for (Tensor& leaf : leaves) leaf.requires_grad_();
  std::vector<Method> methods = methods_of(p);
  if (!p.rivals) methods.resize(1);

  // a bench checks the result before it counts the time; this is also the warm-up
  std::vector<std::vector<Tensor>> found;
  for (const Method& method : methods) found.push_back(forward_and_back(method, leaves));
  for (std::size_t w = 1; w < methods.size(); ++w) {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const double wrong = deviation(found[0][i], found[w][i]);
      if (!(wrong < 1e-3))
        throw std::runtime_error(fmt::format("[bench] {} differs by {:.1e}", methods[w].name, wrong));
    }
  }
  found.clear();

  std::vector<std::vector<double>> times(methods.size());
  for (int r = 0; r < repeats; ++r) {
    for (std::size_t w = 0; w < methods.size(); ++w) {
      times[w].push_back(milliseconds([&] { forward_and_back(methods[w], leaves); }));
    }
  }
  Json row = {{"kernel", p.kernel},     {"batch", p.batch}, {"length", p.length},
              {"channels", p.channels}, {"state", p.state}, {"threads", at::get_num_threads()}};
  for (const char* name : {"ours", "naive", "parallel"}) row[fmt::format("{}_ms", name)] = nullptr;
  for (std::size_t w = 0; w < methods.size(); ++w) {
    std::ranges::sort(times[w]);
    row[fmt::format("{}_ms", methods[w].name)] = times[w][times[w].size() / 2];
  }
  return row;
}

void measure_memory(const Problem& p, Json& row) {
  std::vector<Tensor> leaves = leaves_of(p);
  for (Tensor& leaf : leaves) leaf.requires_grad_();
  for (const Method& method : methods_of(p)) {
    if (!row[fmt::format("{}_ms", method.name)].is_number()) continue;
    row[fmt::format("{}_mb", method.name)] = peak([&] { forward_and_back(method, leaves); });
  }
}

std::vector<Problem> problems() {
  std::vector<Problem> all = {{"selective", 16, 256, 128, 16, true}, {"leaky", 16, 256, 128, 1, true}};
  for (const std::int64_t length : {256, 1024, 4096, 16384}) all.push_back({"selective", 2, length, 128, 16, false});
  return all;
}

std::string number(const Json& value, const char* form) {
  return value.is_number() ? fmt::format(fmt::runtime(form), value.get<double>()) : std::string();
}

void print(const Json& row) {
  const auto ratio = [&](const char* key) {
    return row[key].is_number() ? fmt::format("{:.1f}", row[key].get<double>() / row["ours_ms"].get<double>()) : "";
  };
  const double steps = row["batch"].get<double>() * row["length"].get<double>();
  fmt::print("| {} | {} | {} | {} | {} | {:.2f} | {} | {} | {} | {} | {} | {} | {} | {:.2f} |\n",
             row["kernel"].get<std::string>(), row["batch"].dump(), row["length"].dump(), row["channels"].dump(),
             row["state"].dump(), row["ours_ms"].get<double>(), number(row["naive_ms"], "{:.1f}"), ratio("naive_ms"),
             number(row["parallel_ms"], "{:.1f}"), ratio("parallel_ms"), number(row["ours_mb"], "{:.0f}"),
             number(row.value("naive_mb", Json()), "{:.0f}"), number(row.value("parallel_mb", Json()), "{:.0f}"),
             1e3 * row["ours_ms"].get<double>() / steps);
}

}  // namespace

void add_bench_scan(command_line::Command& program) {
  struct Options {
    std::string json;
    int threads = 2, repeats = 7;
  };
  auto options = std::make_shared<Options>();
  command_line::Command& bench =
      program.command("bench-scan", "Time the scans of training against LibTorch's operations");
  bench.option("--json", options->json, "also write the rows to this file").type("FILE");
  bench.option("--threads", options->threads, "threads").range(1, 256);
  bench.option("--repeats", options->repeats, "runs of which the median counts").range(1, 1000);
  bench.action([options] {
    at::set_num_threads(options->threads);
    lab::keep_pages();  // as in training, for all three
    fmt::print(
        "A scan of training, forward and backward, {} threads, milliseconds (median) and peak megabytes. naive: a\n"
        "loop of LibTorch's operations, unbound and stacked once; parallel: pairs of steps, in a depth of "
        "log2(length).\n\n",
        options->threads);
    fmt::print(
        "| kernel | batch | length | channels | state | ours | naive | × | parallel | × | ours MB | naive MB | "
        "parallel MB | µs per step |\n");
    fmt::print("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
    Json rows = Json::array();
    for (const Problem& problem : problems()) rows.push_back(measure(problem, options->repeats));
    for (std::size_t i = 0; i < rows.size(); ++i) measure_memory(problems()[i], rows[i]);
    for (const Json& row : rows) print(row);
    if (options->json.empty()) return 0;
    const std::string text = rows.dump(2) + "\n";
    write_file(options->json, std::as_bytes(std::span(text))).value();
    return 0;
  });
}

}  // namespace elastane::bench
