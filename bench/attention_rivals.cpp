#include "bench/attention_rivals.h"

#include <fmt/core.h>

#include <stdexcept>

#include "bench/rival.h"
#include "elastane/io/file.h"

namespace elastane::bench {
namespace {

void expect_alike(const char* name, const Json& answer, const Prompt& prompt) {
  const auto found = answer["last"].get<std::vector<float>>();
  const double wrong = deviation(found, std::span(prompt.answers()).last(found.size()));
  if (!(wrong < 1e-4)) throw std::runtime_error(fmt::format("[bench] {} differs by {:.1e}", name, wrong));
}

// queries, keys and values of a problem, one after the other, in a file
class ProblemFile {
 public:
  explicit ProblemFile(const AttentionProblem& p)
      : path_(std::filesystem::temp_directory_path() / fmt::format("elastane-attention-{}.f32", p.length)) {
    std::vector<float> all;
    for (int which = 0; which < 3; ++which) {
      const std::vector<float> rows = attention_rows(p, which);
      all.insert(all.end(), rows.begin(), rows.end());
    }
    write_file(path_, std::as_bytes(std::span(all))).value();
  }
  ProblemFile(const ProblemFile&) = delete;
  ProblemFile& operator=(const ProblemFile&) = delete;
  ~ProblemFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// heads that all have the same window; -1: they see the whole past
Json ask_onnxruntime(const AttentionProblem& p, int window) {
  const ProblemFile file(p);
  const auto answer = ask_rival("elastane-onnxruntime",
                                fmt::format("--length {} --size {} --heads {} --kv-heads {} --window {} --data '{}'",
                                            p.length, p.size, p.heads, p.kv_heads, window, file.path()));
  return answer.value_or(nullptr);
}

}  // namespace

Json ask_torch(const char* style, const Prompt& prompt) {
  const AttentionProblem& p = prompt.p;
  const auto answer =
      ask_rival("elastane-torch",
                fmt::format("attention --style {} --length {} --size {} --heads {} --kv-heads {} --streaming {}", style,
                            p.length, p.size, p.heads, p.kv_heads, p.streaming));
  if (!answer) return nullptr;
  expect_alike(style, *answer, prompt);
  return (*answer)["ms"];
}

Json ask_onnxruntime(const Prompt& prompt) {
  const AttentionProblem& p = prompt.p;
  double ms = 0;
  for (const bool streaming : {false, true}) {
    AttentionProblem part = p;
    part.heads = streaming ? p.streaming : p.heads - p.streaming;
    part.kv_heads = std::max(1, part.heads * p.kv_heads / p.heads);
    if (part.heads == 0) continue;
    const Json answer = ask_onnxruntime(part, streaming ? p.local() : -1);
    if (answer.is_null()) return nullptr;
    if (p.streaming == 0) expect_alike("ONNX Runtime", answer, prompt);
    ms += answer["ms"].get<double>();
  }
  return ms;
}

}  // namespace elastane::bench
