#include "lab/benchmark/claims_json.h"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace elastane::benchmark {
namespace {

Measure parse_measure(const std::string& name) {
  using enum Measure;
  static constexpr std::array kNames = {std::pair{"success", success},     std::pair{"steps", steps},
                                        std::pair{"all_steps", all_steps}, std::pair{"violations", violations},
                                        std::pair{"regret", regret},       std::pair{"energy", energy}};
  for (const auto& [known, measure] : kNames) {
    if (name == known) return measure;
  }
  throw std::runtime_error("[claims] measure: unknown measure \"" + name +
                           "\", expected one of success, steps, all_steps, violations, regret, energy");
}

}  // namespace

std::vector<Claim> parse_claims(std::string_view text) {
  std::vector<Claim> claims;
  for (const nlohmann::json& claim : nlohmann::json::parse(text)) {
    claims.push_back({claim.at("text"),
                      {claim.at("agent").get<std::string>()},
                      claim.at("rival"),
                      parse_measure(claim.at("measure")),
                      claim.at("aim")});
  }
  return claims;
}

Published parse_published(const nlohmann::json& figures) {
  Published published;
  const auto take = [&](const char* key, std::optional<double>& into, double unit = 1) {
    if (figures.contains(key)) into = unit * figures.at(key).get<double>();
  };
  take("success", published.success);
  take("steps", published.steps);
  take("violations", published.violations);
  take("regret", published.regret);
  take("p99_ms", published.p99_us, 1000);
  return published;
}

}  // namespace elastane::benchmark
