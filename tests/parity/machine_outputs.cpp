// Streams made inputs through every shipped network and prints the outputs, to be compared between machines; snapshots move
// between them:   machine_outputs MODELS write|read FOLDER [ISA]
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "elastane/core/math/kernels.h"
#include "elastane/core/stream/stream.h"
#include "elastane/io/model_file.h"

namespace {

using elastane::Model;
using elastane::Stream;

constexpr int kBefore = 100, kAfter = 100;  // steps to the snapshot, and behind it

void run(Stream& stream, int first, int last, const std::string& name) {
  std::vector<float> x(elastane::as_size(stream.model().inputs()));
  for (int t = first; t < last; ++t) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(0.1F * static_cast<float>(t) + static_cast<float>(i));
    stream.advance(x);
    std::printf("%s %d", name.c_str(), t);
    for (const float y : stream.output()) std::printf(" %.9g", static_cast<double>(y));
    std::printf("\n");
  }
}

int run_all(const std::string& models, bool writes, const std::filesystem::path& folder, elastane::Isa isa) {
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(models)) {
    if (entry.path().extension() == ".safetensors") paths.insert(entry.path());
  }
  for (const auto& path : paths) {
    const auto model = Model::load(path, {.isa = isa});
    if (!model) continue;  // not a network
    const std::string name = path.stem();
    std::fprintf(stderr, "%s on %s\n", name.c_str(), std::string(elastane::name(model->isa())).c_str());
    Stream stream(*model);
    run(stream, 0, kBefore, name);
    if (writes) {
      elastane::save_snapshot(stream, folder / name).value();
    } else {
      elastane::load_snapshot(folder / name, stream).value();  // of the other machine
    }
    run(stream, kBefore, kBefore + kAfter, name);
  }
  return paths.empty() ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4 && count != 5)
    return std::fprintf(stderr, "usage: machine_outputs MODELS write|read FOLDER [ISA]\n"), 2;
  return run_all(arguments[1], std::string(arguments[2]) == "write", arguments[3],
                 elastane::parse_isa(count == 5 ? arguments[4] : "automatic").value());
}
