#include "lab/protein_loop/example_set.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "elastane/io/file.h"
#include "elastane/io/stored_arrays.h"
#include "lab/benchmark/parallel.h"

namespace elastane::protein_loop {
namespace {

constexpr const char* kKey = "elastane_protein_loop_lessons";  // of the file's metadata

void write_examples(const std::string& path, const std::string& which, const std::vector<Example>& examples) {
  std::vector<int> steps;
  std::vector<float> x, target;
  for (const Example& example : examples) {
    steps.push_back(example.steps);
    x.insert(x.end(), example.x.begin(), example.x.end());
    target.insert(target.end(), example.target.begin(), example.target.end());
  }
  const std::vector<StoredTensor> arrays = {stored("steps", steps), stored("x", x), stored("target", target)};
  write_file(path, format_safetensors({{kKey, which}}, arrays).value()).value();
}

std::vector<Example> read_examples(const std::string& path, const std::string& which) {
  const FileContent file = FileContent::open(path).value();
  const Safetensors stored = parse_safetensors(file.bytes(), path).value();
  const std::string where = "[examples] " + path + ": ";
  const auto found = stored.metadata.find(kKey);
  if (found == stored.metadata.end() || found->second != which) {
    throw std::runtime_error(where + "expected passes of " + which + ", found " +
                             (found == stored.metadata.end() ? "none" : "those of " + found->second));
  }
  ArrayReader reader(stored, where);
  std::vector<int> steps;
  std::vector<float> x, target;
  reader.take("steps", steps);
  reader.take("x", x);
  reader.take("target", target);
  std::vector<Example> examples;
  std::size_t done = 0;
  for (const int each : steps) {
    const auto count = static_cast<std::size_t>(std::max(each, 0));
    const auto part = [&](const std::vector<float>& all, std::size_t width) {
      if ((done + count) * width > all.size()) throw std::runtime_error(where + "expected more numbers, found too few");
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(done * width);
      return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(count * width));
    };
    examples.push_back({each, part(x, kInputs), part(target, kOutputs)});
    done += count;
  }
  return examples;
}

}  // namespace

std::vector<Example> make_examples(std::uint64_t seed, int first, int count, const Model* trainee) {
  return benchmark::on_all_cores<Example>(count, [&] {
    std::unique_ptr<WindowAgent> agent;
    if (trainee != nullptr) agent = std::make_unique<WindowAgent>(WindowAgentOptions{.network = trainee});
    return [&, moved_by = std::move(agent)](int n) { return make_example(seed, first + n, moved_by.get()); };
  });
}

std::vector<Example> kept_examples(const std::string& path, std::uint64_t seed, int count) {
  if (path.empty()) return make_examples(seed, 0, count, nullptr);
  const std::string which = "seed " + std::to_string(seed) + ", " + std::to_string(count) + " of them";
  if (std::filesystem::exists(path)) return read_examples(path, which);
  std::vector<Example> examples = make_examples(seed, 0, count, nullptr);
  write_examples(path, which, examples);
  return examples;
}

}  // namespace elastane::protein_loop
