#include "lab/training/router_journal.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

namespace elastane::lab {
namespace {

// four decimals are more than 64 sequences can tell
template <class T>
nlohmann::ordered_json column(const at::Tensor& values) {
  const at::Tensor whole = values.to(at::kDouble).contiguous();
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::int64_t i = 0; i < whole.numel(); ++i) {
    list.push_back(static_cast<T>(std::round(whole.data_ptr<double>()[i] * 1e4) / 1e4));
  }
  return list;
}

}  // namespace

void append(const std::string& path, const RouterLine& line) {
  if (path.empty()) return;
  const nlohmann::ordered_json json = {{"part", line.part},
                                       {"backbone", line.backbone},
                                       {"method", line.method},
                                       {"setting", line.setting},
                                       {"seed", line.seed},
                                       {"task", line.task},
                                       {"position", line.position},
                                       {"commit", line.commit},
                                       {"command", line.command},
                                       {"hits", column<std::int64_t>(line.hits)},
                                       {"labels", column<std::int64_t>(line.labels)},
                                       {"nats", column<double>(line.nats)},
                                       {"full", column<double>(line.full.mean(1))},
                                       {"heads", column<double>(line.full.mean(0))},
                                       {"macs", line.cost.macs},
                                       {"dense_macs", line.cost.dense_macs},
                                       {"us", line.cost.micros},
                                       {"dense_us", line.cost.dense_micros}};
  std::ofstream file(path, std::ios::app);
  file << json.dump() << "\n" << std::flush;
  if (!file) throw std::runtime_error("[journal] cannot write to " + path);
}

}  // namespace elastane::lab
