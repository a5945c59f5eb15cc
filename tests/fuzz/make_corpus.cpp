// Writes what fuzzing starts from:   make_corpus GOLDENS FOLDER
// small golden models and their configurations in FOLDER/model, snapshots in FOLDER/snapshot, traces and their lines in
// FOLDER/trace, bytes of lives in FOLDER/correct.
#include <cstdio>
#include <filesystem>

#include "elastane/io/config_json.h"
#include "elastane/io/file.h"
#include "elastane/io/model_file.h"
#include "elastane/io/trace.h"
#include "tests/fuzz/corrected_life.h"
#include "tests/fuzz/fixed_stream.h"
#include "tests/io/trace_steps.h"

namespace elastane {
namespace {

void write_traces(const std::filesystem::path& folder) {
  Random random(1);
  for (const int steps : {0, 1, 3}) {
    auto trace = TraceWriter::open(folder / std::to_string(steps), {{"model", "m"}, {"metric", "sketch"}}).value();
    std::string line;
    append_trace_line({}, line);
    for (int i = 0; i < steps; ++i) {
      const TraceStep step = random_step(random);
      trace.write(step.position, step.time, step.report).value();
      append_trace_line(step, line);
    }
    trace.close().value();
    line.pop_back();  // the last line is not finished
    write_file(folder / ("lines" + std::to_string(steps)), std::as_bytes(std::span(line))).value();
  }
}

}  // namespace
}  // namespace elastane

int main(int count, char** arguments) {
  using namespace elastane;
  namespace fs = std::filesystem;
  if (count != 3) return std::fprintf(stderr, "usage: make_corpus GOLDENS FOLDER\n"), 2;
  const fs::path models = fs::path(arguments[2]) / "model", snapshots = fs::path(arguments[2]) / "snapshot",
                 traces = fs::path(arguments[2]) / "trace", lives = fs::path(arguments[2]) / "correct";
  for (const fs::path& folder : {models, snapshots, traces, lives}) fs::create_directories(folder);
  for (const auto& golden : fs::directory_iterator(arguments[1])) {
    const std::string name = golden.path().stem();
    if (name.ends_with(".run") || golden.file_size() > 12'000) continue;
    fs::copy_file(golden.path(), models / (name + ".safetensors"), fs::copy_options::overwrite_existing);
    const std::string config = config_to_json(read_model(golden.path()).value().config);
    write_file(models / (name + ".json"), std::as_bytes(std::span(config))).value();
  }
  for (const int steps : {0, 1, 5, 17}) {
    save_snapshot(fixed_stream(steps), snapshots / std::to_string(steps)).value();
  }
  write_traces(traces);
  for (int seed = 0; seed < 50; ++seed) {
    const std::vector<std::uint8_t> bytes = life_bytes(static_cast<std::uint64_t>(seed));
    write_file(lives / std::to_string(seed), std::as_bytes(std::span(bytes))).value();
  }
}
